/**
 * Small worlds, by brute force: up to three scans at gates of every kind, and facts of every age. A naive law says what
 * is true of each, and which facts may be left unasked.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { doubtsOf } from '../../src/lookup/doubts.js';
import { headlineOf } from '../../src/lookup/index.js';
import type { Lookup, Validator } from '../../src/lookup/types.js';
import type { SeenScan } from '../../src/scans/seen-scan.js';

const noon = Date.UTC(2026, 2, 1, 12);
const minuteMs = 60_000;
const greenMs = 15 * minuteMs;

const service = (id: string, more: Partial<Validator> = {}): Validator => ({
  ...{ relay: false, id, name: id, databaseIds: ['1'], serviceIds: [id] },
  ...more,
});
const relay = (id: string, more: Partial<Validator>): Validator =>
  service(id, { relay: true, serviceIds: [], ...more });

/** What a gate of each kind makes of an admission: `none` lets nobody in, `gone` is no gate that anybody knows. */
const gates: Readonly<
  Record<string, { readonly gate?: Validator; readonly means: 'blocks' | 'admits' | 'elsewhere' | 'none' }>
> = {
  once: { gate: service('once', { once: {} }), means: 'blocks' },
  often: { gate: service('often'), means: 'admits' },
  other: { gate: service('other', { databaseIds: ['2'], once: {} }), means: 'elsewhere' },
  record: { gate: service('record', { databaseIds: [], receives: true }), means: 'none' },
  gone: { means: 'elsewhere' },
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
    ...(isRelay ? { validatedBy: gate, kind: status === 'invalid' ? 'refusal' : 'admission' } : {}),
  };
};

const lookupOf = (scans: readonly SmallScan[], more: Partial<Lookup> = {}): Lookup => ({
  ...{ value: 'A', spellings: [], askedAt: noon, notAsked: [], cost: 2 },
  findings: [{ kind: 'known', database: { id: '1', name: 'One' }, value: 'A', valid: true, response: '' }],
  history: {
    ...{ kind: 'read', scans: scans.map(seenScan), more: false },
    summary: { read: 0, total: 0, exact: true, valid: 0, invalid: 0 },
  },
  gates: Object.values(gates).flatMap(({ gate }) => gate ?? []),
  lists: { databases: noon, services: noon },
  callsLeft: { minute: { resetsAt: noon }, day: { resetsAt: noon } },
  ...more,
});

/** The law: the newest scan first, as the lookup has them. */
function truthOf(scans: readonly SmallScan[]): string {
  const meant = scans.map(([gate, status]) => {
    const means = gates[gate]!.means;
    const isOther = status === 'other' && means !== 'none' && gates[gate]!.gate?.relay !== true;
    const isUnknown = status === 'other' && means !== 'none';
    return status === 'valid' ? means : isOther || isUnknown ? 'elsewhere' : status === 'invalid' ? 'refusal' : 'none';
  });
  const checks = (gate: string) => gates[gate]!.means === 'blocks' || gates[gate]!.means === 'admits';
  const results = scans.flatMap(([gate, status], at) =>
    checks(gate) && (status === 'valid' || status === 'invalid') ? [meant[at]] : [],
  );
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

it('a headline that lets somebody in is asked unless its facts are fresh, by at most two calls and the lists', () => {
  const age = fc.constantFrom(0, 30_000, 5 * minuteMs, greenMs);
  fc.assert(
    fc.property(smallScans, fc.boolean(), age, age, age, (scans, valid, valuesAge, scansAge, listAge) => {
      const [valuesAt, scansAt, listedAt] = [noon - valuesAge, noon - scansAge, noon - listAge];
      const rows = { ok: true, value: [] } as const;
      const list = {
        list: { ok: true, value: [{ id: '1', name: 'One', serviceIds: [] }] },
        at: listedAt,
        asked: false,
      } as const;
      const lookup = lookupOf(scans, {
        findings: [{ kind: 'known', database: { id: '1', name: 'One' }, value: 'A', valid, response: '' }],
        lists: { databases: listedAt, services: listedAt },
        asOf: { values: valuesAt, scans: scansAt, greenMs },
      });
      const doubts = doubtsOf(lookup, {
        ...{ listed: list, services: { ...list, list: { ok: true, value: [] } }, asked: 0, several: false, greenMs },
        values: [{ databaseId: '1', rows, at: valuesAt, live: valuesAge === 0 }],
        scans: { account: { ok: true, value: undefined }, at: scansAt, live: scansAge === 0, fullAt: scansAt },
      });
      const kind = valid ? truthOf(scans).split(' ')[0] : 'not_valid';
      const lets = kind === 'scanned' || kind === 'no_admission' || kind === 'elsewhere';
      const isUnlisted = scans.some(([gate, status]) => gate === 'gone' && status === 'valid');
      expect(doubts.databaseIds.length > 0).toBe(valuesAge > 0 && (lets || valuesAge >= greenMs));
      const isDoubtedScan =
        kind === 'no_admission' || kind === 'elsewhere' || (kind !== 'not_valid' && scansAge >= greenMs);
      expect(doubts.scans).toBe(scansAge > 0 && isDoubtedScan);
      expect(doubts.databaseList).toBe(lets && listAge >= minuteMs);
      expect(doubts.serviceList !== undefined).toBe(lets && (listAge >= minuteMs || isUnlisted));
    }),
    { numRuns: 3_000 },
  );
});
