/**
 * How far devices' clocks are off, in memory. A device's offset is known by three live pairs: two scans that arrive at
 * least 30 s apart, and between which its clock advanced alike. Scans that waited on the device make no such pairs.
 */
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';

const apartMs = 30_000;
const alikeMs = 5_000;
const pairsNeeded = 3;
const knownForMs = 24 * 60 * 60_000;
/** A smaller offset is the way of the scan, and changes nothing. */
const leastOffsetMs = 60_000;
/** The least offset that people are told of. */
const wrongMs = 5 * 60_000;
const mostDevices = 20_000;
/** How many scans are read at a start: all devices that scan at the time are among them. */
const latestRead = 5_000;

export interface ClockedScan {
  readonly owner: Owner;
  readonly relayId: string;
  readonly udid: string;
  readonly scannedAt: number;
  readonly receivedAt: number;
}

interface DeviceClock {
  readonly owner: Owner;
  readonly udid: string;
  /** The relay that got the device's last scan. */
  relayId: string;
  /** The last scan: its arrival, and how much later than made it came. */
  at: number;
  delay: number;
  /** The latest live pairs, at most three: the arrival and the delay of the second scan of each. */
  pairs: readonly { readonly at: number; readonly delay: number }[];
}

/** A device whose clock is wrong. `offsetMs`: positive for a slow clock. */
export interface WrongClock extends Pick<DeviceClock, 'owner' | 'udid' | 'relayId'> {
  readonly offsetMs: number;
}

/** Learns devices' offsets from their scans, in the order of arrival. */
export function createClockOffsets() {
  const clocks = new LRUCache<string, DeviceClock>({ max: mostDevices });

  const offsetOf = ({ pairs, at }: DeviceClock): number => {
    if (pairs.length < pairsNeeded) {
      return 0;
    }
    const delays = pairs.filter((pair) => at - pair.at < knownForMs).map(({ delay }) => delay);
    const least = Math.min(...delays);
    const isKnown = delays.length === pairsNeeded && Math.max(...delays) - least <= alikeMs;
    return isKnown && Math.abs(least) >= leastOffsetMs ? least : 0;
  };

  /** Takes a scan in; returns the device's offset with that scan. */
  const observe = ({ owner, relayId, udid, scannedAt, receivedAt }: ClockedScan): number => {
    const key = `${owner.installation}:${owner.team}:${udid}`;
    const clock = clocks.get(key);
    const delay = receivedAt - scannedAt;
    if (!clock) {
      clocks.set(key, { owner, udid, relayId, at: receivedAt, delay, pairs: [] });
      return 0;
    }
    if (receivedAt - clock.at >= apartMs && Math.abs(delay - clock.delay) <= alikeMs) {
      clock.pairs = [...clock.pairs, { at: receivedAt, delay }].slice(-pairsNeeded);
    }
    clock.relayId = relayId;
    clock.at = receivedAt;
    clock.delay = delay;
    return offsetOf(clock);
  };

  return { clocks, offsetOf, observe };
}

export function createDeviceClocks(db: Kysely<Schema>) {
  const { clocks, offsetOf, observe } = createClockOffsets();
  let loading: Promise<void> | undefined;
  let isLoaded = false;

  return {
    observe,
    /**
     * Reads the latest scans, once; scans that come meanwhile wait. Without them, the offsets are learned anew. Undefined
     * once that is done: the intake of a scan waits for no promise that it does not need.
     */
    load: (): Promise<void> | undefined => {
      loading ??= latestScans(db)
        .then(
          (scans) => scans.forEach(observe),
          () => undefined,
        )
        .then(() => {
          isLoaded = true;
        });
      return isLoaded ? undefined : loading;
    },
    /** The devices whose clocks are wrong, as far as this process knows. */
    wrong: (now: number): readonly WrongClock[] =>
      [...clocks.values()].flatMap((clock) => {
        const { owner, udid, relayId, at } = clock;
        const offsetMs = now - at < knownForMs ? offsetOf(clock) : 0;
        return Math.abs(offsetMs) >= wrongMs ? [{ owner, udid, relayId, offsetMs }] : [];
      }),
  };
}

async function latestScans(db: Kysely<Schema>): Promise<readonly ClockedScan[]> {
  const rows = await db
    .selectFrom('received_scans as scans')
    .innerJoin('owners', 'owners.id', 'scans.owner')
    .select(['installation', 'team', 'relay_id', 'udid', 'scanned_at', 'received_at', 'test'])
    .orderBy('scans.id', 'desc')
    .limit(latestRead)
    .execute();
  return rows
    .reverse()
    .flatMap(({ installation, team, relay_id: relayId, udid, scanned_at, received_at, test }) =>
      udid === null || scanned_at === null || test === 1
        ? []
        : [{ owner: { installation, team }, relayId, udid, scannedAt: scanned_at, receivedAt: received_at }],
    );
}

export type DeviceClocks = ReturnType<typeof createDeviceClocks>;
