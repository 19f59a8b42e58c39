/** What the tools and workflows still say of a barcode that was forgotten, and of data that was erased: nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createPlaces, type PlaceSettings } from '../../src/places/index.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { WorkspaceState } from '../../src/sandbox/slack/api.js';
import { createWorkflowTriggers } from '../../src/workflows/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase } from '../helpers/databases.js';
import { gate, relaysOf } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { connect } from '../slack/connected.js';
import { scan, ticked, typed } from '../slack/relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../slack/test-app.js';
import { slackbotFor } from './slackbot-client.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const secret = 'CANARY 07';
const other = 'CANARY 08';

type Data = Readonly<Record<string, unknown>>;
interface Answers {
  readonly search_scans: Data & { readonly totals: Data; readonly scans: readonly { readonly barcode: string }[] };
  readonly inside_now: Data & {
    readonly lists: readonly { readonly inside: number; readonly in: number; readonly peak?: { inside: number } }[];
    readonly out: { readonly things: readonly { readonly barcode: string }[] };
  };
  readonly alerts_and_relays: Data & {
    readonly overdue: { readonly things: readonly { readonly barcode: string }[] };
    readonly relays: readonly { readonly scans: number; readonly posts_pending: number }[];
  };
  readonly todays_figures: { readonly today: Readonly<Record<string, number>> };
}
const tools = ['search_scans', 'inside_now', 'alerts_and_relays', 'todays_figures'] as const;

onEachDatabase('forgotten and erased data', (databases) => {
  let testApp: TestApp;
  let store: Store;
  let ada: Person;
  let slackbot: Awaited<ReturnType<typeof slackbotFor>>;
  let relay: { readonly id: string; readonly url: string };
  /** A person may ask every other second. */
  let ahead = 0;
  // Time passes: what has an age by the monotonic side gets older, too.
  const clock = { ...systemClock, now: () => systemClock.now() + ahead, steady: () => performance.now() + ahead };

  beforeAll(async () => {
    testApp = await startTestApp({ settings: { MCP: 'on' }, clock, databaseUrl: await databases.fresh() });
    store = await testApp.openStore();
    ada = testApp.person('U0ADA');
    await connect(ada);
    slackbot = await slackbotFor(testApp, clock.now);
    const state = (await (await fetch(`${testApp.slackUrl}/sandbox/state?as=U0ADA`)).json()) as WorkspaceState;
    const url = state.workflows[0]!.url;
    const triggers = createWorkflowTriggers({ store, clock, apiUrl: `${testApp.slackUrl}/api/` });
    await triggers.storeUrl(owner, url);
    const names = ['barcode', 'result', 'service', 'gate', 'person', 'moment', 'answers', 'scan_key'];
    const variables = names.map((name) => ({ name, text: `{${name}}` }));
    const workflow = { trigger: triggers.idOf(url), variables };
    const rules = [{ id: 'starts', when: { kind: 'every' }, action: 'workflow', channel: '', workflow }];
    const settings = relaySettingsSchema.parse({ rules });
    const { relay: made, path } = await relaysOf(store).create({ ...gate, owner, channel: 'C0GENERAL', settings });
    relay = { id: made.id, url: `${testApp.appUrl}${path}` };
    await relaysOf(store).pause(owner, relay.id);
    await makeLists();
    for (const tid of [secret, other]) {
      await scan(relay.url, { tid, status: '1', sid: '9', userid: '701', hall: 'in' });
      const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
      await scan(relay.url, { tid, status: '1', sid: '9', userid: '701', lent: 'out', scanned_at_utc: anHourAgo });
    }
  }, 90_000);
  afterAll(async () => {
    await slackbot?.close();
    await store?.close();
    await testApp?.stop();
  });

  /** Creates a list of who is inside a hall, and one of tools that are due after half an hour. */
  async function makeLists(): Promise<void> {
    const none = { relays: { validators: async () => [] }, open: async () => undefined, onPosts: () => undefined };
    const { create } = createPlaces({ ...none, store, clock, random: systemRandom, log: silentLog, instanceId: 'one' });
    const has = (name: string, to: string) => ({
      kind: 'property' as const,
      name,
      how: 'equals' as const,
      to,
      exact: false,
    });
    const ways = (name: string) => ({ in: [has(name, 'in')], out: [has(name, 'out')] });
    const shared = { refused: false, zone: 'UTC', devices: {}, hour: (new Date(clock.now()).getUTCHours() + 20) % 24 };
    const due = { by: 'time' as const, minutes: 30, services: {} };
    const lent: PlaceSettings = {
      ...{ ...shared, ...ways('lent') },
      custody: { due, channel: 'C0GENERAL', others: 'managers' },
    };
    await create(owner, { name: 'Hall', settings: { ...shared, ...ways('hall') } }, 'U0ADA');
    await create(owner, { name: 'Tools', settings: lent }, 'U0ADA');
  }

  async function askAll(): Promise<{ readonly data: Answers; readonly said: string }> {
    const answers = [];
    for (const tool of tools) {
      ahead += 2_000;
      answers.push([tool, await slackbot.call<Data>(tool)] as const);
    }
    return {
      data: Object.fromEntries(answers.map(([tool, { data }]) => [tool, data])) as unknown as Answers,
      said: JSON.stringify(answers),
    };
  }

  /** Waits until so many are inside, and so many things are out. */
  const untilListed = (count: number) =>
    eventually(async () => {
      const all = await askAll();
      const { lists, out } = all.data.inside_now;
      return lists[0]?.inside === count && out.things.length === count ? all : undefined;
    }, `${count} inside and out`);

  async function lookedUp(barcode: string) {
    ahead += 2_000;
    const { data } = await slackbot.call<{ readonly barcodes: readonly Data[] }>('look_up_barcodes', {
      barcodes: [barcode],
    });
    return data.barcodes[0]!;
  }

  const countOf = ({ todays_figures: { today } }: Answers) =>
    Object.values(today).reduce((sum, count) => sum + count, 0);
  const barcodesOf = (of: readonly { readonly barcode: string }[]) => of.map(({ barcode }) => barcode).toSorted();
  const waiting = async () =>
    (await store.db.selectFrom('outbox').select('seq').where('kind', '=', 'workflow').execute()).length;
  const started = async () =>
    (await testApp.calls())
      .filter(({ method }) => method === 'workflow_trigger')
      .map(({ body }) => (body.variables as { readonly barcode: string }).barcode);

  wideIt('before a barcode is forgotten, three tools show the barcode, and its workflow starts wait', async () => {
    const { data } = await untilListed(2);
    expect(data.inside_now).toMatchObject({ lists: [{ list: 'Hall', inside: 2, in: 2 }], out: { total: 2 } });
    expect(barcodesOf(data.inside_now.out.things)).toEqual([secret, other]);
    expect(barcodesOf(data.search_scans.scans)).toEqual(expect.arrayContaining([secret, secret, other, other]));
    expect(data.alerts_and_relays.relays).toMatchObject([{ scans: 4, posts_pending: 4 }]);
    expect(await lookedUp(secret)).toMatchObject({ scans: [{ barcode: secret }, { barcode: secret }], places: [{}] });
    expect(await waiting()).toBe(4);
  });

  it('a forgotten barcode is in no tool’s data, text, blocks or figures, and starts no workflow', async () => {
    // Today's counts may be a minute old.
    ahead += 60_000;
    const before = countOf((await askAll()).data);
    await ada.say(`/scandesk forget "${secret}"`);
    await ada.submit(await ada.seesWindow('Forget a barcode'), { 'forget.counts': { 'forget.field': ticked() } });
    await ada.close(await ada.seesWindow('Barcode forgotten'));
    ahead += 60_000;

    const { data, said } = await untilListed(1);
    expect(said).not.toContain(secret);
    expect(countOf(data)).toBeLessThan(before);
    expect(data.inside_now).toMatchObject({ lists: [{ inside: 1, in: 1, peak: { inside: 1 } }], out: { total: 1 } });
    expect(barcodesOf(data.alerts_and_relays.overdue.things)).toEqual([other]);
    expect(data.alerts_and_relays.relays).toMatchObject([{ posts_pending: 2 }]);
    expect(await lookedUp(secret)).toMatchObject({ result: 'unknown', scans: [], places: [] });
    expect((await lookedUp(other)).scans).toHaveLength(2);

    await relaysOf(store).resume(owner, relay.id);
    await eventually(async () => (await started()).length === 2, 'two starts');
    expect(await started()).toEqual([other, other]);
    expect(await waiting()).toBe(2);
  });

  it('erased data is in no tool and starts no workflow; a trigger URL stays until the app’s uninstall', async () => {
    await relaysOf(store).pause(owner, relay.id);
    await scan(relay.url, { tid: 'LAST', status: '1', sid: '9' });
    expect(await waiting()).toBe(3);
    await ada.say('/scandesk erase');
    await ada.submit(await ada.seesForm('erase'));
    await ada.submit(await ada.seesForm('erase.confirm'), { 'erase.word': { 'erase.field': typed('ERASE') } });
    await eventually(
      async () => (await ada.directMessages()).some(({ text }) => text.includes('is erased')),
      'the message that it is done',
    );
    const { data, said } = await askAll();
    expect(said).not.toContain(other);
    expect(said).not.toContain('LAST');
    expect(data.inside_now).toMatchObject({ lists: [{ inside: 0, in: 0, out: 0 }], out: { total: 0 } });
    expect(data.alerts_and_relays).toMatchObject({ overdue: { total: 0 }, relays: [{ scans: 0, posts_pending: 0 }] });
    expect(await lookedUp(other)).toMatchObject({ result: 'unknown', scans: [], places: [] });
    expect(await waiting()).toBe(0);

    await relaysOf(store).resume(owner, relay.id);
    await scan(relay.url, { tid: 'NEXT', status: '1', sid: '9' });
    await eventually(async () => (await started()).length === 3, 'the start with the next scan');
    expect(await started()).toEqual([other, other, 'NEXT']);
    const urls = store.db.selectFrom('keyv').select('key').where('namespace', '=', 'workflow-triggers');
    expect(await urls.execute()).toHaveLength(1);
    await testApp.post('/sandbox/uninstall', { as: 'U0ADA' });
    await eventually(async () => (await urls.execute()).length === 0, 'the end of the trigger’s URL');
  });
});
