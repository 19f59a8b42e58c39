/** Loader that joins the mirror look-ups of one event-loop turn into one query. */
import type { MirroredValues, StoredValue } from './tables/values.js';

type Question = Parameters<MirroredValues['load']>[0][number];

interface Waiting {
  readonly question: Question;
  readonly resolve: (value: readonly StoredValue[]) => void;
  readonly reject: (error: unknown) => void;
}

const keysPerLoad = 500;

export function createMirrorLoader(mirrors: Pick<MirroredValues, 'load'>) {
  const waitingLoads: Waiting[] = [];
  let scheduled = false;

  const flush = async (): Promise<void> => {
    const batch = waitingLoads.splice(0, keysPerLoad);
    schedule();
    try {
      const found = await mirrors.load(batch.map(({ question }) => question));
      for (const [n, { resolve }] of batch.entries()) {
        resolve(found[n] ?? []);
      }
    } catch (error) {
      for (const { reject } of batch) {
        reject(error);
      }
    }
  };

  function schedule(): void {
    scheduled = waitingLoads.length > 0;
    if (scheduled) {
      setImmediate(() => {
        scheduled = false;
        flush().catch(() => undefined);
      });
    }
  }

  return {
    load: (question: Question): Promise<readonly StoredValue[]> =>
      new Promise((resolve, reject) => {
        waitingLoads.push({ question, resolve, reject });
        if (!scheduled) {
          schedule();
        }
      }),
  };
}
