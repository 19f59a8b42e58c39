import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import type { CountedHour } from '../../../src/lookup/index.js';
import type { PlaceList } from '../../../src/places/index.js';
import { defaultSettings } from '../../../src/relay/record/settings.js';
import type { RelayState, Watch } from '../../../src/relay/relays/types.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { createTotals } from '../../../src/search/totals.js';
import type { RequiredRole } from '../../../src/slack/bolt/people/permissions.js';
import type { HomeFacts, OpenAlert } from '../../../src/slack/home/facts.js';
import { homeView } from '../../../src/slack/home/home-view.js';
import type { LentThing } from '../../../src/slack/lent/things.js';
import type { ListedReport } from '../../../src/slack/reports/list-view.js';
import { resultsMessage } from '../../../src/slack/scans/results-message.js';
import type { SearchRecord } from '../../../src/slack/scans/search-record.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { drawMrkdwn } from '../mrkdwn.js';

const hourMs = 60 * 60_000;
const midnight = Date.UTC(2026, 2, 1, 23);
const nasty = '<!channel> *A* :100: <https://evil.example|x> `c` &amp; \u202e';

const hour = (n: number, results: Partial<CountedHour['results']>): CountedHour => ({
  from: midnight + n * hourMs,
  results: { valid: 0, used: 0, invalid: 0, unchecked: 0, ...results },
});

const relay = (id: string, more: Partial<RelayState> = {}, name = 'Main gate'): RelayState => ({
  relay: {
    ...{ id, owner: { installation: 'T1', team: 'T1' }, serviceIds: [], serviceName: name, channel: 'C0GATE' },
    ...{ notable: 'all', settings: defaultSettings, createdBy: 'U1', createdAt: 1 },
  },
  ...{ secrets: [{ id: 's', createdAt: 1 }], pending: 0, dead: 0, scans: 3, lastScanAt: midnight },
  blocked: [],
  refused: [],
  ...more,
});

const watch = (id: string, value = 'HLF-1'): Watch => ({
  ...{ id, value, channel: 'C0GATE', who: 'U1', madeAt: 1, until: midnight },
});

const connected: HomeFacts['status'] = {
  connection: { connectedBy: 'U1', connectedAt: midnight },
  ...{ chosenDatabases: undefined, databaseCount: 3, callsLeft: undefined, key: 'accepted', problem: undefined },
  relays: { total: 1, paused: 0, blocked: 0, pending: 0, notDelivered: 2 },
  managers: { users: ['U0MIA'], groups: ['S0GATE'] },
};

function facts(role: RequiredRole, more: Partial<HomeFacts> = {}): HomeFacts {
  return {
    ...{ role, reader: 'U0ADA', status: connected, recent: [{ value: 'HLF-1', kind: 'used', at: midnight }] },
    today: { hours: [hour(0, { valid: 2, used: 1 })], zone: 'Europe/Berlin', isOwnZone: true, askedAt: midnight },
    relays: [relay('r1'), relay('r2', { dead: 2 }, 'Back door')],
    watches: [watch('w1')],
    ...(role === 'admin'
      ? { audit: [{ who: 'U1', what: 'workspace/connect', where: 'C1', at: midnight, outcome: 'ok', detail: {} }] }
      : {}),
    ...more,
  };
}

const buttonsOf = (view: object) =>
  new Set([...JSON.stringify(view).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id!));
const isTaken = (view: object) => expect(checkView(view, systemRandom)).toMatchObject({ ok: true });

describe('what App Home offers', () => {
  const forAll = [
    'home.lookup',
    'home.lookup.button',
    'home.search',
    'lookup.recent',
    'status.open',
    'watch.stop',
    'help.all',
  ];
  const forManagers = ['connect.open', 'relay.manage', 'relay.replay', 'relay.list', 'relay.new'];
  const forAdmins = ['access.open', 'audit.open'];
  test.each([
    ['everyone', forAll, [...forManagers, ...forAdmins]],
    ['manager', [...forAll, ...forManagers], forAdmins],
    ['admin', [...forAll, ...forManagers, ...forAdmins], []],
  ] as const)('App Home shows the buttons for the role %s, and no buttons of higher roles', (role, has, lacks) => {
    const view = homeView(facts(role));
    isTaken(view);
    const buttons = buttonsOf(view);
    for (const id of has) expect(buttons).toContain(id);
    for (const id of lacks) expect(buttons).not.toContain(id);
    expect(read(view.blocks).includes('Last changes')).toBe(role === 'admin');
    expect(JSON.stringify(view)).not.toContain('/relay/');
  });

  test.each(['everyone', 'manager', 'admin'] as const)(
    'App Home says that no account is connected, with a button to connect if the role %s may do so',
    (role) => {
      const status = {
        ...connected,
        connection: undefined,
        relays: { total: 0, paused: 0, blocked: 0, pending: 0, notDelivered: 0 },
      };
      const view = homeView(facts(role, { status, relays: [], watches: [], recent: [] }));
      isTaken(view);
      const text = read(view.blocks);
      expect(text).toContain('No scanning account is connected yet');
      expect(text).not.toMatch(/Today|Relays|watches/);
      expect(buttonsOf(view)).not.toContain('home.lookup');
      expect(buttonsOf(view).has('connect.open')).toBe(role !== 'everyone');
    },
  );
});

