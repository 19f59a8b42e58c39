import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { postScan, scanForm } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { askAccount, connect } from '../connected.js';
import { closeAll, option, radio, reads, text } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const channel = 'C0FRONTGATE';
const phone = 'a3f1c09e7d2b4c5f8e6a1b2c3d4e5f60a1b2c3d4';
const words = (message: ShownMessage) => read(message.blocks);

describe('rules without a name of their own', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let relay: { id: string; path: string };
  let ids: { user: string; question: string };

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    await connect(ada);
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
    store = await testApp.openStore();
    const find = async (section: string, pattern: RegExp) =>
      pattern.exec(await askAccount(testApp, section, 'retrieve'))?.[1] ?? '';
    ids = {
      user: await find('users', /<user id="(\d+)">(?:(?!<\/user>).)*mara\.gate/s),
      question: await find('questions', /<question id="(\d+)">(?:(?!<\/question>).)*Wristband handed out/s),
    };
    const rules = [
      { id: 'phone', when: { kind: 'from', what: 'device', ids: [phone] } },
      { id: 'mara', when: { kind: 'from', what: 'user', ids: [ids.user] } },
      { id: 'band', when: { kind: 'answer', questionId: ids.question, how: 'equals', to: 'No' } },
    ].map((rule) => ({ ...rule, channel }));
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const made = await relays.create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel, notable: 'all', createdBy: 'U0ADA' },
      settings: relaySettingsSchema.parse({ rules }),
    });
    relay = { id: made.relay.id, path: made.path };
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  let second = 0;
  const scan = async (tid: string) => {
    second += 1;
    const at = new Date(Date.now() - second * 1_000).toISOString().slice(0, 19).replace('T', ' ');
    const fields = { tid, udid: phone, userid: ids.user, scanned_at_utc: at };
    expect((await postScan(`${testApp.appUrl}${relay.path}`, scanForm(fields))).status).toBe(200);
  };
  const posted = (has: (message: ShownMessage) => boolean) =>
    eventually(async () => (await ada.messages(channel)).find(has), 'a post');
  const openRules = async () => {
    await closeAll(ada);
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.manage');
    const one = await ada.seesWindow('Relay');
    await ada.click(one, 'relay.rules');
    return { one, rules: await ada.seesWindow('Rules and alerts') };
  };

  it('rules without a name are named after their conditions with cached names, also while the account is down', async () => {
    const { rules } = await openRules();
    expect(text(rules)).toContain(`1. When a scan is made with unnamed device ${phone.slice(0, 20)}`);
    const block = (rules.view.blocks as { block_id: string }[]).find((each) =>
      JSON.stringify(each).includes('change:band'),
    );
    // A post loads the names of a scan's ids, and a rule's form those of questions: both are then cached.
    await scan('named-1');
    await posted((message) => message.text.includes('named-1'));
    await ada.click(
      rules,
      'relay.rule.menu',
      { type: 'overflow', selected_option: option('change:band') },
      block?.block_id,
    );
    await ada.seesWindow('Edit rule');
    await testApp.accountFaults({ api_key_refused: true });
    const named = text((await openRules()).rules);
    expect(named).toContain('1. When a scan is made with Gate A phone');
    expect(named).toContain('2. When a scan is scanned by mara.gate');
    expect(named).toContain('3. When a scan has the answer No to “Wristband handed out?”');
    await testApp.accountFaults({ api_key_refused: false });
    await closeAll(ada);
  });

  it('the mute of a rule without a name shows the rule’s conditions in announcement, list and audit log', async () => {
    await scan('muted-1');
    const post = await posted((message) => message.text.includes('muted-1'));
    await ada.choose(post, 'Mute');
    const window = await ada.seesWindow('Mute');
    expect(read(window.view.blocks)).toContain('Posts of the rule “When a scan is made with Gate A phone”');
    await ada.submit(window, { 'post.mute.what': { 'post.mute.what': radio('rule.0') } });
    await posted((message) => words(message).includes('muted the rule “When a scan is made with Gate A phone” here'));
    await ada.say('/scandesk mute', channel);
    await posted((message) => words(message).includes('The rule “When a scan is made with Gate A phone” in'));
    await ada.say('/scandesk audit');
    const audit = text(await ada.seesWindow('Audit log'));
    expect(audit).toMatch(/Mute a rule.*Relay: Main gate.*Rule: “When a scan is made with Gate A phone”/s);
    expect(audit).not.toContain(relay.id);
    await closeAll(ada);
  });

  it('the preview of rules without a name counts muted scans, and the relay’s window counts the mutes', async () => {
    const { one, rules } = await openRules();
    expect(text(rules)).toMatch(
      /Of this relay’s 2 recent scans and the account’s 98 before them, (\d+|none) would have been posted/,
    );
    expect(text(rules)).toContain('🔕 2 are muted in ');
    expect(text(one)).toContain('Mutes: 1, in ');
    await closeAll(ada);
  });

  it('the deletion of a rule without a name shows the rule’s conditions in question and audit log', async () => {
    const { rules } = await openRules();
    const block = (rules.view.blocks as { block_id: string }[]).find((each) =>
      JSON.stringify(each).includes('remove:phone'),
    );
    await ada.click(
      rules,
      'relay.rule.menu',
      { type: 'overflow', selected_option: option('remove:phone') },
      block?.block_id,
    );
    const question = await ada.seesWindow('Delete this rule?');
    expect(text(question)).toContain('When a scan is made with Gate A phone');
    await ada.submit(question);
    await reads(ada, 'Rule deleted.');
    await closeAll(ada);
    await ada.say('/scandesk audit');
    const audit = text(await ada.seesWindow('Audit log'));
    expect(audit).toMatch(/Edit rules.*Relay: Main gate.*Rules: 2.*Deleted: “When a scan is made with Gate A phone”/s);
    expect(audit).toMatch(/Mute a rule.*Rule: “When a scan is made with Gate A phone”/s);
    await ada.say('/scandesk mute', channel);
    await posted((message) => words(message).includes('A deleted rule in'));
  });
});
