/** The moves of a barcode, folded in the order of their moments: the order of arrival does not matter. Pure. */
import { asAnswered } from '../codereadr/barcode-equality.js';
import { indexKey } from '../database/index-key.js';
import type { Predicate, ValidatedScan } from '../relay/conditions/condition.js';
import { kindOf } from '../relay/conditions/index.js';
import { createGs1Reader } from '../relay/conditions/parts/gs1.js';
import { scanKey } from '../scans/key.js';
import type { Scan } from '../scans/scan.js';
import { type ScanContext, statusOf } from '../scans/seen-scan.js';
import { createDetailReader, type MoveDetail } from './detail.js';
import type { PlaceSettings } from './list.js';

/** A scan that takes a barcode in or out. */
export interface PlaceScan extends MoveDetail {
  readonly scanId: string;
  readonly key: string;
  /** The barcode as an index key. */
  readonly barcode: string;
  readonly value: string;
  /** The moment at which the scan counts. */
  readonly at: number;
  readonly entering: boolean;
  /** The device: its udid, or the account's id where no relay received the scan; empty where the scan names none. */
  readonly gate: string;
  readonly user: string;
  /** Whether the account has recorded the scan. */
  readonly recorded: boolean;
  /** When the scan arrived; undefined for a stored move. */
  readonly arrivedAt?: number;
  /** The time by the device's clock, where it was not believed. */
  readonly said?: number;
}

export interface PlaceMove extends PlaceScan {
  /** The change of how many are inside; 0 for an *in* of a barcode inside, or an *out* of one outside. */
  readonly change: -1 | 0 | 1;
  /** Whether the move's scan was deleted for its age. */
  readonly pruned: boolean;
}

/** How far a device's clock may be ahead; with one further ahead, the scan counts at its arrival. */
export const mostAheadMs = 5 * 60_000;

function momentsOf({ at: said, modifiedAt, received }: Scan): Pick<PlaceScan, 'at' | 'arrivedAt' | 'said'> {
  const arrivedAt = received.length > 0 ? Math.min(...received.map(({ receivedAt }) => receivedAt)) : modifiedAt;
  if (arrivedAt === undefined || arrivedAt <= 0) {
    return { at: said };
  }
  const at = said > arrivedAt + mostAheadMs ? arrivedAt : said;
  const clock = Date.parse(`${received[0]?.scannedAtUtc?.replace(' ', 'T')}Z`) || said;
  return { at, arrivedAt, ...(clock === at ? {} : { said: clock }) };
}

/** Reads scans as a list counts them; undefined: the list does not count the scan. */
export function createPlaceReader(
  settings: PlaceSettings,
  validators: ScanContext['validators'],
): (scan: Scan) => PlaceScan | undefined {
  const idsOf = (ids: readonly string[]) => [...ids, ...ids.flatMap((id) => settings.devices[id] ?? [])];
  const context = { validates: false, findsDuplicates: false, gs1: createGs1Reader() };
  const compiled = (side: PlaceSettings['in']): readonly Predicate[] =>
    side.map((condition) => {
      const isOfDevice = condition.kind === 'from' && condition.what === 'device';
      const wanted = isOfDevice ? { ...condition, ids: idsOf(condition.ids) } : condition;
      return kindOf(wanted).predicate(wanted, context);
    });
  const [entering, isLeaving] = [compiled(settings.in), compiled(settings.out)];
  const detailOf = createDetailReader(settings);
  /** Whether another fact than the scan's user says who has the thing. */
  const isNamed = settings.custody !== undefined && settings.name !== undefined;
  return (scan) => {
    const facts = { scan: asValidated(scan, validators), countBefore: () => 0, watched: false, names: {} };
    const meets = (side: readonly Predicate[]) => side.length > 0 && side.every((fits) => fits(facts));
    if (!facts.scan.valid && !settings.refused) {
      return undefined;
    }
    const isIn = meets(entering);
    const moments = momentsOf(scan);
    return isIn || meets(isLeaving)
      ? {
          ...detailOf(scan, facts.scan, { at: moments.at, entering: isIn }),
          scanId: scan.id,
          key: scanKey(scan.value),
          barcode: placeBarcode(scan.value),
          value: scan.value,
          ...moments,
          entering: isIn,
          gate: facts.scan.udid ?? '',
          user: isNamed ? '' : (facts.scan.userid ?? ''),
          recorded: scan.recorded !== undefined,
        }
      : undefined;
  };
}

