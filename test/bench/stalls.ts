/** Stalls of this process's event loop: by the clock, and by processor time, to which other programs do not add. */

export interface Stalls {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** The longest time between two turns of the event loop until the returned function is called. */
export function watchLoop(): () => Promise<Stalls> {
  let [wallMs, cpuMs] = [0, 0];
  let last = performance.now();
  let used = process.cpuUsage();
  let watching = true;
  const turn = () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    wallMs = Math.max(wallMs, now - last);
    // Other threads, as of the garbage collector, use processor time without stalling the loop.
    cpuMs = Math.max(cpuMs, Math.min(now - last, (user + system) / 1_000));
    last = now;
    if (watching) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  return () =>
    new Promise((done) =>
      setImmediate(() => {
        watching = false;
        done({ wallMs, cpuMs });
      }),
    );
}
