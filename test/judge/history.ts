/** Random histories: what may happen in one, as fast-check draws and shrinks it. Numbers are taken modulo what there is. */
import fc from 'fast-check';
import type { Limit } from './truth.js';

export const texts = [
  ...(['CASE-1', 'case-1', '0007', 'GS\u001d10X', 'GS10X', 'RS\u001e4', 'RS4', 'Plain 5'] as const),
  // One article as UPC-E and UPC-A, and a single thing of it, by its serial number.
  ...(['01234565', '012345000065', '010001234500006521S1'] as const),
] as const;

export type Clock = 'right' | 1970 | 2999;
/** `services`, `databases`: that list alone fails. `short`: answers lack their last item. */
export type Fault = 'outage' | 'key' | 'minute' | 'day' | 'slow' | 'services' | 'databases' | 'short';

/** Where people ask. */
export const surfaceWeights = {
  ...{ card: 8, several: 2, more: 2, search: 2, today: 2, shareCard: 1, shareSearch: 1 },
  ...{ exportScans: 1, exportValues: 1, home: 2, relayReport: 1, searchReport: 1 },
  ...{ devicePage: 2, tool: 2, messageMenu: 1, recent: 2, searchService: 1, joined: 2 },
} as const;
export type Surface = keyof typeof surfaceWeights;

export type Step =
  | { readonly do: 'wait'; readonly minutes: number }
  /** A value is set or taken out, by another client or through Scandesk. */
  | {
      readonly do: 'value';
      readonly here: boolean;
      readonly database: number;
      readonly text: number;
      readonly held: boolean | null;
    }
  /** A value is set or taken out through Scandesk while a page of a pass is on its way. */
  | { readonly do: 'race'; readonly database: number; readonly text: number; readonly held: boolean | null }
  /** A scan is deleted through Scandesk while a page with it is on its way. */
  | { readonly do: 'raceOfScan'; readonly scan: number }
  /** A device sends a scan to a relay. */
  | {
      readonly do: 'gate';
      readonly relay: number;
      readonly text: number;
      readonly lateMinutes: number;
      readonly clock: Clock;
      readonly scanId: boolean;
    }
  /** A device sends a scan to a relay again. */
  | { readonly do: 'again'; readonly scan: number }
  | {
      readonly do: 'scan';
      readonly service: number;
      readonly text: number;
      readonly lateMinutes: number;
      readonly clock: Clock;
    }
  | { readonly do: 'forget'; readonly here: boolean; readonly scan: number }
  | { readonly do: 'fault'; readonly fault: Fault; readonly minutes: number }
  | { readonly do: 'mend' }
  | { readonly do: 'restart' | 'kill' | 'second' | 'connect' }
  /** An admin of the account makes, changes, renames or deletes a service. */
  | {
      readonly do: 'service';
      readonly change: 'make' | 'settings' | 'name' | 'remove';
      readonly service: number;
      readonly kind: 'once' | 'often' | 'record';
      readonly database: number;
    }
  /** A database is made, with a text in it, or deleted. */
  | {
      readonly do: 'database';
      readonly change: 'make' | 'remove';
      readonly database: number;
      readonly text: number;
    }
  | {
      readonly do: 'relay';
      readonly change: 'settings' | 'remove';
      readonly relay: number;
      readonly databases: readonly number[];
      readonly limit: Limit;
    }
  /** A value is marked by another workspace that connected the same account. */
  | { readonly do: 'nextDoor'; readonly database: number; readonly text: number; readonly held: boolean }
  /** A value is marked valid or not from a card that was shown before. */
  | { readonly do: 'edit'; readonly card: number; readonly held: boolean }
  /** A person asks on a surface, about `text` where the surface is about a barcode. */
  | { readonly do: 'ask'; readonly surface: Surface; readonly text: number };

