/** The headlines of cards, shared cards and lookup pages, a row for each state of a barcode. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Headline, headlineOf } from '../../src/lookup/index.js';
import type { DatabaseFinding, Fact, Lookup, Validator } from '../../src/lookup/types.js';
import type { SeenScan } from '../../src/scans/seen-scan.js';
import { type Ages, certain, withAges } from './ages.js';

const noon = Date.UTC(2026, 2, 1, 12);
const minutes = (count: number) => count * 60_000;

const database = (id: string) => ({ id, name: `Database ${id}` });
const valid = (id = '1', response = ''): DatabaseFinding => ({
  ...{ kind: 'known', database: database(id), value: 'A', valid: true, response, ...certain(noon) },
});
const invalid = (id = '1', response = ''): DatabaseFinding => ({
  ...{ kind: 'known', database: database(id), value: 'A', valid: false, response, ...certain(noon) },
});
const absent = (id = '1'): DatabaseFinding => ({
  ...{ kind: 'unknown', database: database(id), similar: [], ...certain(noon) },
});
const failed = (id = '1'): DatabaseFinding => ({
  ...{ kind: 'failed', database: database(id), at: noon, whole: false, source: 'account' },
  failure: { code: 'account.slow' },
});

const service = (id: string, more: Partial<Validator> = {}): Validator => ({
  ...{ relay: false, id, name: `Service ${id}`, databaseIds: ['1'], serviceIds: [id] },
  ...more,
});
const relay = (id: string, more: Partial<Validator> = {}): Validator => ({
  ...{ relay: true, id, name: `Relay ${id}`, databaseIds: ['1'], serviceIds: [] },
  ...more,
});
const gateA = service('a', { once: {} });
const gateB = service('b', { once: {} });
const shop = service('shop');
/** A service that records scans and checks nothing. */
const count = service('count', { databaseIds: [], receives: true });

/** A scan at a service. A history lists the newest first. */
const scan = (
  serviceId: string,
  status: SeenScan['status'],
  minutesAgo = 5,
  more: Partial<SeenScan> = {},
): SeenScan => ({
  id: `${serviceId} ${minutesAgo}`,
  source: 'account',
  value: 'A',
  status,
  result: '',
  at: noon - minutes(minutesAgo),
  atText: '',
  service: { id: serviceId, name: `Service ${serviceId}` },
  device: { id: 'd', name: 'Phone' },
  user: { id: 'u', name: 'anna' },
  answers: [],
  ...more,
});
const byRelay = (id: string, status: SeenScan['status'], minutesAgo = 5): SeenScan =>
  scan('direct', status, minutesAgo, { source: 'relay', validatedBy: id });

const summary = { read: 0, total: 0, exact: true, valid: 0, invalid: 0 };
const read = (...scans: SeenScan[]): Lookup['history'] => ({
  ...{ kind: 'read', scans, summary, more: false, ...certain(noon) },
});
const firstOf = (...scans: SeenScan[]): Lookup['history'] => ({
  ...{ kind: 'read', scans, summary, more: true, ...certain(noon), whole: false },
});
const unread = (...scans: SeenScan[]): Lookup['history'] => ({
  ...{ kind: 'failed', scans, ...certain(noon), whole: false, failure: { code: 'account.slow' } },
});

type Facts = Parameters<typeof headlineOf>[0];
const notRead: Fact = { ...certain(noon), whole: false, failure: { code: 'account.slow' } };

const facts = (findings: readonly DatabaseFinding[], more: Partial<Facts> = {}): Facts => ({
  ...{ value: 'T-1', findings, notAsked: [], history: read(), gates: [gateA, gateB, shop, count], askedAt: noon },
  lists: { databases: certain(noon), services: certain(noon) },
  ...more,
});

type Row = readonly [what: string, title: string, tone: Headline['tone'], facts: Facts, notes?: readonly string[]];

const longAgo = noon - minutes(500_000);
/** A relay that admitted the barcode by a scan that is not kept. */
const admittedBy = (more: Partial<Validator> = {}): Validator =>
  relay('r', { once: {}, thrownAway: { admittedAt: longAgo }, ...more });