describe('today’s scans', () => {
  const todayText = (hours: readonly CountedHour[], isOwnZone = true, copy?: { at: number; since: number }) => {
    const today = { hours, zone: 'Europe/Berlin', isOwnZone, askedAt: midnight + 5 * hourMs, copy };
    return read(homeView(facts('everyone', { today })).blocks);
  };

  test('today’s scans are counted by result, with a bar for each hour in the reader’s zone', () => {
    const text = todayText([
      hour(0, {}),
      hour(1, { valid: 4 }),
      hour(2, {}),
      hour(3, { valid: 1_200, used: 40, invalid: 8 }),
    ]);
    expect(text).toContain('Today · 1,252 scans');
    expect(text).toContain('✅ 1,204 valid   ⛔ 40 already used   ❌ 8 not valid');
    expect(text).toContain(`01:00 █ 4\n02:00 0\n03:00 ${'█'.repeat(16)} 1,248`);
    expect(text).not.toContain('00:00');
  });

  test.each([
    ['without a copy of the account', undefined],
    ['with a copy', { at: midnight + 2 * hourMs, since: midnight - hourMs }],
    ['with a copy that begins today', { at: midnight + 2 * hourMs, since: midnight + hourMs }],
  ])('today’s scans state their sources in the same words as search results do, %s', (_, copy) => {
    const askedAt = midnight + 5 * hourMs;
    const answer = {
      ...{ scans: [], totals: createTotals('hour', 'UTC').totals(), unit: 'hour' as const },
      ...{ span: { from: midnight }, askedAt, copy },
    };
    const record = { query: {}, zone: 'UTC', who: 'U1', at: askedAt, answer } as unknown as SearchRecord;
    const searched = read(resultsMessage({ record, answer, isFirst: true, chart: false }).blocks);
    const words = searched.match(/(?:As of|The account’s scans).*/g) ?? [];
    expect(words).toHaveLength(copy && copy.since > midnight ? 2 : 1);
    for (const line of words) {
      expect(todayText([hour(0, { valid: 1 })], true, copy)).toContain(line);
      expect(todayText([hour(0, {})], true, copy)).toContain(line);
    }
  });

  test('today’s scans name their time zone where it is not the reader’s', () => {
    expect(todayText([hour(0, { valid: 1 })], false)).toContain('Today (Europe/Berlin) · 1 scan');
  });

  test.each([
    [24, 12],
    [25, 9],
  ])('today’s scans of a day of %i hours are shown in %i bars, which together count every scan', (length, bars) => {
    const lines = todayText(Array.from({ length }, (_, n) => hour(n, { valid: n + 1 })))
      .split('\n')
      .filter((line) => line.includes('█'));
    expect(lines).toHaveLength(bars);
    const counted = lines.map((line) => Number(/█ (\d+)/.exec(line)?.[1]));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe((length * (length + 1)) / 2);
  });

  test('today’s bars share no label in the night in which clocks are set back', () => {
    // Europe/Berlin sets its clocks back on October 25, 2026 at 03:00.
    const from = Date.UTC(2026, 9, 24, 22);
    const hours = Array.from({ length: 5 }, (_, n) => ({ ...hour(0, { valid: 1 }), from: from + n * hourMs }));
    const labels = todayText(hours).match(/\d\d:\d\d \+\d\d:\d\d(?= █)/g);
    expect(labels).toEqual(['00:00 +02:00', '01:00 +02:00', '02:00 +02:00', '02:00 +01:00', '03:00 +01:00']);
  });

  test('today’s scans are left out while they are counted, and a day without scans shows “No scans yet”', () => {
    expect(read(homeView(facts('everyone', { today: undefined })).blocks)).not.toContain('Today');
    expect(todayText([hour(0, {})])).toContain('No scans yet');
  });
});

