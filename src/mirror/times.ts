/** The times of the mirror. */

export interface MirrorTimes {
  /** The poll interval for due mirrors. */
  readonly pollMs: number;
  /** The least time between two passes over a database. */
  readonly freshMs: number;
  /** The time added to it for each call of a pass: a large database is read less often. */
  readonly perCallMs: number;
  /** The time between two readings of the scans' changes. */
  readonly changesMs: number;
  /** The least time between two full passes over the scans. */
  readonly fullMs: number;
  readonly leaseMs: number;
  /** How far apart two complete listings must leave a database out for its mirror to be deleted. */
  readonly leftOutMs: number;
  readonly leastBackoffMs: number;
  readonly longestBackoffMs: number;
}

export const defaultMirrorTimes: MirrorTimes = {
  pollMs: 15_000,
  freshMs: 5 * 60_000,
  perCallMs: 60_000,
  changesMs: 15_000,
  fullMs: 6 * 60 * 60_000,
  leaseMs: 60_000,
  leftOutMs: 10 * 60_000,
  leastBackoffMs: 60_000,
  longestBackoffMs: 30 * 60_000,
};
