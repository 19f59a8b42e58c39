/**
 * The folding of a list: a walk reads all scans of marked barcodes since the last reset, and one transaction replaces
 * their moves, so that the order of arrival never matters. A list that starts anew first marks the stored scans.
 */
import type { Clock } from '../clock.js';
import { noNames, type OwnerNamesDeps, ownerNames } from '../codereadr/names.js';
import { unsynced } from '../database/pace.js';
import { recheckOverdue } from '../incidents/overdue.js';
import type { Log } from '../log.js';
import type { Mirror } from '../mirror/index.js';
import { lockRelaysOf } from '../relay/record/lock.js';
import { createScans } from '../scans/index.js';
import { scanKey } from '../scans/key.js';
import { addMarks, deleteMarks, marksOf } from '../scans/marks.js';
import type { ReceivingRelays } from '../scans/scan-context.js';
import type { AccountSource } from '../scans/slice.js';
import { walkScans } from '../scans/walk.js';
import type { Store } from '../workspaces/types.js';
import { correctDoubles, postDoubles } from './alerts.js';
import { type DoubleAdmission, doublesIn } from './doubles.js';
import type { PlaceList } from './list.js';
import { allScans, updateList } from './list-rows.js';
import { replaceMoves, storedMoves } from './move-rows.js';
import { createPlaceReader, foldEach, mostAheadMs, type PlaceMove, type PlaceScan } from './moves.js';

export interface FoldDeps {
  readonly store: Pick<Store, 'db' | 'kind' | 'keyv'> & OwnerNamesDeps['store'];
  readonly clock: Clock;
  readonly log: Log;
  readonly relays: Pick<ReceivingRelays, 'validators'>;
  readonly mirror?: Pick<Mirror, 'view' | 'waitForWrites'> | undefined;
  /** The names of the account; undefined: a device whose scans name it by two ids counts as two devices. */
  readonly accounts?: OwnerNamesDeps['accounts'];
}

/** The most barcodes that one transaction folds, which blocks the event loop on SQLite. */
const barcodesAtOnce = 100;
export const claimMs = 10_000;

/**
 * The account whose copied scans lists count, also before the first pass is complete; undefined: lists count relays'
 * scans alone. `since`: the time from which the mirror keeps the account's scans.
 */
export async function placeSource(
  mirror: FoldDeps['mirror'],
  owner: PlaceList['owner'],
): Promise<{ readonly account: AccountSource | undefined; readonly since: number }> {
  const account = mirror && (await mirror.view(owner)).account;
  return { account: account && { connection: account.id }, since: account?.scansSince ?? 0 };
}

/** The `fillTo` of a list that counts what is marked: its figures are not sure before the last fold. */
const allMarked = 0;
export const isMarking = ({ fillTo }: PlaceList): boolean => fillTo !== undefined && fillTo !== allMarked;

/** Marks the barcodes of the newest scans before `to`, for a list that its caller has claimed. @throws PlacesChanged */
export async function markStored({ store, clock, mirror }: FoldDeps, list: PlaceList, to: number): Promise<PlaceList> {
  const { db, kind } = store;
  if (to === allScans) {
    // Waits for transactions that began before the list existed: they mark nothing, and their scans are now stored.
    await db.transaction().execute((trx) => lockRelaysOf(trx, list.owner));
    await mirror?.waitForWrites(list.owner);
  }
  const { account } = await placeSource(mirror, list.owner);
  const walk = { from: list.resetAt, to };
  for await (const { reached, scans } of walkScans(db, list.owner, account, walk)) {
    const keys = [...new Set(scans.map(({ value }) => scanKey(value)))];
    return await unsynced(kind)(db, async (trx) => {
      const fill = Number.isFinite(reached) && reached >= list.resetAt ? reached + 1 : allMarked;
      const next = await updateList(trx, list, { fill_to: fill, claimed_until: clock.now() + claimMs });
      await addMarks(trx, list.id, keys);
      return next;
    });
  }
  return await updateList(db, list, { fill_to: allMarked });
}

/**
 * Folds some barcodes with marks up to the last one, for a list that its caller has claimed.
 * @returns the list, whether moves changed, and whether posts wait for Slack; undefined: no barcode has such a mark
 * @throws PlacesChanged
 */
