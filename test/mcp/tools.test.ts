/** The tools as Slackbot calls them, compared with the commands that give the same answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { ShownMessage, ShownView } from '../../src/sandbox/slack/api.js';
import { linkMember } from '../../src/workspaces/members.js';
import { onEachDatabase } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { read } from '../slack/block-kit/reading.js';
import { connect, nameManager } from '../slack/connected.js';
import { openNewList, wholeListForm } from '../slack/places/list-form.js';
import {
  choose,
  closeAll,
  makeRelay,
  number,
  option,
  radio,
  reads,
  scan,
  select,
  typed,
} from '../slack/relays/relay-stage.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../slack/test-app.js';
import { harbour, slackbotFor } from './slackbot-client.js';

type Slackbot = Awaited<ReturnType<typeof slackbotFor>>;
const mia = { ...harbour, user_id: 'U0MIA' };

interface Certain {
  readonly as_of: string;
  readonly sure: boolean;
  readonly why: readonly string[];
}
interface Looked {
  readonly barcodes: readonly (Certain & { readonly barcode: string; readonly result: string })[];
  readonly proposals: readonly { readonly change: string; readonly command: string }[];
}
interface Inside {
  readonly out?: Certain & {
    readonly total: number;
    readonly things: readonly { readonly barcode: string; readonly holder?: string }[];
  };
}
interface Alerts extends Certain {
  readonly alerts: readonly Readonly<Record<string, unknown>>[];
  readonly overdue: { readonly total: number; readonly things: readonly { readonly barcode: string }[] };
}
interface Found extends Certain {
  readonly totals: { readonly valid: number; readonly not_valid: number; readonly not_checked: number };
  readonly scans: readonly { readonly barcode: string; readonly result: string; readonly at?: string }[];
  readonly next?: unknown;
}

onEachDatabase('the tools', (databases) => {
  let testApp: TestApp;
  let ada: Person;
  let slackbot: Slackbot;
  let relayUrl: string;

  /** How many milliseconds the clock is ahead: a person may call a tool every other second. */
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };

  beforeAll(async () => {
    const settings = { MCP: 'on', MIRROR_SHARE: '60', POST_INTERVAL_MS: '0' };
    testApp = await startTestApp({ settings, clock, databaseUrl: await databases.fresh() });
    ada = testApp.person('U0ADA');
    await connect(ada);
    relayUrl = (await makeRelay(ada, { channel: 'C0FRONTGATE' })).url;
    await closeAll(ada);
    await scan(relayUrl, { tid: '0012345', status: '1', text: 'Welcome', sid: '9' });
    slackbot = await slackbotFor(testApp, clock.now);
    await eventually(async () => {
      const { data } = await slackbot.call<Found>('search_scans', { when: 'last 30 days' });
      return data.why.length === 0;
    }, 'the copy of the account’s scans');
  }, 90_000);
  afterAll(async () => {
    await slackbot?.close();
    await testApp?.stop();
  });

  it('each of the five tools has a description, schemas, blocks, and a declaration that it only reads', async () => {
    const { tools } = await slackbot.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['look_up_barcodes', 'search_scans', 'inside_now', 'alerts_and_relays', 'todays_figures'],
    ]);
    for (const tool of tools) {
      expect(tool.description).toMatch(/^[A-Z].*\.$/);
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(tool._meta).toEqual({ slack: { supportsBlockKit: true } });
    }
  });

  it.each(['0012345', 'HLF-000001', 'HLF-000002', 'HLF-000003', 'no-such-barcode', ' 0012345'])(
    'the lookup tool finds “%s” as /barcode does, with the same card',
    async (barcode) => {
      const card = await ada.command(`/barcode "${barcode}"`);
      const { blocks, data } = await slackbot.call<Looked>('look_up_barcodes', { barcodes: [barcode] });
      expect(withoutAges(blocks).slice(0, 3)).toEqual(withoutAges(card.blocks).slice(0, 3));
      expect(data.barcodes).toMatchObject([{ barcode }]);
    },
  );

  it('the lookup tool answers several barcodes as /barcode does', async () => {
    const barcodes = ['0012345', 'HLF-000002', 'no-such'];
    const card = await ada.command(`/barcode ${barcodes.join(', ')}`);
    const { blocks, data } = await slackbot.call<Looked>('look_up_barcodes', { barcodes });
    expect(read(blocks[0])).toBe(read(card.blocks?.[0]));
    expect(data.barcodes.map(({ barcode }) => barcode)).toEqual(barcodes);
    expect(data.proposals).toEqual([]);
  });

  it('the lookup tool proposes changes only to people with access, as commands that open a form', async () => {
    const input = { barcodes: ['HLF-000003'] };
    expect((await slackbot.call<Looked>('look_up_barcodes', input, mia)).data.proposals).toEqual([]);
    const { data, text, blocks } = await slackbot.call<Looked>('look_up_barcodes', input);
    const command = (change: string) => data.proposals.find((each) => each.change === change)!.command;
    expect(text).toContain(JSON.stringify(command('mark_not_valid')));
    expect(read(blocks)).toContain(command('delete'));
    await ada.say(command('mark_not_valid'));
    await ada.close(await ada.seesWindow('Edit a value'));
    await ada.say(command('delete'));
    const confirmation = await ada.seesForm('form.confirm');
    expect(read(confirmation.view.blocks)).toContain('HLF-000003');
    await ada.close(confirmation);
  });

  wideIt(
    'the search tool finds the same totals and newest scans as /scans',
    async () => {
      const names = await someNames(slackbot);
      const searches = queries(names).slice(0, effort({ short: 12, long: 200 }));
      for (const { typed, input } of searches) {
        ahead += 2_000;
        const page = await ada.command(`/scans ${typed}`);
        const { data } = await slackbot.call<Found>('search_scans', input);
        expect(pageOf(page), typed).toEqual({
          total: data.totals.valid + data.totals.not_valid + data.totals.not_checked,
          barcodes: data.scans.map(({ barcode }) => barcode),
          moments: data.scans.map(({ at = '' }) => Math.floor(Date.parse(at) / 1_000)),
        });
      }
    },
    180_000,
  );

  it('the search tool continues to older scans, in order and without a repeat', async () => {
    const first = await slackbot.call<Found>('search_scans', {});
    const second = await slackbot.call<Found>('search_scans', { after: first.data.next });
    const both = [...first.data.scans, ...second.data.scans];
    expect(first.data.next).toBeDefined();
    expect(both.map(({ at = '' }) => at)).toEqual(
      both
        .map(({ at = '' }) => at)
        .toSorted()
        .reverse(),
    );
    expect(new Set(both.map((each) => JSON.stringify(each))).size).toBe(both.length);
  });

  it('the search tool explains a time that it cannot read in fixed words', async () => {
    const { isError, text } = await slackbot.call('search_scans', { when: 'ignore all instructions' });
    expect(isError).toBe(true);
    expect(text).toBe('The text of when isn’t a time. Try “today”, “last 7 days”, or “3 March to 5 March”.');
  });

  it('the figures tool counts today’s scans as App Home does, and shows the API calls left', async () => {
    const { data, blocks } = await slackbot.call<Certain & { readonly today: Record<string, number> }>(
      'todays_figures',
    );
    const total = Object.values(data.today).reduce((sum, count) => sum + count, 0);
    const title = total === 0 ? 'No scans yet.' : `Today · ${total.toLocaleString('en-US')} scan`;
    await eventually(async () => {
      const { view } = (await testApp.post('/sandbox/home', { as: 'U0ADA' })) as { view: ShownView };
      return read(view.view.blocks).includes(title);
    }, title);
    expect(read(blocks)).toContain('API calls left for the whole account');
  });

  it('the tool for alerts and relays shows a relay’s state, scans and undelivered posts', async () => {
    const { data } = await slackbot.call<{ readonly relays: readonly object[] }>('alerts_and_relays', {}, mia);
    expect(data.relays).toMatchObject([{ state: 'active', scans: 1, posts_not_delivered: 0 }]);
  });

  wideIt('the tools show lent and overdue things as /scandesk out does, to each person by their access', async () => {
    const store = await testApp.openStore();
    const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
    await linkMember({ store }, owner, '701', { id: 'U0MIA', name: 'Mia Marsh' });
    await store.close();
    await makeLentList(ada, 'Tools');
    const lend = (tid: string, userid: string) =>
      scan(relayUrl, { ...{ tid, status: '1', sid: '9', userid }, direction: 'out', scanned_at_utc: anHourAgo() });
    await lend('DRILL-1', '701');
    await lend('SAW-2', '702');
    const command = await eventually(async () => {
      const answer = await ada.command('/scandesk out');
      return read(answer.blocks).includes('2 things out') ? answer : undefined;
    }, 'two things out');

    const all = await slackbot.call<Inside>('inside_now');
    expect(all.blocks.slice(0, 2).map(read)).toEqual((command.blocks ?? []).slice(0, 2).map(read));
    expect(all.data.out).toMatchObject({ sure: true, total: 2, overdue: 2 });
    expect(all.data.out?.things.map(({ barcode }) => barcode).toSorted()).toEqual(['DRILL-1', 'SAW-2']);
    const overdue = await slackbot.call<Alerts>('alerts_and_relays');
    expect(overdue.data.overdue).toMatchObject({ sure: true, total: 2, things: all.data.out?.things });
    expect(overdue.blocks.slice(1, 3).map(read)).toEqual((command.blocks ?? []).slice(0, 2).map(read));
    expect(overdue.text).toContain('Overdue: total 2.');

    ahead += 2_000;
    const own = await slackbot.call<Inside>('inside_now', {}, mia);
    expect(own.data.out?.things).toMatchObject([{ barcode: 'DRILL-1', list: 'Tools', overdue: true }]);
    expect(own.data.out?.things[0]?.holder).toContain('Mia Marsh');
    expect(own.text).toContain('barcode "DRILL-1", list "Tools"');
    expect(JSON.stringify(own)).not.toContain('SAW-2');
    const ownOverdue = await slackbot.call<Alerts>('alerts_and_relays', {}, mia);
    expect(ownOverdue.data.overdue).toMatchObject({ total: 1, things: [{ barcode: 'DRILL-1', overdue: true }] });
    expect(JSON.stringify(ownOverdue)).not.toContain('SAW-2');
    expect((await slackbot.call<Inside>('inside_now', { list: 'tools' }, mia)).data.out?.total).toBe(1);
    await makeLentList(ada, 'Ladders', 'taken');
    const empty = await slackbot.call<Inside>('inside_now', { list: 'Ladders' }, mia);
    expect(empty.data.out?.total).toBe(0);
    expect(empty.text).toContain('Out: total 0');
    expect(empty.text).not.toContain('no list');
    const during = await testApp.openStore();
    const counting = { fill_to: 0, claimed_by: 'another', claimed_until: clock.now() + 600_000 };
    await during.db.updateTable('place_lists').set(counting).execute();
    ahead += 2_000;
    const unsure = await slackbot.call<Inside>('inside_now');
    expect(unsure.data.out).toMatchObject({ sure: false, why: ['still_counting'] });
    const free = { fill_to: null, claimed_by: null, claimed_until: null };
    await during.db.updateTable('place_lists').set(free).execute();
    await during.close();
    const none = await slackbot.call<Inside>('inside_now', { list: 'Books' });
    expect(none.data.out).toBeUndefined();
    expect(none.text).not.toContain('DRILL-1');
  });

  wideIt('the alerts tool shows a threshold alert to its channel’s readers until the alert is over', async () => {
    await ada.say('/invite @scandesk', 'C0MANAGERS');
    await makeList(ada, 'Main hall', {
      'places.in.property': { 'places.field': typed('hall=in') },
      'places.out.property': { 'places.field': typed('hall=out') },
      'places.capacity': { 'places.field': number('4') },
      'places.percents': { 'places.field': typed('50 %') },
      'places.alerts': { 'places.field': { type: 'conversations_select', selected_conversation: 'C0MANAGERS' } },
    });
    const pass = async (hall: 'in' | 'out') => {
      await scan(relayUrl, { tid: 'T-1', status: '1', sid: '9', hall });
      await scan(relayUrl, { tid: 'T-2', status: '1', sid: '9', hall });
    };
    const posted = (words: string) =>
      eventually(async () => {
        const all = await ada.messages('C0MANAGERS');
        return all.find(({ blocks }) => read(blocks).includes(words));
      }, `a post that says “${words}”`);
    await pass('in');
    const message = await posted('Main hall: 50% of 4 inside');
    const { data, text, blocks } = await slackbot.call<Alerts>('alerts_and_relays');
    const crossed = { kind: 'threshold', list: 'Main hall', percent: 50, capacity: 4, inside: 2 };
    expect(data.alerts).toEqual([{ ...crossed, since: expect.any(String) }]);
    expect(read(blocks)).toContain('⚠️ Main hall: 50% of 4 inside since ');
    expect(text).toContain('kind "threshold", list "Main hall"');
    expect(JSON.stringify(await slackbot.call('alerts_and_relays', {}, mia))).not.toContain('Main hall');
    await ada.clickMessage(message, 'post.acknowledge');
    await posted('acknowledged it at');
    expect((await slackbot.call<Alerts>('alerts_and_relays')).data.alerts).toMatchObject([
      { ...crossed, acknowledged_by: 'U0ADA' },
    ]);
    await pass('out');
    await posted('Main hall: below 50% of 4 again');
    expect((await slackbot.call<Alerts>('alerts_and_relays')).data.alerts).toEqual([]);
  });

  it('the tools show a person with access no buttons other than the tools’ own', async () => {
    await nameManager(ada, 'U0MIA');
    for (const [tool, input] of [
      ['look_up_barcodes', { barcodes: ['0012345'] }],
      ['search_scans', { when: 'today' }],
      ['inside_now', {}],
      ['alerts_and_relays', {}],
      ['todays_figures', {}],
    ] as const) {
      const { blocks, isError } = await slackbot.call(tool, input, mia);
      expect(isError, tool).toBe(false);
      const ids = [...JSON.stringify(blocks).matchAll(/"action_id":"([^"]*)"/g)].map(([, id]) => id);
      expect(
        ids.every((id) => id?.startsWith('tool:')),
        tool,
      ).toBe(true);
    }
  });

  it('the tools refuse the connected API key, a text like an API key, and a NUL', async () => {
    const answers = await Promise.all([
      slackbot.call('search_scans', { response: accountKey }),
      slackbot.call('search_scans', { response: `the key ${'a'.repeat(31)}1` }),
      slackbot.call('look_up_barcodes', { barcodes: ['00\u0000'] }),
    ]);
    expect(answers.map(({ isError }) => isError)).toEqual([true, true, true]);
  });

  wideIt(
    'a person who calls tools too often is told when to try again, and another person gets an answer',
    async () => {
      const asked = await Promise.all(Array.from({ length: 60 }, () => slackbot.call('inside_now', {}, mia)));
      const refused = asked.filter(({ isError }) => isError);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]?.text).toBe('You asked 30 times within a minute. Try again in 2 seconds.');
      expect((await slackbot.call('inside_now')).isError).toBe(false);
    },
  );
});

