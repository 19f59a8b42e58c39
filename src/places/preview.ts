/** What a list would have counted of stored scans, and what would look wrong, before it is switched on. */
import { steadyNow } from '../clock.js';
import { walkScans } from '../scans/walk.js';
import { thresholdLevel } from './alerts.js';
import { doublesIn } from './doubles.js';
import { type FoldDeps, placeSource } from './fold.js';
import type { PlaceList, PlaceSettings } from './list.js';
import { createPlaceReader, foldEach, type PlaceScan } from './moves.js';

const longestMs = 5_000;

export async function previewPlaces(
  { store, clock, relays, mirror }: FoldDeps,
  owner: PlaceList['owner'],
  settings: PlaceSettings,
  timeSpan: { readonly from: number; readonly to: number },
) {
  const [{ account }, validators] = await Promise.all([placeSource(mirror, owner), relays.validators(owner)]);
  const readPlace = createPlaceReader(settings, validators);
  const placeScans: PlaceScan[] = [];
  let [count, readFrom]: [number, number | undefined] = [0, undefined];
  const deadline = steadyNow(clock) + longestMs;
  for await (const { reached, scans } of walkScans(store.db, owner, account, timeSpan)) {
    count += scans.length;
    placeScans.push(...scans.flatMap((scan) => readPlace(scan) ?? []));
    if (steadyNow(clock) > deadline && Number.isFinite(reached)) {
      readFrom = reached + 1;
      break;
    }
  }
  const folded = foldEach(placeScans, [], settings.custody !== undefined);
  const moves = folded.flat();
  const rule = settings.alerts?.doubles;
  const now = clock.now();
  const isOverdue = (move: (typeof moves)[number] | undefined) => move && !move.entering && (move.dueAt ?? now) < now;
  const counted = (is: (move: (typeof moves)[number]) => boolean) => moves.filter(is).length;
  const inside = Math.abs(moves.reduce((sum, { change }) => sum + change, 0));
  const { capacity, alerts } = settings;
  const reached = (alerts?.percents ?? []).filter(
    (percent) => capacity !== undefined && inside >= thresholdLevel(capacity, percent),
  );
  return {
    scans: count,
    ins: counted(({ entering }) => entering),
    outs: counted(({ entering }) => !entering),
    outsAlone: counted(({ entering, change }) => !entering && change === 0),
    insAgain: counted(({ entering, change }) => entering && change === 0),
    /** How many moves have scans that name no device. */
    withoutGate: counted(({ gate }) => gate === ''),
    /** How many are inside; for lent things, how many are out. */
    inside,
    /** The highest threshold that so many reach. */
    reached: reached.length === 0 ? undefined : Math.max(...reached),
    /** How many lent things are overdue, and how often a barcode came in twice: a list posts nothing of these. */
    overdue: folded.filter((each) => isOverdue(each.at(-1))).length,
    doubles: rule === undefined ? 0 : folded.reduce((sum, each) => sum + doublesIn(each, rule).length, 0),
    gates: [...new Set(moves.flatMap(({ gate }) => (gate === '' ? [] : gate)))],
    /** The time from which scans were read; older ones were left out, for want of time. */
    ...(readFrom === undefined ? {} : { readFrom }),
  };
}

export type PlacesPreview = Awaited<ReturnType<typeof previewPlaces>>;
