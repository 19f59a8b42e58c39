/** Sample lookups for result cards: small ones written by hand, hostile ones generated. */
import fc from 'fast-check';
import type { DatabaseFinding, Failure, Lookup, SeenScan } from '../../../src/lookup/index.js';
import { summarise } from '../../../src/lookup/summary.js';
import { isTooLong } from '../../../src/slack/lookup/parse-barcodes.js';
import { anyText } from '../../helpers/any-text.js';
import { type Ages, certain, withAges } from '../../lookup/ages.js';

export const noon = Date.UTC(2026, 2, 1, 12);

export const known = (name: string, valid: boolean, response = '', value = '00123'): DatabaseFinding => ({
  kind: 'known',
  database: { id: name, name },
  value,
  valid,
  response,
  ...certain(noon),
});
export const absent = (name: string, similar: string[] = []): DatabaseFinding => ({
  kind: 'unknown',
  database: { id: name, name },
  similar,
  ...certain(noon),
});
export const failed = (name: string, failure: Failure = { code: 'account.slow' }): DatabaseFinding => ({
  ...{ kind: 'failed', database: { id: name, name }, ...certain(noon), whole: false, failure },
});
export const unread = (failure: Failure, scans: readonly SeenScan[] = []): Lookup['history'] => ({
  ...{ kind: 'failed', scans, ...certain(noon), whole: false, failure },
});

export const scan = (more: Partial<SeenScan> = {}): SeenScan => ({
  id: '1',
  source: 'account',
  value: '00123',
  status: 'valid',
  result: 'Welcome',
  at: noon,
  atText: '2026-03-01 12:00:00',
  service: { id: '1', name: 'Main gate' },
  device: { id: '1', name: 'Scanner 3' },
  user: { id: '1', name: 'anna' },
  answers: [],
  ...more,
});

export function lookup(
  more: Partial<Lookup> & { scans?: readonly SeenScan[]; more?: boolean; asOf?: Ages | undefined } = {},
): Lookup {
  const { scans = [], more: others = false, asOf, ...fields } = more;
  const findings = fields.findings ?? [known('Tickets 2026', true, 'Welcome')];
  const notAsked = 'notAsked' in fields ? fields.notAsked : [];
  const made: Lookup = {
    value: '00123',
    spellings: [],
    askedAt: noon,
    findings,
    ...(notAsked ? { notAsked } : {}),
    history: {
      ...{ kind: 'read', scans, summary: summarise(scans, !others, undefined), more: others },
      ...{ ...certain(noon), whole: !others },
    },
    lists: {},
    gates: [{ relay: false, id: '1', name: 'Main gate', databaseIds: ['Tickets 2026'], serviceIds: ['1'], once: {} }],
    callsLeft: { minute: { left: 25, limit: 30, resetsAt: noon }, day: { resetsAt: noon } },
    cost: 2,
    ...fields,
  };
  return asOf ? withAges(made, asOf) : made;
}

/** Typical attempts to break formatting, mixed with arbitrary text. */
export const hostileText = (max: number) =>
  fc.oneof(
    fc.constantFrom(
      '<!channel>',
      '<@U123>',
      '<https://evil.example|Welcome>',
      'https://evil.example',
      '*bold* _it_ ~no~ `code` ```',
      ':100: 💯 👩‍👩‍👧',
      '&lt;!here&gt;',
      '> quote',
      'a\nb\r\nc\u2028d',
      '\u202egnp.exe',
      '\u0000\u0007\u001d',
      '@here #general',
      'x'.repeat(max),
      '\u00a0'.repeat(max),
      '\u202e'.repeat(max),
      '𝒳'.repeat(Math.floor(max / 2)),
    ),
    anyText({ maxLength: max }),
    fc.string({ unit: 'grapheme', maxLength: max }),
  );

const named = fc.record({ id: hostileText(10), name: hostileText(200) });
const failure = fc.record(
  { code: fc.constantFrom('account.slow' as const, 'account.refused' as const), apiText: hostileText(500) },
  { requiredKeys: ['code'] },
);
const barcode = hostileText(500).filter((value) => value !== '' && !isTooLong(value));

const always = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, fc.constant(one)])) as {
    [Name in keyof T]: fc.Arbitrary<T[Name]>;
  };

const anyFinding: fc.Arbitrary<DatabaseFinding> = fc.oneof(
  fc.record({
    kind: fc.constant('known' as const),
    database: named,
    value: barcode,
    valid: fc.boolean(),
    response: hostileText(3000),
    ...always(certain(noon)),
  }),
  fc.record({
    kind: fc.constant('unknown' as const),
    database: named,
    similar: fc.array(barcode, { maxLength: 5 }),
    ...always(certain(noon)),
  }),
  fc.record({ kind: fc.constant('failed' as const), database: named, failure, ...always(certain(noon)) }),
);

const anyScan: fc.Arbitrary<SeenScan> = fc.record(
  {
    id: fc.string(),
    source: fc.constantFrom('account' as const, 'relay' as const),
    value: barcode,
    status: fc.constantFrom('valid' as const, 'invalid' as const, 'not_validated' as const, 'other' as const),
    result: hostileText(3000),
    at: fc.integer({ min: 0, max: 4e12 }),
    atText: hostileText(50),
    service: named,
    device: named,
    user: named,
    answers: fc.array(fc.record({ question: hostileText(300), answer: hostileText(1000) }), { maxLength: 20 }),
    place: fc.constant({ latitude: 48.1, longitude: 11.5, text: '48.1, 11.5' }),
    validatedBy: fc.constant('r'),
  },
  { requiredKeys: ['source', 'value', 'status', 'result', 'atText', 'service', 'device', 'user', 'answers'] },
);

export const anyScans = (most: number) => fc.array(anyScan, { maxLength: most });

/** Gates of the lookup's own databases and services, so that its scans count. */
const anyGates = (findings: readonly DatabaseFinding[], scans: readonly SeenScan[]): fc.Arbitrary<Lookup['gates']> =>
  fc.array(
    fc.record(
      {
        relay: fc.boolean(),
        id: fc.constant('r'),
        name: hostileText(200),
        databaseIds: fc.constant(findings.map(({ database }) => database.id)),
        serviceIds: fc.constant(scans.map(({ service }) => service.id)),
        once: fc.constant({}),
      },
      { requiredKeys: ['relay', 'id', 'name', 'databaseIds', 'serviceIds'] },
    ),
    { maxLength: 5 },
  );

export const anyLookup: fc.Arbitrary<Lookup> = fc
  .record({
    value: barcode,
    findings: fc.array(anyFinding, { maxLength: 10 }),
    notAsked: fc.option(fc.array(named, { maxLength: 60 }), { nil: undefined }),
    scans: anyScans(50),
    more: fc.boolean(),
    historyFailed: fc.boolean(),
    why: failure,
  })
  .chain(({ historyFailed, why, ...fields }) =>
    anyGates(fields.findings, fields.scans).map((gates): Lookup => {
      const made = lookup({ ...fields, gates });
      return historyFailed ? { ...made, history: unread(why, fields.scans) } : made;
    }),
  );