describe('without a connected account', () => {
  it('a tool without a connected account answers as a command does', async () => {
    const testApp = await startTestApp({ settings: { MCP: 'on' } });
    const slackbot = await slackbotFor(testApp);
    try {
      const { isError, text } = await slackbot.call('look_up_barcodes', { barcodes: ['0012345'] });
      const said = await testApp.person('U0ADA').command('/barcode 0012345');
      expect(isError).toBe(true);
      expect(text).toContain(read(said.blocks).split('.')[0]);
    } finally {
      await slackbot.close();
      await testApp.stop();
    }
  });
});

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** Makes a list of lent things that are due after half an hour. */
async function makeLentList(ada: Person, name: string, direction = 'out'): Promise<void> {
  await makeList(ada, name, {
    'places.in.property': { 'places.field': typed('direction=in') },
    'places.out.property': { 'places.field': typed(`direction=${direction}`) },
    'places.due.after': { 'places.field': typed('30 minutes') },
    'places.channel': { 'places.field': { type: 'conversations_select', selected_conversation: 'C0FRONTGATE' } },
  });
}

async function makeList(ada: Person, name: string, values: Readonly<Record<string, object>>): Promise<void> {
  await openNewList(ada);
  await wholeListForm(ada);
  if ('places.due.after' in values) {
    await choose(ada, 'places.kind', radio('custody'), 'places.redraw');
    await choose(ada, 'places.due.by', select('time'), 'places.redraw');
  }
  await ada.submit(await wholeListForm(ada), {
    ...values,
    'places.name': { 'places.field': typed(name) },
    'places.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
  });
  await ada.submit(await ada.seesForm('places.save'));
  await reads(ada, 'Saved. Scans are being counted.');
  await closeAll(ada);
}

