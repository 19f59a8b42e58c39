/** A person who has barcodes forgotten, and begins again where a kill broke the command, its window or the deletion off. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Store } from '../../../src/workspaces/types.js';
import type { Person } from '../person.js';

const tries = 10;
const lookEveryMs = 50;

export function createForgetting({
  person,
  channel,
  store,
}: {
  readonly person: Person;
  readonly channel: string;
  readonly store: Pick<Store, 'db'>;
}) {
  const isKept = async (tid: string) =>
    (await store.db.selectFrom('received_scans').select('id').where('tid', '=', tid).execute()).length > 0;

  const windowOf = async (tid: string): Promise<string | undefined> => {
    for (let looks = 0; looks < 40; looks++) {
      const top = (await person.views()).at(-1);
      if (top && JSON.stringify(top.view).includes(tid) && 'submit' in top.view) {
        return top.id;
      }
      await wait(lookEveryMs);
    }
    return undefined;
  };

  return {
    /** @param appListens resolves when the app takes commands */
    async forget(tid: string, appListens: () => Promise<void>): Promise<void> {
      for (let tried = 0; tried < tries && (await isKept(tid)); tried++) {
        try {
          await appListens();
          const said = await person.say(channel, `/scandesk forget ${tid}`);
          const view = said.ok ? await windowOf(tid) : undefined;
          if (view !== undefined) {
            await person.submit(view, {});
          }
        } catch {
          // The app was killed: the loop tries again.
        }
        for (let looks = 0; looks < 60 && (await isKept(tid)); looks++) {
          await wait(lookEveryMs);
        }
        for (const { id } of await person.views()) {
          await person.close(id);
        }
      }
      expect(await isKept(tid), `${tid} is kept`).toBe(false);
    },
  };
}
