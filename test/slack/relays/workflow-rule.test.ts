import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownView, WorkspaceState } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';
import {
  choose,
  closeAll,
  connect,
  makeRelay,
  parts,
  radio,
  reads,
  redrawn,
  scan,
  select,
  text,
  typed,
} from './relay-stage.js';

describe('a rule that starts a workflow', () => {
  let testApp: TestApp;
  let ada: Person;
  let url: string;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    const state = await fetch(`${testApp.slackUrl}/sandbox/state?as=U0ADA`);
    url = ((await state.json()) as WorkspaceState).workflows[0]!.url;
  });
  // `stop` searches everything logged, stored and shown for the secret part of the URL.
  afterAll(() => testApp?.stop());
  afterEach(() => closeAll(ada));

  /** The form of a new rule that starts a workflow with every scan. */
  async function openForm() {
    const relay = await makeRelay(ada, { channel: 'C0FRONTGATE', service: '1207' });
    await ada.click(relay.made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.rules');
    await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
    await ada.seesWindow('New rule');
    await choose(ada, 'rule.when', select('every'));
    const form = await choose(ada, 'rule.action', radio('workflow'));
    return { relay, form };
  }

  const starts = async () => (await testApp.calls()).filter(({ method }) => method === 'workflow_trigger');
  const lastFilled = async () => (await starts()).at(-1)?.body.variables as Record<string, string>;

  /** Clicks *Send a test* with these values in the fields; resolves to the redrawn form. */
  async function test(form: ShownView, values: Readonly<Record<string, string>> = {}): Promise<ShownView> {
    const entered = Object.entries(values).map(([block, value]) => [block, { 'relay.field': typed(value) }]);
    const block = (form.view.blocks as { block_id: string; elements?: { action_id?: string }[] }[]).find((one) =>
      one.elements?.some(({ action_id: id }) => id === 'relay.rule.test'),
    );
    await testApp.post('/sandbox/action', {
      ...{ as: 'U0ADA', container: { type: 'view', view_id: form.id }, block_id: block?.block_id },
      ...{ action_id: 'relay.rule.test', values: Object.fromEntries(entered) },
    });
    return redrawn(ada, form);
  }

  it('a rule starts a workflow with the scan’s values beside the relay’s own post', async () => {
    const { relay, form } = await openForm();
    expect(text(form)).toContain('never shown again');
    expect(await ada.submit(form, parts({ 'rule.workflow.url': typed(` ${url} `) }))).toMatchObject({ ok: true });
    await reads(ada, 'It applies from the next scan.');
    await ada.close(await ada.seesWindow('Rule saved'));
    expect(text(await reads(ada, 'Start a workflow'))).toContain('does so whichever rule posts');
    await scan(relay.url, { tid: '  00*7 <&', status: '1', userid: '9' });
    const received = async () => (await ada.messages('C0STOCKROOM')).map(({ blocks }) => read(blocks)).join();
    await eventually(async () => (await received()).includes('barcode:   00*7 <&'), 'a start');
    const filled = await lastFilled();
    expect(filled).toMatchObject({ barcode: '  00*7 <&', result: 'Valid', gate: 'D-1', person: '9', answers: '' });
    expect(filled.scan_key).toMatch(/^\w+$/);
    expect(filled.moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await eventually(
      async () => (await ada.messages('C0FRONTGATE')).some(({ blocks }) => read(blocks).includes('00*7')),
      'the relay’s own post',
    );

    // The form of the stored rule shows no URL, but what a past scan would have sent.
    const rules = await ada.seesWindow('Rules and alerts');
    await ada.click(rules, 'relay.rule.menu', optionNamed(rules.view.blocks, 'Edit'));
    const edited = text(await reads(ada, 'A URL is set. Leave blank to keep it.'));
    expect(edited).toContain('Of this relay’s 1 recent scan, 1 would have started the workflow');
    expect(edited).toMatch(/the workflow would get:\nbarcode = {3}00\*7 <&\nresult = Valid/);
    const form2 = await ada.seesWindow('Edit rule');
    expect(
      await ada.submit(form2, parts({ 'rule.workflow.variables': typed('text = {result}: {barcode}!') })),
    ).toMatchObject({ ok: true });
    await reads(ada, 'It applies from the next scan.');
  });

  it('a rule’s form can test a workflow before the rule is saved, and shows what Slack answered', async () => {
    const { form } = await openForm();
    const none = await test(form);
    expect(text(none)).toContain('This is no webhook URL of a workflow');
    const wrong = await test(none, { 'rule.workflow.url': url.replace(/.$/, 'x') });
    expect(text(wrong)).toContain('The test did not start the workflow: the workflow’s webhook URL no longer works');
    const fewer = await test(wrong, { 'rule.workflow.url': url, 'rule.workflow.variables': 'barcode = {barcode}' });
    expect(text(fewer)).toContain('the workflow refused what was sent (invalid_input)');
    await testApp.rules({ faults: [{ method: 'workflow_trigger', times: 1, as: '503' }] });
    const all = (await starts()).find(({ ok }) => ok)?.body.variables ?? {};
    const lines = Object.keys(all)
      .map((name) => `${name} = {${name}}`)
      .join('\n');
    const down = await test(fewer, { 'rule.workflow.variables': lines });
    expect(text(down)).toContain('Slack is having problems');
    const taken = await test(down);
    expect(text(taken)).toContain('✅ Slack took the test, with sample values.');
    expect(await lastFilled()).toMatchObject({ barcode: '00123', scan_key: expect.stringMatching(/^test-/) });
    await closeAll(ada);
    await ada.say('/scandesk audit');
    await reads(ada, 'Start a workflow as a test');
  });

  it('a rule that starts a workflow is refused with an error at the invalid field, and its form stays open', async () => {
    const { form } = await openForm();
    const manyLines = Array.from({ length: 21 }, (_, n) => `v${n} = 1`).join('\n');
    const cases: readonly [string, Readonly<Record<string, string>>, string][] = [
      ['no URL', {}, 'url'],
      ['a URL of another host', { url: 'https://hooks.slack.com.example.com/triggers/T1/2/3' }, 'url'],
      ['an unknown placeholder', { url, variables: 'a = {barcod}' }, 'variables'],
      ['a line without a name', { url, variables: '= {barcode}' }, 'variables'],
      ['a name twice', { url, variables: 'a = 1\na = 2' }, 'variables'],
      ['a name that begins with a digit', { url, variables: '1a = 1' }, 'variables'],
      ['too many variables', { url, variables: manyLines }, 'variables'],
    ];
    for (const [what, values, field] of cases) {
      const entered = Object.entries(values).map(([name, value]) => [`rule.workflow.${name}`, typed(value)]);
      const { errors } = await ada.submit(form, parts(Object.fromEntries(entered)));
      expect(Object.keys(errors ?? {}), what).toEqual([`rule.workflow.${field}`]);
    }
    expect((await ada.window())?.callback_id).toBe('relay.rule');
  });

  it('the form of an alert offers no workflow, and saves an alert that is posted', async () => {
    const { form } = await openForm();
    const burst = await choose(ada, 'rule.about', radio('burst'));
    expect(text(burst)).not.toContain('Start a workflow');
    expect(text(burst)).not.toContain('webhook URL');
    expect(form.id).toBe(burst.id);
    await ada.submit(await choose(ada, 'rule.others.all', radio('only')));
    await ada.close(await ada.seesWindow('Rule saved'));
    expect(text(await ada.seesWindow('Rules and alerts'))).toContain('When 5 scans are not valid within 10 minutes→');
  });
});