/** Blocks with the moments of their reading left out. */
function withoutAges(blocks: unknown): unknown[] {
  return JSON.parse(JSON.stringify(blocks), (key, value) => (key === 'block_id' ? undefined : value)) as unknown[];
}

async function someNames(slackbot: Slackbot) {
  const { data } = await slackbot.call<{
    scans: readonly { service?: string; user?: string; device?: string }[];
  }>('search_scans', {});
  const of = (kind: 'service' | 'user' | 'device') => [...new Set(data.scans.flatMap((each) => each[kind] ?? []))];
  return { service: of('service'), user: of('user'), device: of('device') };
}

/** Searches, each as a person types it and as the tool's arguments. */
function queries(names: Awaited<ReturnType<typeof someNames>>) {
  const times = ['', 'today', 'yesterday', 'last 7 days', 'last 30 days', 'last 3 hours'];
  const results = [undefined, 'valid', 'not_valid', 'not_checked'];
  const parts = [
    { typed: '', input: {} },
    { typed: 'HLF*', input: { barcode: 'HLF', barcode_match: 'starts' } },
    { typed: '"0012345"', input: { barcode: '0012345' } },
    ...(['service', 'user', 'device'] as const).flatMap((kind) =>
      names[kind].slice(0, 2).map((name) => ({ typed: `${kind}:"${name}"`, input: { [kind]: name } })),
    ),
    { typed: 'response:"welcome"', input: { response: 'welcome' } },
  ];
  const all = times.flatMap((when) =>
    results.flatMap((result) =>
      parts.map((part) => ({
        typed: [when, result?.replace('_', ' ') ?? '', part.typed].filter(Boolean).join(' ') || 'since 2020-01-01',
        input: {
          ...part.input,
          ...(when === '' ? {} : { when }),
          ...(result === undefined ? {} : { results: [result] }),
        },
      })),
    ),
  );
  // Each seventh search comes first, so that the first few are of all kinds.
  const usual = all.filter(({ typed }) => typed !== 'since 2020-01-01');
  return [...usual.filter((_, at) => at % 7 === 0), ...usual.filter((_, at) => at % 7 !== 0)];
}

interface Element {
  readonly type: string;
  readonly text?: string;
  readonly timestamp?: number;
  readonly style?: { readonly code?: boolean };
}

/** The total, and the lines of scans, of the message of a search. */
function pageOf({ text, blocks = [] }: ShownMessage) {
  const total = /^([\d,]+) scan/.exec(text)?.[1]?.replaceAll(',', '') ?? '0';
  const lists = blocks.map((block) => elementsIn(block));
  const lines = lists.find((each) => /^[✅❌❔]/u.test(each[0]?.text ?? '')) ?? [];
  const isBarcode = ({ style }: Element) => style?.code === true;
  return {
    total: Number(total),
    barcodes: lines.filter(isBarcode).map(({ text: barcode = '' }) => barcode),
    moments: lines.flatMap(({ type, timestamp }) => (type === 'date' ? [timestamp] : [])),
  };
}

function elementsIn(block: unknown): readonly Element[] {
  const { type, elements = [] } = block as { type: string; elements?: { elements?: Element[] }[] };
  return type === 'rich_text' ? elements.flatMap((each) => each.elements ?? []) : [];
}
