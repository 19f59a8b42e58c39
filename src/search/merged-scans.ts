/**
 * The scans of the account and of the relays as one sequence, newest first. A scan that both have (`same-scan.ts`) is
 * shown once, as the account recorded it.
 */
import { inTurns } from '../in-turns.js';
import type { ReceivedRecord } from '../lookup/scans/received.js';
import { validatedBy } from '../lookup/scans/received-names.js';
import type { BriefScan, WalkedScan } from '../mirror/index.js';
import type { RelayValidator } from '../relay/index.js';
import { isSameScan, pairScans } from '../scans/same-scan.js';
import { type AccountNames, fromAccount, fromRelay, type SeenScan } from '../scans/seen-scan.js';

import type { SearchedScan } from './query.js';

export interface FoundScan {
  readonly at: number;
  readonly scan: SeenScan;
  readonly searched: SearchedScan;
  /** When a relay received it. */
  readonly receivedAt?: number;
}

/** `reached`: every scan made after that was read, in this slice or before. */
export interface Slice<T> {
  readonly reached: number;
  readonly scans: readonly T[];
}

export type Slices<T> = AsyncGenerator<Slice<T>, void>;

export interface MergeContext {
  /** The names of these scans' ids; they may cost calls, so nothing is loaded where there are none. */
  readonly names: (records: readonly ReceivedRecord[]) => Promise<AccountNames>;
  readonly relays: readonly RelayValidator[];
  /** Names of properties that nobody may see. */
  readonly secret: readonly string[];
  /** The mirror's scans with these ids, whenever they were made. */
  readonly mirrored: (ids: readonly string[]) => Promise<readonly BriefScan[]>;
}

type Item = { readonly at: number } & (
  | { readonly recorded: WalkedScan['scan'] }
  /** `known`: the account has it too. */
  | { readonly received: ReceivedRecord; readonly known: boolean }
);

interface Source {
  readonly slices: Slices<Item>;
  reached: number;
  done: boolean;
}

/** Whole seconds only: what is the same scan lies in one. */
export async function* mergedScans(
  recorded: Slices<WalkedScan> | undefined,
  received: readonly Slices<ReceivedRecord>[],
  context: MergeContext,
): Slices<FoundScan> {
  const sources = [
    ...(recorded ? [recordedItems(recorded)] : []),
    ...received.map((each) => receivedItems(each, context)),
  ].map((slices): Source => ({ slices, reached: Number.POSITIVE_INFINITY, done: false }));
  let waiting: readonly Item[] = [];
  for (let open = sources; open.length > 0; open = open.filter(({ done }) => !done)) {
    const furthest = Math.max(...open.map(({ reached }) => reached));
    const read = await Promise.all(open.filter(({ reached }) => reached === furthest).map(nextOf));
    waiting = [...waiting, ...read.flat()];
    const left = sources.filter(({ done }) => !done);
    const reached = Math.max(Number.NEGATIVE_INFINITY, ...left.map((source) => source.reached));
    const isReady = ({ at }: Item) => left.length === 0 || secondOf(at) > secondOf(reached);
    const ready = waiting.filter(isReady);
    waiting = waiting.filter((item) => !isReady(item));
    yield { reached, scans: (await shownOnce(ready, context)).sort((a, b) => b.at - a.at) };
  }
}

async function nextOf(source: Source): Promise<readonly Item[]> {
  const next = await source.slices.next();
  if (next.done) {
    source.done = true;
    return [];
  }
  source.reached = Math.min(source.reached, next.value.reached);
  return next.value.scans;
}

async function* recordedItems(slices: Slices<WalkedScan>): Slices<Item> {
  for await (const { reached, scans } of slices) {
    yield { reached, scans: scans.map(({ at, scan }) => ({ at, recorded: scan })) };
  }
}

async function* receivedItems(slices: Slices<ReceivedRecord>, { mirrored }: MergeContext): Slices<Item> {
  for await (const { reached, scans } of slices) {
    // With a time, the account's record of the same scan lies in the same second.
    const undated = scans.flatMap(({ scanId, undated: isUndated }) => (isUndated && scanId ? scanId : []));
    const known = undated.length > 0 ? await mirrored(undated) : [];
    const isKnown = (received: ReceivedRecord) =>
      received.undated === true && known.some((scan) => isSameScan(scan, received));
    yield { reached, scans: scans.map((received) => ({ at: received.at, received, known: isKnown(received) })) };
  }
}

async function shownOnce(group: readonly Item[], context: MergeContext): Promise<FoundScan[]> {
  const records = group.flatMap((item) => ('received' in item ? item.received : []));
  const recorded = group.flatMap((item) => ('recorded' in item ? item.recorded : []));
  const { recordOf, covered } = pairScans(recorded, records);
  const own = group.flatMap((item) =>
    'received' in item && !item.known && !covered.has(item.received) ? item.received : [],
  );
  const names = await context.names(own);
  return inTurns(group, (item): readonly FoundScan[] => {
    if ('received' in item) {
      return item.known || covered.has(item.received) ? [] : [foundAtRelay(item.received, names, context)];
    }
    return [foundInAccount(item.recorded, item.at, recordOf.get(item.recorded), context)];
  });
}

function foundAtRelay(record: ReceivedRecord, names: AccountNames, { relays }: MergeContext): FoundScan {
  return received(record, found(fromRelay(record, names, validatedBy(record, relays)), record.at, record.properties));
}

/** What only the relay validated has the relay's result. */
function foundInAccount(
  recorded: WalkedScan['scan'],
  at: number,
  twin: ReceivedRecord | undefined,
  { secret, relays }: MergeContext,
): FoundScan {
  const properties = recorded.properties.filter(({ name }) => !secret.includes(name));
  const scan = fromAccount({ ...recorded, properties });
  const relay = twin && validatedBy(twin, relays);
  if (twin === undefined || relay === undefined || scan.status !== 'not_validated') {
    return received(twin, found(scan, at, properties));
  }
  const status = twin.valid ? 'valid' : 'invalid';
  return received(
    twin,
    found({ ...scan, status, result: scan.result || twin.text, validatedBy: relay }, at, properties),
  );
}

function found(scan: SeenScan, at: number, properties: SearchedScan['properties']): FoundScan {
  const { value, status, result, service, user, device, answers } = scan;
  return { at, scan, searched: { value, at, status, result, service, user, device, answers, properties } };
}

function received(record: ReceivedRecord | undefined, scan: FoundScan): FoundScan {
  return record === undefined
    ? scan
    : {
        ...{ ...scan, searched: { ...scan.searched, relay: record.relayId } },
        ...(record.receivedAt === undefined ? {} : { receivedAt: record.receivedAt }),
      };
}

function secondOf(at: number): number {
  return Math.floor(at / 1000);
}