export interface History {
  /** Whether admins chose the databases that lookups search; else lookups search all. */
  readonly chosen: boolean;
  /** Whether the history begins shortly before the clocks change. */
  readonly atClockChange?: boolean;
  /** The relays, each with some of the databases in some order. */
  readonly relays: readonly {
    readonly databases: readonly number[];
    readonly limit: Limit;
    readonly unknown: 'accept' | 'reject';
    /** Whether the relay accepts a barcode by its equal reading. */
    readonly readings?: boolean;
  }[];
  /** What the databases hold at first. */
  readonly values: readonly { readonly database: number; readonly text: number; readonly held: boolean }[];
  readonly steps: readonly Step[];
}

const text = fc.nat({ max: texts.length - 1 });
const database = fc.nat({ max: 2 });
const held = fc.constantFrom<boolean | null>(true, true, false, null);
const here = fc.boolean();
const clock = fc.constantFrom<Clock>('right', 'right', 'right', 'right', 'right', 1970, 2999);
const lateMinutes = fc.constantFrom(0, 0, 0, 5, 12, 25, 45, 90, 240, 1_500);
const minutes = fc.constantFrom(1, 3, 6, 10, 20, 61, 240, 400);

const limit: fc.Arbitrary<Limit> = fc.oneof(
  fc.constant<Limit>({ kind: 'none' }),
  fc.record({ kind: fc.constant('duplicates' as const), minutes: fc.constantFrom(30, 60, 0) }),
  fc.record({
    kind: fc.constant('atMost' as const),
    n: fc.constantFrom(1, 2, 3),
    of: fc.constantFrom('value' as const, 'relay' as const),
    minutes: fc.constantFrom(30, 60, 0),
  }),
);
const checkedDatabases = fc.uniqueArray(database, { minLength: 1, maxLength: 3 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('value' as const), here, database, text, held }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('race' as const), database, text, held }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('raceOfScan' as const), scan: fc.nat({ max: 9 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('gate' as const),
      relay: fc.nat({ max: 1 }),
      text,
      lateMinutes,
      clock,
      scanId: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), scan: fc.nat({ max: 9 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('scan' as const), service: fc.nat({ max: 4 }), text, lateMinutes, clock }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), here, scan: fc.nat({ max: 9 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constantFrom<Fault>('outage', 'key', 'minute', 'day', 'slow', 'short', 'short'),
      minutes: fc.constantFrom(0, 2, 20, 90),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constantFrom<Fault>('services', 'databases'),
      minutes: fc.constantFrom(2, 90, 1_440),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('service' as const),
      change: fc.constantFrom('make', 'settings', 'settings', 'name', 'remove'),
      service: fc.nat({ max: 4 }),
      kind: fc.constantFrom('once', 'once', 'often', 'record'),
      database,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('database' as const),
      change: fc.constantFrom('make', 'make', 'remove'),
      database,
      text,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('relay' as const),
      change: fc.constantFrom('settings', 'settings', 'settings', 'remove'),
      relay: fc.nat({ max: 1 }),
      databases: checkedDatabases,
      limit,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('nextDoor' as const), database, text, held: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), card: fc.nat({ max: 9 }), held: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mend' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'kill', 'second', 'second', 'connect') }),
  },
  ...Object.entries(surfaceWeights).map(([surface, weight]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant('ask' as const), surface: fc.constant(surface as Surface), text }),
  })),
);

export const histories: fc.Arbitrary<History> = fc.record({
  chosen: fc.boolean(),
  atClockChange: fc.constantFrom(false, false, false, false, true),
  relays: fc.array(
    fc.record({
      databases: checkedDatabases,
      limit,
      unknown: fc.constantFrom('reject' as const, 'reject' as const, 'accept' as const),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  values: fc.array(fc.record({ database, text, held: fc.constantFrom(true, true, true, false) }), { maxLength: 8 }),
  steps: fc.array(step, { minLength: 5, maxLength: 30 }),
});
