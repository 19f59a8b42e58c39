/** Loader that joins the mirror look-ups of one event-loop turn into one query. */

import type { CopyStore } from './mirror-table.js';
import type { CopiedValue } from './mirror-values.js';

type Question = Parameters<CopyStore['find']>[0][number];

export interface Finder {
  find(question: Question): Promise<CopiedValue | undefined>;
}

interface Waiting {
  readonly question: Question;
  readonly resolve: (value: CopiedValue | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const atOnce = 500;

export function createFinder(copies: Pick<CopyStore, 'find'>): Finder {
  const waiting: Waiting[] = [];
  let scheduled = false;

  const flush = async (): Promise<void> => {
    const batch = waiting.splice(0, atOnce);
    schedule();
    try {
      const found = await copies.find(batch.map(({ question }) => question));
      for (const [n, { resolve }] of batch.entries()) {
        resolve(found[n]);
      }
    } catch (error) {
      for (const { reject } of batch) {
        reject(error);
      }
    }
  };

  function schedule(): void {
    scheduled = waiting.length > 0;
    if (scheduled) {
      setImmediate(() => {
        scheduled = false;
        flush().catch(() => undefined);
      });
    }
  }

  return {
    find: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!scheduled) {
          schedule();
        }
      }),
  };
}