export function placeBarcode(value: string): string {
  return indexKey(asAnswered(value));
}

/**
 * The scan as conditions read it. Service, user, answers and properties are the account's where it recorded the scan,
 * since people edit them there; the device, the times and the finding are those that a relay received, if one did.
 */
function asValidated(scan: Scan, validators: ScanContext['validators']): ValidatedScan {
  const { recorded, received } = scan;
  const [firstScan] = received;
  const text = (id: string | undefined) => (id === undefined || id === '' ? undefined : id);
  return {
    id: scan.id,
    tid: scan.value,
    sid: text(recorded?.service.id) ?? firstScan?.sid,
    userid: text(recorded?.user.id) ?? firstScan?.userid,
    udid: firstScan?.udid ?? text(recorded?.device.id),
    givenStatus: firstScan?.givenStatus,
    scannedAtUtc: firstScan?.scannedAtUtc,
    receivedAt: firstScan?.receivedAt ?? scan.at,
    answers: recorded?.answers ?? firstScan?.answers ?? [],
    properties: recorded?.properties ?? firstScan?.properties ?? [],
    valid: statusOf(scan, validators) !== 'invalid',
    text: recorded?.result || (firstScan?.text ?? ''),
    finding: (firstScan?.finding ?? 'valid') as ValidatedScan['finding'],
    late: firstScan?.late ?? false,
  };
}

/**
 * The moves of each barcode.
 * @param keptMoves earlier moves whose scans were pruned
 * @param startsInside whether a barcode is inside before its first move, as a thing that can be lent
 */
export function foldEach(
  placeScans: readonly PlaceScan[],
  keptMoves: readonly PlaceMove[],
  startsInside: boolean,
): readonly (readonly PlaceMove[])[] {
  const byBarcode = new Map<string, { readonly scans: PlaceScan[]; readonly kept: PlaceMove[] }>();
  const movesOf = (barcode: string) => {
    const known = byBarcode.get(barcode) ?? { scans: [], kept: [] };
    byBarcode.set(barcode, known);
    return known;
  };
  for (const scan of placeScans) movesOf(scan.barcode).scans.push(scan);
  for (const move of keptMoves) movesOf(move.barcode).kept.push(move);
  return [...byBarcode.values()].map(({ scans, kept }) => foldMoves(scans, kept, startsInside));
}

/** The moves of one barcode. A kept move goes if the scan is still stored: the relay's copy of it, or the account's. */
function foldMoves(
  scans: readonly PlaceScan[],
  keptMoves: readonly PlaceMove[],
  startsInside: boolean,
): readonly PlaceMove[] {
  const nameOf = (at: number, entering: boolean, recorded: boolean) => `${at} ${entering} ${recorded}`;
  const scanNames = new Set(scans.map(({ at, entering, recorded }) => nameOf(at, entering, !recorded)));
  const prunedMoves = keptMoves
    .filter(({ at, entering, recorded }) => !scanNames.has(nameOf(at, entering, recorded)))
    .map((move) => ({ ...move, pruned: true }));
  let inside = startsInside;
  return [...scans.map((scan) => ({ ...scan, pruned: false })), ...prunedMoves]
    .sort((one, other) => one.at - other.at || (one.scanId < other.scanId ? -1 : 1))
    .map((move) => {
      const change = move.entering === inside ? 0 : move.entering ? 1 : -1;
      inside = move.entering;
      return { ...move, change };
    });
}