const thrownAway: readonly Row[] = [
  [
    'admitted once by a deleted scan',
    'Already used',
    'bad',
    facts([valid()], { gates: [admittedBy()] }),
    ['The scan itself has been deleted.'],
  ],
  [
    'admitted once by a deleted scan, refused since',
    'Already used',
    'bad',
    facts([valid()], { history: read(byRelay('r', 'invalid')), gates: [admittedBy()] }),
    ['The scan itself has been deleted.'],
  ],
  [
    'admitted once by a deleted scan, scans unread',
    'Already used',
    'bad',
    facts([valid()], { history: unread(), gates: [admittedBy()] }),
  ],
  [
    'admitted by a deleted scan within the time limit, and by a stored scan before the limit',
    'Already used',
    'bad',
    facts([valid()], {
      history: read(byRelay('r', 'valid', 50)),
      gates: [admittedBy({ once: { withinMinutes: 30 }, thrownAway: { admittedAt: noon - minutes(29) } })],
    }),
  ],
  [
    'admitted by a deleted scan before the time limit',
    'Valid, scanned before',
    'good',
    facts([valid()], { gates: [admittedBy({ once: { withinMinutes: 30 } })] }),
  ],
  [
    'admitted by a deleted scan where a barcode may be admitted again',
    'Valid, scanned before',
    'good',
    facts([valid()], { gates: [admittedBy({ once: undefined })] }),
  ],
  [
    'deleted scans that nobody counted',
    'Valid, history incomplete',
    'unsure',
    facts([valid()], { gates: [admittedBy({ thrownAway: {} })] }),
    ['Older scans are no longer stored.'],
  ],
  [
    'deleted scans that nobody counted, and an admission at another service',
    'Valid, scanned before',
    'unsure',
    facts([valid()], { history: read(scan('shop', 'valid')), gates: [shop, admittedBy({ thrownAway: {} })] }),
    ['Older scans are no longer stored.'],
  ],
  [
    'admitted by a deleted scan at a relay of another database',
    'Valid, scanned at Relay r, which checks 2',
    'unsure',
    facts([valid()], { gates: [admittedBy({ databaseIds: ['2'] })] }),
  ],
];

const notChecked: readonly Row[] = [
  ['a database gave no answer', 'Not checked: Database 1 could not be searched', 'unsure', facts([failed()])],
  [
    'two databases gave no answer',
    'Not checked: 2 databases could not be searched',
    'unsure',
    facts([failed('1'), failed('2')]),
  ],
  [
    'valid in one database, no answer of another database',
    'Not checked: Database 2 could not be searched',
    'unsure',
    facts([valid(), failed('2')]),
  ],
  [
    'absent from one database, no answer of another database',
    'Not checked: Database 2 could not be searched',
    'unsure',
    facts([absent(), failed('2')]),
  ],
  [
    'the databases could not be listed',
    'Not checked: the account’s databases could not be listed',
    'unsure',
    facts([], { lists: { databases: notRead }, notAsked: undefined }),
  ],
  [
    'valid, scans unread',
    'Not checked: its scans could not be loaded',
    'unsure',
    facts([valid()], { history: unread() }),
  ],
  [
    'services unread, one of which may have checked a scan',
    'Valid, scanned once, not confirmed',
    'unsure',
    facts([valid()], { gates: [], lists: { services: notRead }, history: read(scan('a', 'valid')) }),
  ],
];

/** Rows of which a part failed that cannot change the headline. */
const notChanged: readonly Row[] = [
  ['not valid in one database, no answer of another database', 'Not valid', 'bad', facts([invalid(), failed('2')])],
  [
    'two databases disagree, no answer of a third database',
    'Valid in Database 1, not valid in Database 2',
    'unsure',
    facts([valid('1'), invalid('2'), failed('3')]),
  ],
  [
    'already used, no answer of another database',
    'Already used at Service a',
    'bad',
    facts([valid(), failed('2')], { history: read(scan('a', 'valid')) }),
  ],
  ['not valid, scans unread', 'Not valid: Refunded', 'bad', facts([invalid('1', 'Refunded')], { history: unread() })],
  ['in no database, scans unread', 'Unknown: not in Database 1', 'unknown', facts([absent()], { history: unread() })],
  [
    'admitted once by a relay, the account’s scans unread',
    'Already used',
    'bad',
    facts([valid()], { history: unread(byRelay('r', 'valid')), gates: [relay('r', { once: {} })] }),
    [],
  ],
  [
    'services unread, no scan that one can have checked',
    'Valid, no admission on record',
    'good',
    facts([valid()], { gates: [], lists: { services: notRead }, history: read(scan('a', 'not_validated')) }),
  ],
];

