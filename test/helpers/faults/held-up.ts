/** How long a busy machine kept this process waiting: by how much a timer that is always due soon came late. */

const everyMs = 20;
/** Older delays are of no request any more. */
const keptMs = 60_000;

const delays: { readonly at: number; readonly ms: number }[] = [];
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  if (now - last > 2 * everyMs) {
    delays.push({ at: now, ms: now - last - everyMs });
  }
  while (delays[0] && delays[0].at < now - keptMs) {
    delays.shift();
  }
  last = now;
}, everyMs).unref();

/** The milliseconds for which this process was kept waiting since `since`, a value of `performance.now()`. */
export function heldUpSince(since: number): number {
  return delays.filter(({ at }) => at >= since).reduce((sum, { ms }) => sum + ms, 0);
}
