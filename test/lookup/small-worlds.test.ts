/**
 * Small worlds, by brute force: up to three scans at gates of every kind, and facts of every age. A naive law says what
 * is true in each combination of what is open, and which facts may be left unasked.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headlineOf } from '../../src/lookup/index.js';
import type { DatabaseFinding, Fact, Lookup, Validator } from '../../src/lookup/types.js';
import { verdictOf } from '../../src/lookup/verdict.js';
import { doubtsOf, questionsOf } from '../../src/lookup/worlds.js';
import type { SeenScan } from '../../src/scans/seen-scan.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { certain } from './ages.js';

const noon = Date.UTC(2026, 2, 1, 12);
const minuteMs = 60_000;
const greenMs = 15 * minuteMs;

const service = (id: string, more: Partial<Validator> = {}): Validator => ({
  ...{ relay: false, id, name: id, databaseIds: ['1'], serviceIds: [id] },
  ...more,
});
const relay = (id: string, more: Partial<Validator>): Validator =>
  service(id, { relay: true, serviceIds: [], ...more });

type Meaning = 'blocks' | 'admits' | 'elsewhere' | 'none';

/**
 * What a gate of each kind makes of an admission: `none` lets nobody in, `gone` is no gate that anybody knows. `was`: what
 * the service was when it made the scan, where that was seen.
 */
const gates: Record<string, { readonly gate?: Validator; readonly means: Meaning; readonly was?: SeenScan['was'] }> = {
  once: { gate: service('once', { once: {} }), means: 'blocks' },
  often: { gate: service('often'), means: 'admits' },
  other: { gate: service('other', { databaseIds: ['2'], once: {} }), means: 'elsewhere' },
  record: { gate: service('record', { databaseIds: [], receives: true }), means: 'none' },
  gone: { means: 'elsewhere' },
  recorded: { gate: service('recorded'), was: 'receipt', means: 'none' },
  checked: { gate: service('checked', { databaseIds: [], receives: true }), was: 'checked', means: 'elsewhere' },
  removedGate: { gate: service('removedGate', { removed: true }), was: 'checked', means: 'elsewhere' },
  removedRecord: { gate: service('removedRecord', { removed: true }), was: 'receipt', means: 'none' },
  full: { gate: relay('full', { once: {}, now: 'blocks' }), means: 'blocks' },
  roomy: { gate: relay('roomy', { once: {}, now: 'admits' }), means: 'admits' },
  list: { gate: relay('list', { databaseIds: [], now: 'blocks' }), means: 'blocks' },
  narrower: { gate: relay('narrower', { databaseIds: [], now: 'refuses' }), means: 'elsewhere' },
  removed: { gate: relay('removed', { removed: true }), means: 'elsewhere' },
};
const statuses = ['valid', 'invalid', 'not_validated', 'other'] as const;
type SmallScan = readonly [gate: string, status: (typeof statuses)[number]];

const seenScan = ([gate, status]: SmallScan, at: number): SeenScan => {
  const isRelay = gates[gate]?.gate?.relay === true;
  return {
    ...{
      id: String(at),
      source: isRelay ? 'relay' : 'account',
      value: 'A',
      status,
      result: '',
      at: noon - at * minuteMs,
    },
    ...{ atText: '', service: { id: isRelay ? '' : gate, name: gate }, answers: [] },
    ...{ device: { id: '', name: '' }, user: { id: '', name: '' } },
    was: gates[gate]?.was,
    ...(isRelay ? { validatedBy: gate, kind: status === 'invalid' ? 'refusal' : 'admission' } : {}),
  };
};

const held = (id: string, valid: boolean | undefined, fact: Omit<Fact, 'failure'> = certain(noon)): DatabaseFinding =>
  valid === undefined
    ? { kind: 'unknown', database: { id, name: id }, similar: [], ...fact }
    : { kind: 'known', database: { id, name: id }, value: 'A', valid, response: '', ...fact };

const lookupOf = (scans: readonly SmallScan[], more: Partial<Lookup> = {}): Lookup => ({
  ...{ value: 'A', spellings: [], askedAt: noon, notAsked: [], cost: 2, greenMs },
  findings: [held('1', true)],
  history: {
    ...{ kind: 'read', scans: scans.map(seenScan), more: false, ...certain(noon) },
    summary: { read: 0, total: 0, exact: true, valid: 0, invalid: 0 },
  },
  gates: Object.values(gates).flatMap(({ gate }) => gate ?? []),
  lists: { databases: certain(noon), services: certain(noon) },
  callsLeft: { minute: { resetsAt: noon }, day: { resetsAt: noon } },
  ...more,
});

/** What an admission means where these databases hold the barcode. */
function meaningOf(gate: string, holders: readonly string[]): Meaning {
  const { gate: known, means } = gates[gate]!;
  return known === undefined || known.databaseIds.length === 0 || known.removed || means === 'none'
    ? means
    : !known.databaseIds.some((id) => holders.includes(id))
      ? 'elsewhere'
      : known.databaseIds.includes('2')
        ? 'blocks'
        : means;
}

