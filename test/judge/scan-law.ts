/**
 * The law of scans in lists and counts: those of a barcode, a day or a relay, each once and with the result that it had,
 * as far as the answer says that it knows them. Naive on purpose: days are told by the calendar's own words.
 */
import {
  type CopyAnswer,
  folded,
  isPlausible,
  minuteMs,
  presence,
  type RelayTruth,
  readable,
  type ScanTruth,
  type ServiceTruth,
  scanText,
  type Truth,
  timeText,
} from './truth.js';

/** Which scans an answer is about. */
export interface Wanted {
  readonly text?: string;
  /** The wanted day of a zone, as `2026-03-29`; only scans made before `before` are wanted. */
  readonly day?: { readonly date: string; readonly zone: string; readonly before: number };
  /** The service whose scans are wanted. */
  readonly service?: ServiceTruth;
  /** The relay whose received scans are wanted. */
  readonly relay?: RelayTruth;
}

/** When an answer was asked for, and the copy that the answer states; undefined: it is of the relays' scans alone. */
export interface Known {
  readonly askedAt: number;
  readonly copy: CopyAnswer | undefined;
}

export interface Listed {
  /** Scans that were there at every moment of the stated age. */
  readonly must: readonly ScanTruth[];
  /** Scans that were there at some of these moments. */
  readonly may: readonly ScanTruth[];
}

export const results = ['valid', 'invalid', 'used', 'other'] as const;
export type Result = (typeof results)[number];
export type Counts = Readonly<Partial<Record<Result, number>>>;

/** Of a clock that is years wrong, the arrival counts; how long it took is not known to the second. */
const arrivalTakesMs = 5 * minuteMs;

export function wantedScans(truth: Truth, wanted: Wanted, { askedAt, copy }: Known): Listed {
  const found = truth.scans.map((scan) => {
    const there = scan.gate
      ? scan.arrived <= askedAt
        ? 'always'
        : 'sometimes'
      : wanted.relay || !copy
        ? 'never'
        : presence(scan, copy.at, copy.since, copy.fullAt);
    const [is, inDay] = [isWanted(scan, wanted, copy !== undefined), isOfDay(scan, wanted)];
    const all = [there, is, inDay];
    return { scan, there: all.includes('never') ? 'never' : all.includes('sometimes') ? 'sometimes' : 'always' };
  });
  const those = (kind: string) => found.filter(({ there }) => there === kind).map(({ scan }) => scan);
  return { must: those('always'), may: those('sometimes') };
}

type Presence = ReturnType<typeof presence>;

function isWanted(scan: ScanTruth, { text, relay, service }: Wanted, isCopied: boolean): Presence {
  if (service && scan.account?.service !== service) {
    return 'never';
  }
  if (relay && scan.gate?.relay !== relay) {
    return 'never';
  }
  return text === undefined || scan.text === text
    ? 'always'
    : isCopied && scan.account && readable(scan.text) === readable(text)
      ? 'sometimes'
      : 'never';
}

function isOfDay(scan: ScanTruth, { day }: Wanted): Presence {
  if (!day) {
    return 'always';
  }
  const isIn = (at: number) => at < day.before && dateIn(day.zone, at) === day.date;
  const { made, arrived } = scan;
  const moments = isPlausible(scan) ? [made] : [arrived, arrived + arrivalTakesMs];
  return moments.every(isIn) ? 'always' : moments.some(isIn) ? 'sometimes' : 'never';
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of a moment in a zone, as `2026-03-29`. */
export function dateIn(zone: string, at: number): string {
  const options = { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', options);
  formats.set(zone, format);
  return format.format(at);
}

/** The first moment of the day of a moment, and of the next day: found by looking at each quarter of an hour. */
export function dayAround(zone: string, at: number): { readonly from: number; readonly to: number } {
  const date = dateIn(zone, at);
  const quarter = 15 * minuteMs;
  const edge = (step: number) => {
    let here = Math.floor(at / quarter) * quarter;
    while (dateIn(zone, here + step) === date) {
      here += step;
    }
    return here;
  };
  return { from: edge(-quarter), to: edge(quarter) + quarter };
}

export function judgeScans({ must, may }: Listed, said: readonly number[]): string[] {
  const count = new Map<number, number>();
  for (const made of said) {
    count.set(made, (count.get(made) ?? 0) + 1);
  }
  return [
    ...must.filter(({ made }) => !count.has(made)).map((scan) => `lacks the scan ${scanText(scan)}`),
    ...[...count]
      .filter(([, times]) => times > 1)
      .map(([made, times]) => `shows the scan of ${timeText(made)} ${times} times`),
    ...[...count.keys()]
      .filter((made) => ![...must, ...may].some((scan) => scan.made === made))
      .map((made) => `shows a scan of ${timeText(made)}, which is none of these`),
  ];
}

/** What a scan's result is called. @param isUsedApart a repeated scan is *already used*, else it is not valid */
export function resultOf({ gate, account }: ScanTruth, isUsedApart = false): Result {
  if (gate) {
    return gate.admitted
      ? gate.result === 'unknown_accepted'
        ? 'other'
        : 'valid'
      : isUsedApart && gate.result === 'duplicate'
        ? 'used'
        : 'invalid';
  }
  // A service that only records takes every scan.
  return account?.status === 'invalid' ? 'invalid' : 'valid';
}

export function judgeResults(truth: Truth, said: readonly { readonly made: number; readonly result: Result }[]) {
  return said.flatMap(({ made, result }) => {
    const scan = truth.scans.find((one) => one.made === made);
    const was = scan && resultOf(scan);
    return was === undefined || was === result ? [] : [`says ${result} of ${scanText(scan!)}`];
  });
}

export function judgeCounts({ must, may }: Listed, said: Counts, isUsedApart = false): string[] {
  return results.flatMap((result) => {
    const of = (scans: readonly ScanTruth[]) => scans.filter((scan) => resultOf(scan, isUsedApart) === result).length;
    const [least, most] = [of(must), of(must) + of(may)];
    const count = said[result] ?? 0;
    return count >= least && count <= most
      ? []
      : [
          `counts ${count} ${result}, of ${least === most ? least : `${least} to ${most}`}: ${must.map(scanText).join(', ')}`,
        ];
  });
}

export function countIn(counts: Counts): number {
  return results.reduce((sum, result) => sum + (counts[result] ?? 0), 0);
}

export { folded };