const ofDatabases: readonly Row[] = [
  [
    'two databases disagree',
    'Valid in Database 1, not valid in Database 2',
    'unsure',
    facts([valid('1'), invalid('2')]),
  ],
  [
    'three databases disagree',
    'Valid in 2 databases, not valid in Database 3',
    'unsure',
    facts([valid('1'), valid('2'), invalid('3'), absent('4')]),
  ],
  [
    'two databases disagree about a used barcode',
    'Valid in Database 1, not valid in Database 2',
    'unsure',
    facts([valid('1'), invalid('2')], { history: read(scan('a', 'valid')) }),
  ],
  ['not valid', 'Not valid', 'bad', facts([invalid()])],
  [
    'not valid, with a response',
    'Not valid: Refunded on Monday',
    'bad',
    facts([invalid('1', 'Refunded\non Monday'), absent('2')]),
  ],
  ['not valid, and admitted', 'Not valid', 'bad', facts([invalid()], { history: read(scan('a', 'valid')) })],
];

const used: readonly Row[] = [
  ['admitted once', 'Already used', 'bad', facts([valid()], { history: read(scan('a', 'valid')), gates: [gateA] }), []],
  [
    'admitted once, refused three times since',
    'Already used',
    'bad',
    facts([valid()], {
      history: read(
        scan('a', 'invalid', 1),
        scan('a', 'invalid', 2),
        scan('a', 'invalid', 3),
        scan('a', 'valid', 4),
        scan('a', 'invalid', 5),
      ),
      gates: [gateA],
    }),
    [],
  ],
  [
    'admitted once at a service, another service still admits',
    'Already used at Service a',
    'bad',
    facts([valid()], { history: read(scan('a', 'invalid', 1), scan('a', 'valid')) }),
    ['Not used yet at Service b.'],
  ],
  [
    'admitted once at both services',
    'Already used',
    'bad',
    facts([valid()], { history: read(scan('a', 'valid'), scan('b', 'valid', 9)) }),
    [],
  ],
  [
    'admitted once at a service, older scans unread',
    'Already used',
    'bad',
    facts([valid()], { history: firstOf(scan('a', 'valid')) }),
    [],
  ],
  [
    'admitted once at a service, another checks another database',
    'Already used',
    'bad',
    facts([valid()], {
      history: read(scan('a', 'valid')),
      gates: [gateA, service('c', { databaseIds: ['2'], once: {} })],
    }),
    [],
  ],
  [
    'admitted once, and then where a barcode may be admitted again',
    'Already used',
    'bad',
    facts([valid()], { history: read(scan('shop', 'valid', 1), scan('a', 'valid')), gates: [gateA, shop] }),
    [],
  ],
  [
    'admitted once by a relay without a time limit',
    'Already used',
    'bad',
    facts([valid()], { history: read(byRelay('r', 'valid', 500_000)), gates: [relay('r', { once: {} })] }),
    [],
  ],
  [
    'admitted by a relay within its time limit',
    'Already used',
    'bad',
    facts([valid()], {
      history: read(byRelay('r', 'valid', 29)),
      gates: [relay('r', { once: { withinMinutes: 30 } })],
    }),
    [],
  ],
  [
    'admitted once by a relay, as the account recorded',
    'Already used',
    'bad',
    facts([valid()], {
      history: read(scan('lounge', 'valid')),
      gates: [relay('r', { once: {}, serviceIds: ['lounge'] })],
    }),
    [],
  ],
  [
    'admitted once at a service, a relay still admits',
    'Already used at Service a',
    'bad',
    facts([valid()], { history: read(scan('a', 'valid')), gates: [gateA, relay('r', { once: {} })] }),
    ['Not used yet at Relay r.'],
  ],
];