/** The law: the newest scan first, as the lookup has them. */
function truthOf(scans: readonly SmallScan[], holders: readonly string[] = ['1']): string {
  const meant = scans.map(([gate, status]) => {
    const means = meaningOf(gate, holders);
    const isUnknown = status === 'other' && means !== 'none';
    return status === 'valid' ? means : isUnknown ? 'elsewhere' : status === 'invalid' ? 'refusal' : 'none';
  });
  const results = scans.flatMap(([gate, status], at) => {
    const means = meaningOf(gate, holders);
    const isResult = status === 'valid' || status === 'invalid';
    return isResult && (means === 'blocks' || means === 'admits') ? [meant[at]] : [];
  });
  if (meant.includes('blocks')) {
    return 'used bad';
  }
  if (results[0] === 'refusal') {
    return 'refused unsure';
  }
  if (meant.includes('elsewhere')) {
    return 'elsewhere unsure';
  }
  return results.length > 0 ? 'scanned good' : 'no_admission good';
}

const smallScan = fc.tuple(fc.constantFrom(...Object.keys(gates)), fc.constantFrom(...statuses));
const smallScans = fc.array(smallScan, { maxLength: 3 });

it('the headline of up to three scans, at gates of every kind, is what the law says', () => {
  fc.assert(
    fc.property(smallScans, (scans) => {
      const { kind, tone } = headlineOf(lookupOf(scans));
      expect(`${kind} ${tone}`).toBe(truthOf(scans));
    }),
    { numRuns: 3_000 },
  );
});

const age = fc.constantFrom(0, 30_000, 5 * minuteMs, greenMs);

wideIt('what lets somebody in is asked unless its facts are fresh, by at most two calls and the lists', () => {
  fc.assert(
    fc.property(smallScans, fc.boolean(), fc.boolean(), age, age, age, (scans, valid, once, ...ages) => {
      const [valuesAge, scansAge, listAge] = ages;
      const copied = (of: number) => ({ at: noon - of, whole: true, source: of === 0 ? 'account' : 'copy' }) as const;
      const made = lookupOf(scans);
      const lookup: Lookup = {
        ...made,
        findings: [held('1', valid, copied(valuesAge))],
        history: { ...made.history, ...copied(scansAge) },
        gates: made.gates.filter(({ id }) => once || id !== 'once'),
        lists: { databases: certain(noon - listAge), services: certain(noon - listAge) },
      };
      const knownScans = once
        ? scans
        : scans.map(([gate, status]) => [gate === 'once' ? 'gone' : gate, status] as const);
      const asked = questionsOf(lookup, { ...asking, several: false });
      const kind = valid ? truthOf(knownScans).split(' ')[0]! : 'not_valid';
      const lets = kind === 'scanned' || kind === 'no_admission' || kind === 'elsewhere';
      const isUnlisted = knownScans.some(([gate, status]) => gate === 'gone' && status === 'valid');
      const rests = kind === 'no_admission' || kind === 'elsewhere' || (kind === 'scanned' && once);
      expect(asked.databaseIds.length > 0).toBe(valuesAge > 0 && (lets || valuesAge >= greenMs));
      expect(asked.scans).toBe(scansAge > 0 && (rests || (kind !== 'not_valid' && scansAge >= greenMs)));
      expect(asked.databases).toBe(lets && listAge >= minuteMs);
      const isStaleList = listAge >= (lets ? minuteMs : greenMs);
      expect(asked.services !== undefined).toBe(kind !== 'not_valid' && (isStaleList || (lets && isUnlisted)));
    }),
    { numRuns: 3_000 },
  );
});

const asking = { calls: 0, databases: false, services: false, isGone: () => false };

it('a barcode that ten copies lack is asked for by three calls, but for copies that do not stand any more', () => {
  fc.assert(
    fc.property(fc.array(age, { minLength: 1, maxLength: 10 }), fc.integer({ min: 0, max: 3 }), (ages, calls) => {
      const findings = ages.map((of, n) => {
        const source = of === 0 ? 'account' : 'copy';
        return held(String(n), undefined, { at: noon - of, whole: of < minuteMs, source });
      });
      const { databaseIds } = questionsOf(lookupOf([], { findings }), { ...asking, several: false, calls });
      const stale = ages.filter((of) => of >= greenMs).length;
      const unsure = ages.filter((of) => of >= minuteMs).length;
      expect(databaseIds.length).toBe(Math.max(stale, Math.min(unsure, 3 - calls)));
    }),
  );
});

/** What each open fact may be instead; the law says what the barcode is in every combination of them. */
interface World {
  readonly values: Readonly<Record<string, boolean | undefined>>;
  readonly scans: readonly SmallScan[];
}

