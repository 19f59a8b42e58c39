/**
 * A burst opens with n invalid scans within m minutes, and is over when none came for m minutes. The rule's memory is a
 * text that the commit stores: the scans before a burst. An open burst is remembered by its incident alone. Pure.
 */
import { z } from 'zod';
import { addToTally, emptyTally } from '../../incidents/tally.js';
import type { BurstFigures } from '../../incidents/writes.js';
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
});
type Memory = z.output<typeof memoryShape>;

export interface BurstStep {
  /** The new memory; undefined: as before. */
  readonly memory?: string;
  /** When an earlier burst ended, if this scan shows that it is over. */
  readonly endedAt?: number;
  /** Set if this scan opens a burst; `last`: ids of the burst's latest scans. */
  readonly opened?: BurstFigures & { readonly last: readonly string[] };
  /** Set if this scan belongs to the open burst. */
  readonly counted?: BurstFigures;
}

/** The most scans of which more than the moment is remembered. */
const mostRemembered = 200;
/** The most opening scans that the thread of a burst shows. */
const mostShown = 10;

/**
 * Counts a scan.
 * @param memory the memory that the last call returned; undefined at first, or if it was lost
 * @param open the rule's open burst
 */
export function countBurst(
  { n, minutes }: Pick<ConditionOf<'burst'>, 'n' | 'minutes'>,
  memory: string | undefined,
  open: BurstFigures | undefined,
  scan: BurstScan,
): BurstStep {
  const { receivedAt: at } = scan;
  if (open && !isOver(open.lastAt, minutes, at)) {
    return { counted: { ...open, lastAt: at, scans: open.scans + 1, tally: addToTally(open.tally, [scan]) } };
  }
  const memoryBefore = parseMemory(memory);
  const spanMs = minutes * 60_000;
  const burstEnd = open && { endedAt: open.lastAt + spanMs };
  // Moments in the future are dropped: after the clock was set back, they would count for ever.
  const moments = [...memoryBefore.at.filter((moment) => moment <= at && moment > at - spanMs), at].slice(-n);
  const lastScans = [...memoryBefore.last, [scan.id, scan.sid ?? null, scan.finding] as const].slice(
    -Math.min(moments.length, mostRemembered),
  );
  if (moments.length < n) {
    return { memory: write({ at: moments, last: lastScans.map(([...one]) => one) }), ...burstEnd };
  }
  const tally = addToTally(
    emptyTally,
    lastScans.map(([, sid, finding]) => ({ sid, finding })),
  );
  const figures = { beganAt: moments[0] ?? at, lastAt: at, scans: moments.length, tally };
  const last = lastScans.slice(-mostShown).map(([id]) => id);
  return { memory: write({ at: [], last: [] }), ...burstEnd, opened: { ...figures, last } };
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

function write({ at, last }: Memory): string {
  return JSON.stringify({ at, ...(last.length > 0 ? { last } : {}) });
}