const lastOf: readonly Row[] = [
  [
    'refused by the latest scan',
    'Valid in the database, last scan not valid: Not found',
    'unsure',
    facts([valid()], { history: read(scan('a', 'invalid', 1, { result: 'Not found' })) }),
  ],
  [
    'admitted where a barcode may be admitted again, then refused',
    'Valid in the database, last scan not valid',
    'unsure',
    facts([valid()], { history: read(scan('a', 'invalid', 1), scan('shop', 'valid')) }),
  ],
  [
    'refused, and not checked by a later scan',
    'Valid in the database, last scan not valid',
    'unsure',
    facts([valid()], {
      history: read(scan('a', 'not_validated', 1), scan('count', 'valid', 2), scan('a', 'invalid', 3)),
    }),
  ],
  [
    'admitted where a barcode may be admitted again',
    'Valid, scanned once',
    'good',
    facts([valid()], { history: read(scan('shop', 'valid')) }),
  ],
  [
    'refused, and then admitted where a barcode may be admitted again',
    'Valid, scanned 3 times',
    'good',
    facts([valid()], { history: read(scan('shop', 'valid'), scan('shop', 'valid', 6), scan('a', 'invalid', 7)) }),
  ],
  [
    'admitted by a relay before its time limit',
    'Valid, scanned once',
    'good',
    facts([valid()], {
      history: read(byRelay('r', 'valid', 31)),
      gates: [relay('r', { once: { withinMinutes: 30 } })],
    }),
  ],
  [
    'admitted at the only service, which admits again, older scans unread',
    'Valid, scanned before',
    'good',
    facts([valid()], { history: firstOf(scan('shop', 'valid')), gates: [shop] }),
  ],
  [
    'admitted at a service that admits again, older scans at other services unread',
    'Valid, scanned before',
    'unsure',
    facts([valid()], { history: firstOf(scan('shop', 'valid'), scan('shop', 'valid', 6)) }),
    ['Only the last 2 scans were loaded.'],
  ],
];

const unscanned: readonly Row[] = [
  ['never scanned', 'Valid, no admission on record', 'good', facts([valid(), absent('2')])],
  [
    'scanned, and the scan could not be checked',
    'Valid, no admission on record',
    'good',
    facts([valid()], { history: read(scan('a', 'not_validated')) }),
  ],
  [
    'scanned where nothing is checked',
    'Valid, no admission on record',
    'good',
    facts([valid()], { history: read(scan('count', 'valid')) }),
  ],
  [
    'admitted where another database is checked now',
    'Valid, scanned at Service c, which checks 2',
    'unsure',
    facts([valid()], { history: read(scan('c', 'valid')), gates: [service('c', { databaseIds: ['2'], once: {} })] }),
  ],
  [
    'admitted by a relay that nobody knows any more',
    'Valid, scanned at Service direct, which isn’t among the account’s services',
    'unsure',
    facts([valid()], { history: read(byRelay('list', 'valid')) }),
  ],
  [
    'scanned with an unknown status',
    'Valid, scanned at Service a, with a result that isn’t known',
    'unsure',
    facts([valid()], { history: read(scan('a', 'other')) }),
  ],
  [
    'recorded with an unknown status, where nothing is checked',
    'Valid, no admission on record',
    'good',
    facts([valid()], { history: read(scan('count', 'other')) }),
  ],
  [
    'admitted at a service that the account does not list',
    'Valid, scanned at Service gone, which isn’t among the account’s services',
    'unsure',
    facts([valid()], { history: read(scan('gone', 'valid')) }),
  ],
  [
    'older scans unread',
    'Valid, history incomplete',
    'unsure',
    facts([valid()], { history: firstOf(scan('count', 'valid')) }),
    ['Only the last scan was loaded.'],
  ],
];

const nowhere: readonly Row[] = [
  [
    'in none of the account’s databases',
    'Unknown: not in Database 1 or Database 2',
    'unknown',
    facts([absent('1'), absent('2')]),
  ],
  ['not in the only database', 'Unknown: not in Database 1', 'unknown', facts([absent()])],
  [
    'in none of the searched databases',
    'Unknown: not in Database 1 or Database 2, the only databases searched',
    'unknown',
    facts([absent('1'), absent('2')], { notAsked: [database('3')] }),
  ],
  [
    'not in the one searched database',
    'Unknown: not in Database 1, the only database searched',
    'unknown',
    facts([absent()], { notAsked: undefined }),
  ],
  [
    'none of the chosen databases is left',
    'Not checked: no database was searched',
    'unsure',
    facts([], { notAsked: [database('3')] }),
    [
      'The databases chosen for lookups are no longer in the account. An admin can choose others with /scandesk connect.',
    ],
  ],
  [
    'an account without databases',
    'Not checked: no database was searched',
    'unsure',
    facts([]),
    ['The account has no databases.'],
  ],
];