export async function foldMarked(deps: FoldDeps, list: PlaceList, lastMark: number) {
  const { store, clock, relays, mirror } = deps;
  const { db, kind } = store;
  const marks = await marksOf(db, list.id, { last: lastMark, barcodes: barcodesAtOnce });
  if (marks.length === 0) {
    return undefined;
  }
  const keys = [...new Set(marks.flatMap((mark) => mark.keys))];
  const [{ account }, validators, movesBefore] = await Promise.all([
    placeSource(mirror, list.owner),
    relays.validators(list.owner),
    storedMoves(db, list.run, keys),
  ]);
  const readPlace = createPlaceReader(list.settings, validators);
  const placeScans: PlaceScan[] = [];
  const walked = new Set<string>();
  const walk = { from: list.resetAt, to: allScans, keys };
  for await (const { scans } of walkScans(db, list.owner, account, walk)) {
    for (const { id, received } of scans) {
      for (const each of [id, ...received.map((scan) => scan.id)]) walked.add(each);
    }
    placeScans.push(...scans.flatMap((scan) => readPlace(scan) ?? []).filter(({ at }) => at >= list.resetAt));
  }
  // Read after the walk: scans deleted for their age meanwhile are from before these moments, and their moves stay.
  const [prunedBefore, { since }] = await Promise.all([
    createScans(db).prunedBefore(),
    placeSource(mirror, list.owner),
  ]);
  const isPruned = ({ at, scanId, recorded }: PlaceMove) =>
    !walked.has(scanId) && at < (recorded ? since : prunedBefore) + mostAheadMs;
  const isLent = list.settings.custody !== undefined;
  const foldedMoves = foldEach(placeScans, movesBefore.filter(isPruned), isLent);
  const doubles = await doublesOf(deps, list, foldedMoves);
  const moves = foldedMoves.flat();
  return await unsynced(kind)(db, async (trx) => {
    const isLast = marks.at(-1)!.id >= lastMark;
    const listAfter = await updateList(trx, list, {
      claimed_until: clock.now() + claimMs,
      ...(isLast ? {} : { fill_to: allMarked }),
    });
    const { newMoves, isChanged } = await replaceMoves(trx, list.run, movesBefore, moves);
    const newDoubles = doubles.filter(({ earlier, later }) => newMoves.has(earlier) || newMoves.has(later));
    await postDoubles(trx, listAfter, newDoubles, clock.now());
    const isCorrected =
      list.settings.alerts?.doubles !== undefined &&
      (await correctDoubles(trx, listAfter, { doubles, before: movesBefore, moves }, clock.now()));
    await deleteMarks(trx, marks);
    if (isLent) {
      await recheckOverdue(trx, list.id, [...movesBefore, ...moves], clock.now());
    }
    return { list: listAfter, isChanged, hasPosts: newDoubles.length > 0 || isCorrected };
  });
}

/** The double admissions, where the list posts them: those of which a scan arrived since it does. */
async function doublesOf(
  deps: FoldDeps,
  list: PlaceList,
  folded: readonly (readonly PlaceMove[])[],
): Promise<readonly DoubleAdmission[]> {
  const rule = list.settings.alerts?.doubles;
  if (rule === undefined || !folded.some((moves) => doublesIn(moves, rule).length > 0)) {
    return [];
  }
  const deviceOf = await deviceIds(deps, list.owner);
  const arrival = ({ earlier, later }: DoubleAdmission) => Math.max(earlier.arrivedAt ?? 0, later.arrivedAt ?? 0);
  return folded.flatMap((moves) => doublesIn(moves, rule, deviceOf)).filter((double) => arrival(double) >= rule.since);
}

/** One id for each device: relays know a device by its udid, the account's scans by the account's id. */
async function deviceIds(
  { accounts, store, log }: Pick<FoldDeps, 'accounts' | 'store' | 'log'>,
  owner: PlaceList['owner'],
): Promise<(gate: string) => string> {
  let ids = new Map<string, string>();
  await (accounts &&
    ownerNames({ accounts, store, log }, owner, async (names) => {
      await names.findNames(['devices']);
      ids = new Map((await names.cached('devices'))?.map(({ udid, id }) => [udid, id]));
      return noNames;
    }));
  return (gate) => ids.get(gate) ?? gate;
}
