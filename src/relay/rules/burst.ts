/**
 * A burst opens with n invalid scans within m minutes, and is over when none came for m minutes. The rule's memory is a
 * text that the commit stores; while a burst is open, the memory holds the figures of its incident. Pure.
 */
import { z } from 'zod';
import type { BurstFigures } from '../../incidents/batch-changes.js';
import { addToTally, emptyTally, tallySchema } from '../../incidents/tally.js';
import type { ConditionOf } from '../record/settings.js';

/** An invalid scan. */
export interface BurstScan {
  readonly id: string;
  readonly sid?: string | undefined;
  readonly finding: string;
  readonly receivedAt: number;
}

const memoryShape = z.object({
  /** The times of the last invalid scans, newest last; at most `n`. */
  at: z.array(z.number()).default([]),
  /** The last of the invalid scans: id, service, result code. */
  last: z.array(z.tuple([z.string(), z.string().nullable(), z.string()])).default([]),
  open: z.object({ beganAt: z.number(), lastAt: z.number(), scans: z.number(), tally: tallySchema }).optional(),
});
type Memory = z.output<typeof memoryShape>;

export interface BurstStep {
  readonly memory: string;
  /** When an earlier burst ended, if this scan shows that it is over. */
  readonly endedAt?: number;
  /** Set if this scan opens a burst; `last`: ids of the burst's latest scans. */
  readonly opened?: BurstFigures & { readonly last: readonly string[] };
  /** Set if this scan belongs to the open burst. */
  readonly counted?: BurstFigures;
}

/** `for_now`: the burst opens once the mute has ended, if it still lasts; `instead`: the burst is never posted. */
export type BurstMute = 'no' | 'for_now' | 'instead';

/** The most scans of which more than the moment is remembered. */
const mostRemembered = 200;
/** The most opening scans that the thread of a burst shows. */
const mostShown = 10;

/**
 * Counts a scan.
 * @param memory the memory that the last call returned; undefined at first, or if it was lost
 * @param mute called when a burst would open
 */
export function countBurst(
  { n, minutes }: Pick<ConditionOf<'burst'>, 'n' | 'minutes'>,
  memory: string | undefined,
  scan: BurstScan,
  mute: () => BurstMute = () => 'no',
): BurstStep {
  const memoryBefore = parseMemory(memory);
  const { receivedAt: at } = scan;
  const spanMs = minutes * 60_000;
  const { open } = memoryBefore;
  if (open && !isOver(open.lastAt, minutes, at)) {
    const counted = { ...open, lastAt: at, scans: open.scans + 1, tally: addToTally(open.tally, [scan]) };
    return { memory: write({ at: [], last: [], open: counted }), counted };
  }
  const burstEnd = open && { endedAt: open.lastAt + spanMs };
  // Moments in the future are dropped: after the clock was set back, they would count for ever.
  const moments = [...memoryBefore.at.filter((moment) => moment <= at && moment > at - spanMs), at].slice(-n);
  const lastScans = [...memoryBefore.last, [scan.id, scan.sid ?? null, scan.finding] as const].slice(
    -Math.min(moments.length, mostRemembered),
  );
  const mutedAs = moments.length < n ? 'for_now' : mute();
  if (mutedAs === 'for_now') {
    return { memory: write({ at: moments, last: lastScans.map(([...one]) => one) }), ...burstEnd };
  }
  const tally = addToTally(
    emptyTally,
    lastScans.map(([, sid, finding]) => ({ sid, finding })),
  );
  const figures = { beganAt: moments[0] ?? at, lastAt: at, scans: moments.length, tally };
  return {
    memory: write({ at: [], last: [], open: figures }),
    ...burstEnd,
    ...(mutedAs === 'instead' ? {} : { opened: { ...figures, last: lastScans.slice(-mostShown).map(([id]) => id) } }),
  };
}

/** Whether no invalid scan came for m minutes, or the last one is in the future of a clock that was set back. */
export function isOver(lastAt: number, minutes: number, now: number): boolean {
  return Math.abs(now - lastAt) >= minutes * 60_000;
}

function parseMemory(memory: string | undefined): Memory {
  try {
    return memoryShape.parse(memory === undefined ? {} : JSON.parse(memory));
  } catch {
    return { at: [], last: [] };
  }
}

function write({ at, last, ...rest }: Memory): string {
  return JSON.stringify({ at, ...(last.length > 0 ? { last } : {}), ...rest });
}