const ago = (count: number) => noon - minutes(count);
/** Facts with the ages of values and scans, in minutes. */
const aged = (given: Facts, values: number, scans = 0, more: Ages = {}): Facts =>
  withAges(given, { values: ago(values), scans: ago(scans), ...more });
const copied = (finding: DatabaseFinding, minutesAgo: number): DatabaseFinding => ({
  ...(finding as Extract<DatabaseFinding, { kind: 'unknown' }>),
  ...{ source: 'copy', at: ago(minutesAgo) },
});
const scanned = { history: read(scan('shop', 'valid')), gates: [shop] };
const why = { code: 'account.unreachable' } as const;

const ofAge: readonly Row[] = [
  ['scanned, as of now', 'Valid, scanned once', 'good', aged(facts([valid()], scanned), 0)],
  ['scanned, as of 14 minutes ago', 'Valid, scanned once', 'good', aged(facts([valid()], scanned), 14)],
  [
    'scanned, as of 14 minutes ago, and the account does not answer',
    'Valid, scanned once',
    'good',
    aged(facts([valid()], scanned), 14, 0, { why }),
  ],
  ['scanned, as of 15 minutes ago', 'Valid, not confirmed', 'unsure', aged(facts([valid()], scanned), 15)],
  ['scanned, history as of 15 minutes ago', 'Valid, not confirmed', 'unsure', aged(facts([valid()], scanned), 0, 15)],
  [
    'scanned, and perhaps deleted from its database since',
    'Valid, not confirmed',
    'unsure',
    aged(facts([valid()], scanned), 1, 0, { why, doubtful: true }),
  ],
  [
    'scanned, as of 20 minutes ago, where 30 minutes are allowed',
    'Valid, scanned once',
    'good',
    aged(facts([valid()], scanned), 20, 0, { greenMs: minutes(30) }),
  ],
  [
    'scanned, as of 5 minutes ago, where less than 5 minutes are required',
    'Valid, not confirmed',
    'unsure',
    aged(facts([valid()], scanned), 5, 0, { greenMs: minutes(5) }),
  ],
  ['never scanned, confirmed', 'Valid, no admission on record', 'good', aged(facts([valid()]), -0.01, -0.01)],
  [
    'never scanned, and nothing confirmed by the account',
    'Valid, no admission in 90 days',
    'unsure',
    aged(facts([valid()]), 3, 0, { why, scanDays: 90 }),
  ],
  [
    'never scanned, as of three days ago',
    'Valid, not confirmed',
    'unsure',
    aged(facts([valid()]), 71 * 60, 0, { why, scanDays: 90 }),
  ],
  [
    'history incomplete, as of an hour ago',
    'Valid, not confirmed',
    'unsure',
    aged(facts([valid()], { history: firstOf(scan('count', 'valid')) }), 60),
    ['Only the last scan was loaded.'],
  ],
  [
    'used, as of three days ago',
    'Already used at Service a',
    'bad',
    aged(facts([valid()], { history: read(scan('a', 'valid')) }), 4_000),
  ],
  ['not valid, as of three days ago', 'Not valid', 'bad', aged(facts([invalid()]), 4_000)],
  [
    'in no copy, and the account does not answer',
    'Not checked: 2 databases could not be searched',
    'unsure',
    facts([copied(failed('1'), 1), copied(failed('2'), 1)]),
  ],
  [
    'in no copy of 14 minutes ago',
    'Unknown: not in Database 1 or Database 2',
    'unknown',
    aged(facts([copied(absent('1'), 14), absent('2')]), 14),
  ],
  [
    'in no copy of 15 minutes ago',
    'Not checked: the copy of the account is too old',
    'unsure',
    aged(facts([copied(absent('1'), 15), absent('2')]), 15),
  ],
];

