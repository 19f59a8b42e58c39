/**
 * Rerenders of a form after a choice in it: only the last of several choices is drawn.
 * A form that was submitted or replaced meanwhile is left alone: an old form must not cover what is shown once.
 */
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { ModalView } from '../block-kit/elements.js';
import { slackErrorCode } from '../bolt/errors.js';

export interface Rerenders {
  /** `window`: id and hash as of the choice. */
  draw(
    client: WebClient,
    modal: { readonly id: string; readonly hash?: string },
    make: () => Promise<ModalView>,
  ): Promise<void>;
}

interface Drawn {
  /** Identity of the last choice. */
  last: object;
  /** One update at a time. */
  turn: Promise<void>;
  /** Maps a hash to the one our own update produced: a choice may have been made before that update was seen. */
  readonly after: Map<string, string>;
}

const rememberAtMost = 1_000;

export function createRerenders(): Rerenders {
  const windows = new LRUCache<string, Drawn>({ max: rememberAtMost });

  function drawnOf(id: string): Drawn {
    const drawn = windows.get(id) ?? { last: {}, turn: Promise.resolve(), after: new Map<string, string>() };
    windows.set(id, drawn);
    return drawn;
  }

  return {
    async draw(client, { id, hash: seen }, make) {
      const drawn = drawnOf(id);
      const choice = {};
      drawn.last = choice;
      const view = await make();
      const work = drawn.turn.then(async () => {
        if (drawn.last !== choice) {
          return;
        }
        const hash = latest(drawn.after, seen);
        const now = await update(client, { view_id: id, view, ...(hash === undefined ? {} : { hash }) });
        if (hash !== undefined && now !== undefined) {
          drawn.after.set(hash, now);
        }
      });
      drawn.turn = work.catch(() => {});
      await work;
    },
  };
}

function latest(after: ReadonlyMap<string, string>, hash: string | undefined): string | undefined {
  let now = hash;
  while (now !== undefined && after.has(now)) {
    now = after.get(now);
  }
  return now;
}

/** Undefined where the form is gone or shows another view. */
async function update(
  client: WebClient,
  asked: { readonly view_id: string; readonly view: ModalView; readonly hash?: string },
): Promise<string | undefined> {
  try {
    return (await client.views.update(asked)).view?.hash;
  } catch (error) {
    const word = slackErrorCode(error);
    if (word === 'hash_conflict' || word === 'not_found') {
      return undefined;
    }
    throw error;
  }
}
