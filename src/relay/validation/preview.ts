/**
 * Preview of changed validation settings on received scans: which would have another result. Repeats and limits are
 * counted from the first of these scans, under both settings alike. Never makes an API call.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReceivedScan } from '../relays/relay.js';
import type { RelaySettings, ResultCode } from '../relays/settings.js';
import { type Count, type Counts, countKey, nothingCounted, subjects, withSameAs } from '../scans/counters.js';
import type { Prefetched } from './result.js';
import { createValidate } from './validate.js';

/** What a database's copy knows of a scan, under settings; undefined for settings without databases. */
export type KnownOf = (
  settings: RelaySettings,
  scan: ReceivedScan,
) => Promise<{ readonly prefetched: Prefetched; readonly sameAs?: string }>;

export interface ChangedResult {
  readonly scan: ReceivedScan;
  readonly before: ResultCode;
  readonly after: ResultCode;
}

export interface ValidationPreview {
  /** How many scans were looked at. */
  readonly scans: number;
  /** In the order of the scans. */
  readonly changed: readonly ChangedResult[];
  /** How many cannot be told, since the copy of a database is not sure of them. */
  readonly unsure: number;
}

export async function previewValidation(
  before: RelaySettings,
  after: RelaySettings,
  scans: readonly ReceivedScan[],
  knownOf: KnownOf,
): Promise<ValidationPreview> {
  const [was, will] = [await results(before, scans, knownOf), await results(after, scans, knownOf)];
  const isUnsure = (at: number) => [was[at], will[at]].some((code) => code?.startsWith('unknown_'));
  const changed = scans.flatMap((scan, at) =>
    was[at] === will[at] || isUnsure(at) ? [] : [{ scan, before: was[at]!, after: will[at]! }],
  );
  return { scans: scans.length, changed, unsure: scans.filter((_, at) => isUnsure(at)).length };
}

/** The longest that it may hold up everything else, in milliseconds. */
const sliceMs = 10;

async function results(settings: RelaySettings, scans: readonly ReceivedScan[], knownOf: KnownOf) {
  const validate = createValidate(settings);
  const counter = createAcceptances(settings);
  const codes: ResultCode[] = [];
  let began = performance.now();
  for (const scan of scans) {
    if (performance.now() - began > sliceMs) {
      await nextTurn();
      began = performance.now();
    }
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

/** The counts of these scans alone. */
function createAcceptances({ atMost }: RelaySettings) {
  const seen = new Map<string, { seen: number; accepted: number[]; lastAcceptedAt?: number }>();
  const nameOf = (subject: (typeof subjects)[number], scan: Parameters<typeof countKey>[1]) =>
    `${subject} ${countKey(subject, scan) ?? ''}`;
  return {
    before: (scan: Parameters<typeof countKey>[1]): Counts => ({
      of(subject): Count {
        const found = seen.get(nameOf(subject, scan));
        if (!found) {
          return nothingCounted;
        }
        const { accepted, lastAcceptedAt } = found;
        const nth = atMost && accepted.length >= atMost.n ? accepted.at(-atMost.n) : undefined;
        return {
          seen: found.seen,
          accepted: accepted.length,
          ...(lastAcceptedAt === undefined ? {} : { lastAcceptedAt }),
          ...(nth === undefined ? {} : { nthAcceptedAt: nth }),
        };
      },
      ofRule: () => 0,
    }),
    add(scan: Parameters<typeof countKey>[1], at: number, valid: boolean) {
      for (const subject of subjects) {
        const name = nameOf(subject, scan);
        const found = seen.get(name) ?? { seen: 0, accepted: [] };
        seen.set(name, found);
        found.seen += 1;
        if (valid) {
          found.accepted.push(at);
          // Late scans may come after scans that were made later.
          found.lastAcceptedAt = Math.max(found.lastAcceptedAt ?? at, at);
        }
      }
    },
  };
}
