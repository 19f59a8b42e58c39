/**
 * Watches: a person is mentioned at the next scans of a barcode, whichever relay receives them. Every watch has an end,
 * and a workspace has a limited number.
 */
import type { Clock, Random } from '../clock.js';
import { createIds } from '../database/ids.js';
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import { createWatchAndMuteStore, type Viewer, type Watch } from './watch-and-mute-rows.js';

const watchesAtMost = 500;

export function createWatches(deps: { store: Pick<Store, 'db'>; clock: Clock; random: Random }) {
  const { clock, random } = deps;
  const store = createWatchAndMuteStore(deps.store.db).watches;
  const makeId = createIds(clock, random);
  return {
    /**
     * Watches a barcode from now on for `forMs`; a repetition only changes the end.
     * @throws ScandeskError `relay.too_many`
     */
    watch(
      owner: Owner,
      { forMs, ...what }: Pick<Watch, 'value' | 'channel' | 'who' | 'loan'> & { readonly forMs: number },
    ): Promise<Watch> {
      const madeAt = clock.now();
      return store.add(owner, { ...what, id: makeId(), madeAt, until: madeAt + forMs }, watchesAtMost);
    },
    /** The watches that the viewer made, or that are for the viewer's channel; newest first. */
    list: (owner: Owner, by: Viewer): Promise<readonly Watch[]> => store.list(owner, clock.now(), by),
    /** Ends a watch; undefined: there is none with the id, or the viewer does not see it. */
    stop: (owner: Owner, by: Viewer, id: string): Promise<Watch | undefined> => store.end(owner, by, id),
  };
}

export type Watches = ReturnType<typeof createWatches>;