const kindIn = ({ values, scans }: World): string => {
  const holders = Object.keys(values).filter((id) => values[id] !== undefined);
  const said = holders.map((id) => values[id]);
  return holders.length === 0
    ? 'unknown'
    : said.includes(true) && said.includes(false)
      ? 'disagree'
      : said.includes(false)
        ? 'not_valid'
        : truthOf(scans, holders).split(' ')[0]!;
};

/** Gates at which a hypothetical admission may have been, of whatever database holds the barcode. */
const anywhere: Readonly<Record<'again' | 'only', Meaning>> = { again: 'admits', only: 'blocks' };
for (const [name, means] of Object.entries(anywhere)) {
  gates[name] = { gate: { ...service(name), databaseIds: [] }, means };
}

const openFact = fc.constantFrom('sure', 'sure', 'sure', 'old', 'missing');
/** Scans may also reach too short: older ones were not read. */
const openScans = fc.constantFrom('sure', 'sure', 'sure', 'old', 'missing', 'short');

it('a verdict is sure exactly where no combination of what is open changes it; Not valid and Used always are', () => {
  const values = fc.record({ 1: fc.constantFrom(true, false, undefined), 2: fc.constantFrom(true, false, undefined) });
  const open = fc.record({ 1: openFact, 2: openFact, scans: openScans, services: openFact, databases: openFact });
  const seen = new Set<string>();
  fc.assert(
    fc.property(smallScans, values, open, fc.boolean(), (scans, said, is, once) => {
      const known = Object.keys(gates).filter((name) => !(name in anywhere) && (once || name !== 'once'));
      fc.pre(scans.every(([gate]) => known.includes(gate)));
      // Without services, nobody says what their scans were; the scans of a relay say it themselves.
      fc.pre(is.services !== 'missing' || scans.every(([gate]) => gates[gate]?.gate?.relay));
      const factOf = (how: string) =>
        ({ at: how === 'old' ? noon - greenMs : noon, whole: true, source: 'copy' }) as const;
      const failure = { code: 'account.slow' } as const;
      const findings = (['1', '2'] as const).map(
        (id): DatabaseFinding =>
          is[id] === 'missing'
            ? { kind: 'failed', database: { id, name: id }, ...factOf(''), whole: false, failure }
            : held(id, said[id], factOf(is[id])),
      );
      const made = lookupOf(scans);
      const failed = { kind: 'failed', scans: made.history.scans, ...factOf(''), whole: false, failure } as const;
      const listOf = (how: string) => ({ ...factOf(how), whole: how !== 'missing' });
      const lookup: Lookup = {
        ...{ ...made, findings, lists: { services: listOf(is.services), databases: listOf(is.databases) } },
        history:
          is.scans === 'missing' ? failed : { ...made.history, ...factOf(is.scans), whole: is.scans !== 'short' },
        gates: made.gates.filter(({ id, relay: of }) => known.includes(id) && (of || is.services !== 'missing')),
      };
      const now: World = {
        values: Object.fromEntries(
          (['1', '2'] as const).map((id) => [id, is[id] === 'missing' ? undefined : said[id]]),
        ),
        scans,
      };
      const mayBlock = lookup.gates.some(
        ({ once: of, now: says, databaseIds }) => of && !says && databaseIds.some((id) => now.values[id] === true),
      );
      const states = (id: '1' | '2') => (is[id] === 'sure' ? [now.values[id]] : [true, false, undefined]);
      const extra: readonly (readonly SmallScan[])[] = [
        [],
        // One more admission: at a gate that admits again, or once; a gate that is gone took its scans with it.
        ...(is.scans === 'sure' ? [] : [[['again', 'valid'] as const]]),
        ...(is.scans === 'old' || is.scans === 'missing' || (is.scans === 'short' && mayBlock)
          ? [[['only', 'valid'] as const]]
          : []),
        ...(is.services === 'old' ? [[['only', 'valid'] as const]] : []),
      ];
      const worlds = states('1').flatMap((one) =>
        states('2').flatMap((two) =>
          (is.databases === 'sure' ? [undefined] : [undefined, true, false]).flatMap((more) =>
            extra.map((others): World => ({ values: { 1: one, 2: two, more }, scans: [...others, ...scans] })),
          ),
        ),
      );
      const verdict = verdictOf(lookup);
      const kinds = new Set(worlds.map(kindIn));
      const aging = ['scanned', 'no_admission', 'unknown'].includes(verdict.kind);
      const stands = ['not_valid', 'used', 'disagree'].includes(verdict.kind);
      fc.pre(aging || stands);
      seen.add(`${verdict.kind} ${kinds.size > 1}`);
      expect(verdict.kind).toBe(kindIn(now));
      expect(doubtsOf(lookup, verdict, noon).length > 0).toBe(aging && kinds.size > 1);
    }),
    // By chance 5,000 worlds may lack one of the kinds below.
    { numRuns: 5_000, seed: 36 },
  );
  expect(seen).toContain('scanned false');
  expect(seen).toContain('scanned true');
  expect(seen).toContain('unknown false');
});
