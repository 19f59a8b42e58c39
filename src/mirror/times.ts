/** The times of the mirror, in milliseconds. */

export const defaultMirrorTimes = {
  /** The poll interval for due mirrors. */
  pollMs: 15_000,
  /** The least time between two passes over a database. */
  freshMs: 5 * 60_000,
  /** The least time for each call of a pass until the next one: a large database is read less often. */
  perCallMs: 60_000,
  /** The time between two readings of the scans' changes. */
  changesMs: 15_000,
  /** The least time between two full passes over the scans. */
  fullMs: 6 * 60 * 60_000,
  leaseMs: 60_000,
  /** How long a database must be left out or not needed before its mirror is deleted. */
  leftOutMs: 10 * 60_000,
  leastBackoffMs: 60_000,
  longestBackoffMs: 30 * 60_000,
};

export type MirrorTimes = Readonly<typeof defaultMirrorTimes>;
