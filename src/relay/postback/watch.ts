/** Regular checks while work is under way: one timer for all work, so that work that ends quickly costs none. */
import type { Clock } from '../../clock.js';

/**
 * Returns a function to call whenever work begins.
 * @param check returns whether any is still under way
 */
export function createWatch(clock: Clock, everyMs: number, check: () => boolean): () => void {
  let watching = false;
  const watch = async (): Promise<void> => {
    watching = true;
    try {
      do {
        await clock.sleep(everyMs);
      } while (check());
    } finally {
      watching = false;
    }
  };
  return () => {
    if (!watching) {
      watch().catch(() => undefined);
    }
  };
}
