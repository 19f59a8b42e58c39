import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { setPosts } from '../../helpers/outbox.js';
import { gate, postScan, owner as relayOwner, relaysOf, scanForm, startIntake } from '../../helpers/relay.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const channel = 'C0FRONTGATE';
const key = { key: { 'connect.key': { type: 'plain_text_input', value: accountKey } } };
/** A rule that calls somebody, so that its posts ask for an answer. */
const calling = {
  ...{ id: 'r', channel, when: { kind: 'result', is: 'invalid' }, mention: { users: ['U0ADA'], groups: [] } },
};
const note = (value: string) => ({ 'post.note.text': { 'post.note.text': { type: 'plain_text_input', value } } });
const all = (message: ShownMessage) => JSON.stringify(message.blocks);

describe('a note on an acknowledgement', () => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let mia: Person;
  let scan: (tid: string) => Promise<ShownMessage>;

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await ada.say('/scandesk connect');
    await ada.submit(await ada.seesWindow('Connect account'), key);
    await ada.close(await ada.seesForm('connect.databases'));
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
    store = await testApp.openStore();
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const { path } = await relays.create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel, notable: 'all', createdBy: 'U0ADA' },
      settings: relaySettingsSchema.parse({ rules: [calling] }),
    });
    scan = async (tid) => {
      expect((await postScan(`${testApp.appUrl}${path}`, scanForm({ tid, status: '0' }))).status).toBe(200);
      return shows(tid);
    };
  });
  afterAll(async () => {
    await store?.close();
    await testApp?.stop();
  });

  const shows = (...parts: readonly string[]) =>
    eventually(
      async () => (await ada.messages(channel)).find((one) => parts.every((part) => all(one).includes(part))),
      parts.join(' with '),
    );
  const privately = (person: Person, id: string, part: string) =>
    eventually(
      async () => (await person.messages(channel)).find((one) => one.ephemeral_for === id && all(one).includes(part)),
      part,
    );

  it('an acknowledgement can carry a note, which is shown as plain text and can be changed by its author', async () => {
    const post = await scan('noted-1');
    await mia.choose(post, 'Acknowledge with a note…');
    await mia.submit(await mia.seesForm('post.note'), note(' <!channel> *on* my way :100: '));
    const changed = await shows('noted-1', 'Acknowledged by <@U0MIA>');
    expect(all(changed)).toContain('{"type":"plain_text","text":"<!channel> *on* my way :100:","emoji":false}');
    await mia.choose(changed, 'Add a note…');
    const form = await mia.seesForm('post.note');
    expect(JSON.stringify(form.view.blocks)).toContain('"initial_value":"<!channel> *on* my way :100:"');
    await mia.submit(form, note('reader restarted'));
    expect(all(await shows('noted-1', 'reader restarted'))).not.toContain('on* my way');
    const what = (await store.audit.list(owner, { limit: 2 })).map((entry) => entry.what);
    expect(what).toEqual(['relay/note', 'relay/acknowledge']);
  });

  it('a note can be added to an acknowledgement that was made without a note', async () => {
    const post = await scan('noted-2');
    await mia.clickMessage(post, 'post.acknowledge');
    await mia.choose(await shows('noted-2', 'Acknowledged by <@U0MIA>'), 'Add a note…');
    await mia.submit(await mia.seesForm('post.note'), note('with two of us'));
    await shows('noted-2', 'Acknowledged by <@U0MIA>', 'with two of us');
  });

  it('a note of a second person is not saved, and the person reads who acknowledged the post first', async () => {
    const post = await scan('noted-3');
    await ada.choose(post, 'Acknowledge with a note…');
    const form = await ada.seesForm('post.note');
    await mia.clickMessage(post, 'post.acknowledge');
    const changed = await shows('noted-3', 'Acknowledged by <@U0MIA>');
    await ada.submit(form, note('mine'));
    expect(all(await privately(ada, 'U0ADA', 'wasn’t saved'))).toContain('"user_id":"U0MIA"');
    await ada.choose(changed, 'Add a note…');
    const told = await ada.seesWindow('Note');
    expect(JSON.stringify(told.view.blocks)).toContain('reply in the thread');
    await ada.close(told);
    expect(all(await shows('noted-3'))).not.toContain('mine');
  });
});

onEachDatabase('an acknowledgement', (databases) => {
  it('an acknowledgement and its note are by the same person, even if several people click at once', async () => {
    const url = await databases.fresh();
    const stores = [await openTestStore(url), await openTestStore(url)];
    const intake = await startIntake(stores[0]!);
    const { path } = await relaysOf(stores[0]!).create(gate);
    await postScan(`${intake.url}${path}`, scanForm());
    await setPosts(stores[0]!, { state: 'delivered', ts: '1.2' }).execute();
    const [row] = await stores[0]!.db.selectFrom('outbox').select('key').execute();
    const people = Array.from({ length: 8 }, (_, n) => `U${n}`);
    const found = await Promise.all(
      people.map((who, n) => relaysOf(stores[n % 2]!).postActions.acknowledge(relayOwner, row!.key, who, `by ${who}`)),
    );
    const first = found.filter((one) => one?.first);
    expect(first).toHaveLength(1);
    expect(new Set(found.map((one) => `${one?.by} ${one?.note}`))).toEqual(
      new Set([`${first[0]!.by} by ${first[0]!.by}`]),
    );
    const again = await relaysOf(stores[1]!).postActions.acknowledge(relayOwner, row!.key, first[0]!.by, '');
    expect(again).toMatchObject({ first: false, by: first[0]!.by });
    expect(again).not.toHaveProperty('note');
    await intake.close();
    await Promise.all(stores.map((store) => store.close()));
  });
});
