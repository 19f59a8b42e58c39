/**
 * Burst alarm: n invalid scans within m minutes, then none for m minutes. Its memory is a text that the commit stores.
 * Pure.
 */
import { z } from 'zod';
import type { Condition } from '../../relays/settings.js';

export type Burst = Extract<Condition, { kind: 'burst' }>;

const memoryShape = z.object({
  /** When the last invalid scans came, newest last; at most `n`. */
  at: z.array(z.number()),
  toldAt: z.number().optional(),
});
type Memory = z.output<typeof memoryShape>;

/** An invalid scan at `at`. `memory`: what this returned last time; undefined at first, or if it was lost. */
export function countBurst(
  { n, minutes }: Pick<Burst, 'n' | 'minutes'>,
  memory: string | undefined,
  at: number,
): { readonly memory: string; readonly alarm: boolean } {
  const before = read(memory);
  const span = minutes * 60_000;
  // After the clock was set back, moments in the future would count for ever.
  const moments = [...before.at.filter((moment) => moment <= at && moment > at - span), at].slice(-n);
  const paused = before.toldAt !== undefined && before.toldAt <= at && before.toldAt > at - span;
  const alarm = moments.length === n && !paused;
  const toldAt = alarm ? at : before.toldAt;
  return { memory: JSON.stringify({ at: moments, ...(toldAt === undefined ? {} : { toldAt }) }), alarm };
}

function read(memory: string | undefined): Memory {
  if (memory === undefined) {
    return { at: [] };
  }
  try {
    return memoryShape.parse(JSON.parse(memory));
  } catch {
    return { at: [] };
  }
}
