/** The value of a scan property that is a relay's shared secret is shown to nobody, though the account stores it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { scanProperties, scans } from '../../../src/codereadr/operations/index.js';
import { createRelays, hashSharedSecret, relaySettingsSchema } from '../../../src/relay/index.js';
import { isSecret, withoutSecretProperties } from '../../../src/slack/operations/secret-properties.js';
import type { Store } from '../../../src/workspaces/types.js';
import { gate } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, inputsOf, seesWords, submitForm } from './filling.js';

describe('a secret property', () => {
  test('a secret property is left out of scans under any of its names, and all other properties stay', () => {
    const scan = (...names: string[]) => ({ id: '1', properties: names.map((name) => ({ name, value: 'x' })) });
    const output = { count: 2, scans: [scan('shelf', 'gate_key', 'Gate_Key'), scan('old_key')] };
    expect(withoutSecretProperties(scans.retrieve, {}, output, ['gate_key', 'old_key'])).toEqual({
      count: 2,
      scans: [scan('shelf'), scan()],
    });
    expect(withoutSecretProperties(scans.retrieve, {}, output, [])).toBe(output);
  });

  test('a secret property is recognised however the account spells its name', () => {
    for (const name of ['gate_key', 'GATE_KEY', ' gate_key ', 'gáte_key']) {
      expect(isSecret(scanProperties.retrieve, { name }, ['gate_key'])).toBe(true);
    }
    expect(isSecret(scanProperties.retrieve, { name: 'gate_keys' }, ['gate_key'])).toBe(false);
    expect(isSecret(scanProperties.retrieve, { name: 'gate_key' }, [])).toBe(false);
  });
});

describe('through Slack, the value of a secret property', () => {
  let testApp: TestApp;
  let ada: Person;
  let store: Store;
  const lines: string[] = [];
  const value = 'canary-hunter2';
  const names = ['gate_key', 'former_key'];

  beforeAll(async () => {
    testApp = await startTestApp({ lines });
    ada = testApp.person('U0ADA');
    await connectAccount(testApp);
    store = await testApp.openStore();
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
    const settings = (name: string) =>
      relaySettingsSchema.parse({ secretProperty: { name, hash: hashSharedSecret('canary-hunter2') } });
    const { relay } = await relays.create({ ...gate, owner, settings: settings('former_key') });
    await relays.change(owner, relay.id, { settings: settings('gate_key') });
    for (const name of [...names, 'shelf']) {
      const given = { scan_id: '13001', name, value: name === 'shelf' ? 'Top' : value };
      await askAccount(testApp, 'scan_properties', 'create', given);
    }
  });
  afterAll(async () => {
    await store.close();
    await testApp.stop();
  });
  afterEach(async () => {
    await closeAll(ada);
    expect(JSON.stringify(await auditOf(testApp))).not.toContain('canary');
    expect(lines.join('')).not.toContain('canary-hunter2');
  });

  const call = async (typed: string) => read((await ada.command(`/scandesk call ${typed}`)).blocks);

  test('a secret property’s value is not in a list of scans that is requested with its properties', async () => {
    const text = await call('scans retrieve scan_id=13001 showProperties=1');
    expect(text).toContain('shelf: Top');
    expect(text).not.toContain('canary');
  });

  test.each(names)('a secret property’s value is not shown on request, in lower or upper case: %s', async (name) => {
    for (const asked of [name, name.toUpperCase()]) {
      const text = await call(`scan_properties retrieve scan_id=13001 name=${asked}`);
      expect(text).toContain('hidden: its value is a relay’s shared secret');
      expect(text).not.toContain('canary');
    }
    expect(await call('scan_properties retrieve scan_id=13001 name=shelf')).toContain('Top');
  });

  test('a secret property’s value is not in the form that changes it, its message, or the audit log', async () => {
    await ada.say('/scandesk call scan_properties update scan_id=13001 name=gate_key');
    const form = await ada.seesWindow('Edit a scan property');
    expect(JSON.stringify(form)).not.toContain('canary');
    expect(inputsOf(form).map((block) => block.block_id)).toContain('v.value');
    expect(JSON.stringify(form)).toContain('never shown');
    await submitForm(ada, form, { value });
    const done = read((await seesWords(ada, 'Value: (hidden)')).view.blocks);
    expect(done).not.toContain('canary');
    expect(JSON.stringify(await auditOf(testApp))).toContain('scan_properties/update');
  });

  test('a secret property’s value is not in the confirmation of its deletion', async () => {
    await ada.say('/scandesk call scan_properties delete scan_id=13001 name=gate_key');
    const asked = read((await seesWords(ada, 'Value: ')).view.blocks);
    expect(asked).toContain('Value: (hidden)');
    expect(asked).not.toContain('canary');
  });
});