describe('the headline', () => {
  it.each([
    ...[
      ...[...notChecked, ...notChanged, ...ofDatabases, ...used, ...lastOf, ...unscanned, ...thrownAway],
      ...[...nowhere, ...ofAge],
    ].map(([what, title, tone, given, notes]) => ({ what, title, tone, given, notes })),
  ])('the headline for “$what” is “$title”', ({ title, tone, given, notes }) => {
    const headline = headlineOf(given);
    expect([headline.title, headline.tone]).toEqual([title, tone]);
    expect(headline.notes).toEqual(notes ?? headline.notes);
  });

  it('a headline names the scan that decides it: the latest counted admission, the refusal, or the last scan', () => {
    const admitted = scan('a', 'valid', 4);
    const refused = scan('a', 'invalid', 1);
    const shopped = scan('shop', 'valid', 1);
    const of = (...scans: SeenScan[]) => headlineOf(facts([valid()], { history: read(...scans) })).scan;
    expect(of(refused, admitted, scan('b', 'valid', 9))).toEqual({ label: 'Admitted', scan: admitted });
    expect(of(shopped, admitted)).toEqual({ label: 'Admitted', scan: admitted });
    expect(of(refused, shopped)).toEqual({ label: 'Not valid', scan: refused });
    expect(of(shopped)).toEqual({ label: 'Last scan', scan: shopped });
    expect(of()).toBeUndefined();
    const { label, scan: gone } = headlineOf(facts([valid()], { gates: [admittedBy()] })).scan ?? {};
    expect([label, gone?.at, gone?.service.name, gone?.user.name]).toEqual(['Admitted', longAgo, 'Relay r', '']);
    const kept = byRelay('r', 'valid');
    const both = facts([valid()], { history: read(kept), gates: [admittedBy()] });
    expect(headlineOf(both).scan).toEqual({ label: 'Admitted', scan: kept });
  });

  const anyFinding = fc.constantFrom(valid('1'), valid('2'), invalid('1'), absent('3'), failed('4'));
  const anyScan = fc
    .tuple(
      fc.constantFrom('a', 'b', 'shop', 'count'),
      fc.constantFrom<SeenScan['status']>('valid', 'invalid', 'not_validated', 'other'),
    )
    .map(([at, status]) => scan(at, status));
  const anyHistory = fc
    .tuple(fc.array(anyScan), fc.constantFrom(read, firstOf, unread))
    .map(([scans, kind]) => kind(...scans));

  it('a headline says “used” for a barcode that a relay admitted without a check', () => {
    const admitted = { ...byRelay('r', 'not_validated'), admitted: true as const };
    const { kind, scan } = headlineOf(facts([valid()], { history: read(admitted), gates: [relay('r', { once: {} })] }));
    expect([kind, scan?.label]).toEqual(['used', 'Admitted']);
  });

  it('a headline has no tick for an admitted barcode that may be admitted only once', () => {
    fc.assert(
      fc.property(fc.array(anyFinding), anyHistory, (findings, history) => {
        const admitted = history.scans.some(
          ({ service: { id }, status }) => ['a', 'b'].includes(id) && status === 'valid',
        );
        const { tone } = headlineOf(facts(findings, { history }));
        expect(tone === 'good' && admitted && findings.some((f) => f.kind === 'known' && f.database.id === '1')).toBe(
          false,
        );
      }),
    );
  });

  it('a headline has a tick only if every database answered, one says valid and none says not valid', () => {
    fc.assert(
      fc.property(fc.array(anyFinding), anyHistory, (findings, history) => {
        const kinds = findings.map((f) => (f.kind === 'known' ? f.valid : f.kind));
        const sure = kinds.includes(true) && !kinds.includes(false) && !kinds.includes('failed');
        expect(headlineOf(facts(findings, { history })).tone === 'good' && !sure).toBe(false);
      }),
    );
  });

  it('a headline has a tick only where its answers are younger than 15 minutes and not doubtful', () => {
    const anyAge = fc.record({
      values: fc.integer({ min: -1, max: 40 }).map(ago),
      scans: fc.integer({ min: -1, max: 40 }).map(ago),
      why: fc.constantFrom(why, undefined),
      doubtful: fc.boolean(),
    });
    const anyFindings = fc.oneof(fc.array(anyFinding), fc.constantFrom([valid('1')], [valid('1'), absent('3')]));
    const anyShort = fc.oneof(anyHistory, fc.constantFrom(read(), read(scan('shop', 'valid'))));
    let ticks = 0;
    fc.assert(
      fc.property(anyFindings, anyShort, anyAge, (findings, history, asOf) => {
        const headline = headlineOf(withAges(facts(findings, { history }), asOf));
        const isYoung = noon - Math.min(asOf.values, asOf.scans) < minutes(15);
        ticks += headline.tone === 'good' ? 1 : 0;
        expect(headline.tone === 'good' && !(isYoung && !asOf.doubtful)).toBe(false);
        // What a scan refuses is known since then.
        expect([undefined, asOf.values, asOf.scans, headline.scan?.scan.at]).toContain(headline.dated?.at);
      }),
      { numRuns: 2_000 },
    );
    expect(ticks).toBeGreaterThan(10);
  });

  it('a headline that depends on the copy names the time of the copy', () => {
    const { dated } = headlineOf(aged(facts([valid()], scanned), 71 * 60));
    expect(dated).toEqual({ before: 'Valid ', at: ago(71 * 60), after: ', not confirmed' });
    const nowhereCopied = headlineOf(aged(facts([copied(absent('1'), 20), copied(absent('2'), 30)]), 30));
    expect(nowhereCopied.dated).toEqual({
      ...{ before: 'Not checked: not in the copy of the account ', at: ago(30), after: '' },
    });
  });

  it('a headline says “unknown” exactly where every searched database lacks the barcode', () => {
    fc.assert(
      fc.property(fc.array(anyFinding), anyHistory, (findings, history) => {
        const nothing = findings.length > 0 && findings.every(({ kind }) => kind === 'unknown');
        expect(headlineOf(facts(findings, { history })).kind === 'unknown').toBe(nothing);
      }),
    );
  });
});

