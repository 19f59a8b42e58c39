/**
 * Preview of changed validation settings on received scans: it finds those with another result. Duplicates and limits
 * are counted from the first of these scans, under both settings alike. It never makes an API call.
 */
import {
  type Count,
  type CountedScan,
  type Counts,
  countKey,
  nothingCounted,
  type Subject,
  subjects,
  withSameAs,
} from '../../counters/counters.js';
import { equalReadings } from '../../gs1/readings.js';
import { createTurns } from '../../in-turns.js';
import { createClockOffsets } from '../../scans/device-clocks.js';
import { utcMoment } from '../../scans/received/received-scan-rows.js';
import type { ReceivedScan } from '../record/relay.js';
import type { RelaySettings, ResultCode } from '../record/settings.js';
import type { Prefetched } from './result.js';
import { createValidate, type LatestScans } from './validate.js';

/** The answer of the databases' copies about a scan, under settings; without databases, only the counting key. */
export type KnownOf = (
  settings: RelaySettings,
  scan: ReceivedScan,
) => Promise<{ readonly prefetched: Prefetched; readonly sameAs?: string }>;

interface PreviewDeps extends LatestScans {
  readonly knownOf: KnownOf;
}

export interface ChangedResult {
  readonly scan: ReceivedScan;
  readonly before: ResultCode;
  readonly after: ResultCode;
}

export interface ValidationPreview {
  /** How many scans were read, and how many of these the account recorded before the relay received any. */
  readonly scans: number;
  readonly recorded: number;
  /** The scans with another result, in their order. */
  readonly changed: readonly ChangedResult[];
  /** How many scans have no certain result, since the copy of a database is not sure of them. */
  readonly unsure: number;
  /** How many scans more would be valid if the relay read barcodes by their equal readings, which it does not. */
  readonly byReading: number;
}

export async function previewValidation(
  oldSettings: RelaySettings,
  newSettings: RelaySettings,
  { own, accountScans }: { readonly own: readonly ReceivedScan[]; readonly accountScans: readonly ReceivedScan[] },
  deps: PreviewDeps,
): Promise<ValidationPreview> {
  const scans = [...accountScans, ...own];
  const [before, after] = [await results(oldSettings, scans, deps), await results(newSettings, scans, deps)];
  const isUnsure = (at: number) => [before[at], after[at]].some((code) => code?.startsWith('unknown_'));
  const changed = scans.flatMap((scan, at) =>
    before[at] === after[at] || isUnsure(at) ? [] : [{ scan, before: before[at]!, after: after[at]! }],
  );
  const reading = withReadings(newSettings, scans);
  const byReading = reading ? await results(reading, scans, deps) : after;
  return {
    scans: scans.length,
    recorded: accountScans.length,
    changed,
    unsure: scans.filter((_, at) => isUnsure(at)).length,
    byReading: scans.filter((_, at) => byReading[at] === 'valid' && after[at] !== 'valid').length,
  };
}

/** The settings with equal readings, where they lack them and a scan has one. */
function withReadings(settings: RelaySettings, scans: readonly ReceivedScan[]): RelaySettings | undefined {
  const { judging } = settings;
  return judging.kind === 'database' && !judging.readings && scans.some(({ tid }) => equalReadings(tid).length > 0)
    ? { ...settings, judging: { ...judging, readings: true } }
    : undefined;
}

async function results(settings: RelaySettings, scans: readonly ReceivedScan[], { knownOf, lateHours }: PreviewDeps) {
  const validate = createValidate(settings, { lateHours });
  const counter = createAdmissions();
  const codes: ResultCode[] = [];
  const nextTurn = createTurns();
  const clockOffsetOf = createOffsets();
  for (const stored of scans) {
    await nextTurn();
    const scan = { ...stored, clockOffset: clockOffsetOf(stored) };
    const { prefetched, sameAs } = await knownOf(settings, scan);
    const counted = withSameAs(scan, sameAs);
    const { finding, valid, at } = validate({
      scan: { ...scan, prefetched, secretId: '', submit: [] },
      counts: counter.before(counted),
    });
    counter.add(counted, at, valid);
    codes.push(finding);
  }
  return codes;
}

/** How far the devices' clocks were off, as the previewed scans show it. */
function createOffsets() {
  const { observe } = createClockOffsets();
  const owner = { installation: '', team: '' };
  return ({ relayId, udid, scannedAtUtc, receivedAt }: ReceivedScan): number => {
    const scannedAt = scannedAtUtc === undefined ? undefined : utcMoment(scannedAtUtc);
    return udid === undefined || scannedAt === undefined ? 0 : observe({ owner, relayId, udid, scannedAt, receivedAt });
  };
}

/** Counts the previewed scans alone, not stored ones. */
function createAdmissions() {
  const countsByName = new Map<string, { seen: number; readonly admitted: number[] }>();
  const nameOf = (subject: Subject, scan: CountedScan) => `${subject} ${countKey(subject, scan) ?? ''}`;
  return {
    before: (scan: CountedScan): Counts => ({
      ofSubject(subject): Count {
        const countsOfScan = countsByName.get(nameOf(subject, scan));
        const lastAcceptedAt = countsOfScan?.admitted.at(-1);
        return countsOfScan
          ? {
              seen: countsOfScan.seen,
              accepted: countsOfScan.admitted.length,
              ...(lastAcceptedAt === undefined ? {} : { lastAcceptedAt }),
            }
          : nothingCounted;
      },
      admitted(subject, at, minutes) {
        const moments = countsByName.get(nameOf(subject, scan))?.admitted ?? [];
        const timeMs = minutes * minuteMs;
        return placeOf(moments, at + timeMs) - placeOf(moments, at - timeMs + 1);
      },
      ofRule: () => 0,
    }),
    add(scan: CountedScan, at: number, valid: boolean) {
      for (const subject of subjects) {
        const name = nameOf(subject, scan);
        const found = countsByName.get(name) ?? { seen: 0, admitted: [] };
        countsByName.set(name, found);
        found.seen += 1;
        if (valid) {
          found.admitted.splice(placeOf(found.admitted, at), 0, at);
        }
      }
    },
  };
}

const minuteMs = 60_000;

/** How many of these moments, in order, are earlier than `at`. */
function placeOf(moments: readonly number[], at: number): number {
  let [from, upto] = [0, moments.length];
  while (from < upto) {
    const middle = Math.floor((from + upto) / 2);
    [from, upto] = moments[middle]! < at ? [middle + 1, upto] : [from, middle];
  }
  return from;
}