const thing = (value: string, more: Partial<LentThing> = {}): LentThing => ({
  ...{ list: { id: 'l1', name: 'Tools' } as LentThing['list'], holder: 'Sam', isMine: false, isOverdue: true },
  ...{
    asOf: midnight,
    place: { value, inside: false, at: midnight - hourMs, dueAt: midnight - 1 } as LentThing['place'],
  },
  ...more,
});
const alert = (kind: 'burst' | 'silence', more: object = {}) => ({
  incident: {
    postKey: `post-${kind}`,
    kind,
    scans: 12,
    beganAt: midnight,
    ...more,
  } as unknown as OpenAlert['incident'],
  relay: { serviceName: 'Gate B' },
  channel: 'C0GATE',
});

test('App Home names crossed thresholds and reports that are not posted first, and lists reports with their next time', () => {
  const report = (id: string, more: object = {}) =>
    ({ name: 'Main gate', report: { id, channel: 'C0GATE', dueAt: midnight, missed: 0, ...more } }) as ListedReport;
  const more: Partial<HomeFacts> = {
    crossed: [
      {
        list: { name: 'Main hall', settings: { capacity: 1_500 } } as PlaceList,
        threshold: { postKey: 'k', percent: 80, run: 'r', openedAt: midnight, inside: 1_210 },
      },
    ],
    reports: [
      report('a'),
      report('b', { paused: { why: 'channel_gone' } }),
      report('c', { paused: { why: 'person' } }),
    ],
  };
  const view = homeView(facts('manager', more));
  isTaken(view);
  const text = read(view.blocks);
  const order = [
    ...['Needs somebody', '⚠️ Main hall: 80% of 1,500 inside since', 'not acknowledged'],
    ...['📊 Daily report about Main gate: Paused: Scandesk can’t post', 'Today', 'Daily reports', 'next'],
  ];
  expect(order.map((part) => text.indexOf(part))).toEqual(
    order.map((part) => text.indexOf(part)).toSorted((one, other) => one - other),
  );
  expect(order.filter((part) => !text.includes(part))).toEqual([]);
  expect(text.match(/⏸ Paused/g)).toHaveLength(2);
  expect(buttonsOf(view)).toContain('reports.list');
  expect(buttonsOf(view)).toContain('post.acknowledge');
});

test('App Home says that what is lent to somebody is still being counted', () => {
  const counting = homeView(facts('everyone', { lent: [thing('DRILL-7', { isMine: true })], counting: true }));
  expect(read(counting.blocks)).toMatch(/Lent to you · still counting/);
  expect(read(homeView(facts('everyone', { lent: [], counting: false })).blocks)).not.toContain('Lent to you');
});

test('App Home begins with what needs somebody, and ends with settings', () => {
  const alerts = [alert('silence', { acknowledged: { by: 'U0MIA', at: midnight } }), alert('burst')];
  const view = homeView(facts('admin', { alerts, overdue: [thing('DRILL-7')] }));
  isTaken(view);
  const text = read(view.blocks);
  const order = [
    ...['Needs somebody', '12 scans not valid since', 'DRILL-7', 'Back door'],
    ...['Somebody else has these', 'No scan since', 'acknowledged by'],
    ...['Search scans', 'Recent lookups', 'Today', 'Main gate', 'My watches', 'Lookups search', 'Can change settings'],
    ...['Last changes', 'All commands'],
  ];
  const shown = order.map((words) => text.indexOf(words));
  expect(shown).not.toContain(-1);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(text.match(/Back door/g)).toHaveLength(1);
  expect(JSON.stringify(view.blocks).match(/"post.acknowledge"/g)).toHaveLength(1);
  expect(JSON.stringify(view.blocks).match(/"post.details"/g)).toHaveLength(2);
  // Relays are listed, and not counted once more beside the connection.
  expect(text).not.toContain('Relays: ');
  // Slack's own bar above the tab has the app's name.
  expect(view.blocks[0]?.type).not.toBe('header');
});