describe('a headline where a database may mean another spelling', () => {
  const known = (value: string, valid: boolean): DatabaseFinding => ({
    ...{ kind: 'known', database: database('1'), value, valid, response: '', ...certain(noon) },
  });

  it.each([true, false])(
    'a headline says “not sure” where a database has only another spelling of the barcode (valid: %s)',
    (valid) => {
      for (const [asked, held] of [
        ['STRASSE-1', 'STRAßE-1'],
        ['STRAßE-1', 'STRASSE-1'],
      ] as const) {
        expect(headlineOf(facts([known(held, valid)], { value: asked }))).toMatchObject({
          ...{ kind: 'not_checked', tone: 'unsure', title: `Not sure: Database 1 spells it “${held}”` },
        });
      }
    },
  );

  it('a headline says “not sure” where only scans in another spelling would decide the headline', () => {
    const of = (...scans: SeenScan[]) =>
      headlineOf(facts([known('STRASSE-1', true)], { value: 'STRASSE-1', history: read(...scans) }));
    const spelled = (value: string, ...rest: Parameters<typeof scan>) => scan(rest[0], rest[1], rest[2], { value });
    const others = [spelled('STRAßE-1', 'a', 'valid', 5)];
    expect(of(...others)).toMatchObject({
      ...{ kind: 'not_checked', tone: 'unsure', title: 'Not sure: it was scanned as “STRAßE-1”' },
    });
    for (const [status, kind] of [
      ['valid', 'used'],
      ['invalid', 'refused'],
    ] as const) {
      expect(of(spelled('strasse-1', 'a', status, 2)).kind).toBe(kind);
    }
    expect(of(spelled('STRASSE-1', 'a', 'valid', 2), ...others)).toMatchObject({
      ...{ kind: 'used', scan: { scan: { value: 'STRASSE-1' } } },
    });
  });

  it('a headline treats the exact spelling, and a spelling in another case, as sure', () => {
    expect(headlineOf(facts([known('STRAßE-1', true)], { value: 'STRAßE-1' })).tone).toBe('good');
    expect(headlineOf(facts([known('straße-1', false)], { value: 'STRAßE-1' })).tone).toBe('bad');
  });
});