test('App Home has no section of what needs somebody where each alert is acknowledged or handed over', () => {
  const acknowledged = { by: 'U0MIA', at: midnight };
  const list = { name: 'Main hall', settings: { capacity: 1_500 } } as PlaceList;
  const threshold = { postKey: 'k', percent: 80, run: 'r', openedAt: midnight, inside: 1_210, acknowledged };
  const alerts = [alert('burst', { assigned: { to: 'U0BO' } as never })];
  const view = homeView(facts('admin', { relays: [relay('r1')], alerts, crossed: [{ list, threshold }] }));
  const text = read(view.blocks);
  expect(text).not.toContain('Needs somebody');
  expect(text).toMatch(/Somebody else has these.*with .*Main hall: 80% of 1,500 inside since.*acknowledged by/s);
  expect(JSON.stringify(view)).not.toContain('post.acknowledge');
});

test('App Home tells a reader which alerts they have themselves, acknowledged or handed over to them', () => {
  const byMia = { acknowledged: { by: 'U0MIA', at: midnight } };
  const alerts = [
    alert('burst', { ...byMia, assigned: { to: 'U0ADA' } as never, postKey: 'handed over to Ada' }),
    alert('silence', { ...byMia, postKey: 'acknowledged by Mia' }),
  ];
  const shown = (reader: string) => read(homeView(facts('admin', { reader, relays: [relay('r1')], alerts })).blocks);
  expect(shown('U0ADA')).toMatch(/You have these.*12 scans not valid.*Somebody else has these.*No scan since/s);
  expect(shown('U0MIA')).toMatch(/You have these.*No scan since.*Somebody else has these.*12 scans not valid/s);
  expect(shown('U0BO')).not.toContain('You have these');
});

test('App Home counts the alerts that somebody has and that it does not show', () => {
  const acknowledged = { by: 'U0MIA', at: midnight };
  const alerts = Array.from({ length: 7 }, (_, n) => alert('burst', { acknowledged, postKey: `post-${n}` }));
  const text = read(homeView(facts('admin', { relays: [relay('r1')], alerts })).blocks);
  expect(text.match(/acknowledged by/g)).toHaveLength(5);
  expect(text).toContain('And 2 more alerts.');
});

test('App Home has no section of what needs somebody where nothing does', () => {
  expect(read(homeView(facts('admin', { relays: [relay('r1')] })).blocks)).not.toContain('Needs somebody');
});

test('App Home says where all relays are if each of them needs somebody', () => {
  const text = read(homeView(facts('admin', { relays: [relay('r1', { dead: 2 })] })).blocks);
  expect(text).toContain('Needs somebody');
  expect(text).toContain('All need somebody: see above.');
});

test('a relay with a problem is listed before other relays in App Home', () => {
  const text = read(homeView(facts('manager')).blocks);
  expect(text.indexOf('Back door')).toBeLessThan(text.indexOf('Main gate'));
  expect(text).toContain('2 posts not delivered');
});

test('App Home shows names and barcodes letter by letter', () => {
  const view = homeView(
    facts('admin', {
      relays: [relay('r', { dead: 1 }, nasty)],
      watches: [watch('w', nasty)],
      recent: [{ value: nasty, kind: 'unknown', at: 1 }],
    }),
  );
  isTaken(view);
  for (const { how, text } of shownTexts(view.blocks)) {
    if (how === 'mrkdwn')
      expect(
        drawMrkdwn(text.replace(/<!date\^[^<>]*>/g, '')).more.filter((kind) => kind !== 'code'),
        text,
      ).toEqual([]);
  }
  expect(read(view.blocks)).toContain('<!channel> *A* :100:');
  expect(read(view.blocks)).not.toContain('\u202e');
});

test('App Home stays within Slack’s 100 blocks, however much it shows', () => {
  const many = <T>(make: (n: number) => T) => Array.from({ length: 60 }, (_, n) => make(n));
  const view = homeView(
    facts('admin', {
      relays: many((n) => relay(`r${n}`, { dead: n % 2 })),
      alerts: many((n) => alert('burst', { postKey: `p${n}` })),
      overdue: many((n) => thing(`T-${n}`)),
      watches: many((n) => watch(`w${n}`)),
      recent: many((n) => ({ value: `V-${n}`, kind: 'used', at: midnight })),
      status: { ...connected, managers: { users: many((n) => `U${n}`), groups: many((n) => `S${n}`) } },
      today: { hours: many((n) => hour(n, { valid: n })), zone: 'UTC', isOwnZone: true, askedAt: midnight },
    }),
  );
  isTaken(view);
  expect(view.blocks.length).toBeLessThan(100);
  expect(read(view.blocks)).toContain('And 55 more alerts, 55 more overdue things, 25 more relays.');
  expect(read(view.blocks)).toContain('And 25 more relays.');
});
