/**
 * Watches: a person is mentioned at the next scans of a barcode, whichever relay receives them. Every watch has an end,
 * and a workspace has a limited number.
 */
import type { Clock, Random } from '../clock.js';
import { createIds } from '../database/ids.js';
import { ScandeskError } from '../errors.js';
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import { createWatchAndMuteStore, type Viewer, type WatchRecord } from './table.js';

export type Watch = WatchRecord;

export interface Watches {
  /**
   * Watches a barcode from now on for `forMs`; repeating only changes the duration.
   * @throws ScandeskError `relay.too_many`
   */
  watch(
    owner: Owner,
    what: { readonly value: string; readonly channel: string; readonly who: string; readonly forMs: number },
  ): Promise<Watch>;
  /** The watches that the viewer made, or that are for the viewer's channel; newest first. */
  list(owner: Owner, by: Viewer): Promise<readonly Watch[]>;
  /** Ends a watch; undefined: it has expired, or the viewer does not see it. */
  stop(owner: Owner, by: Viewer, id: string): Promise<Watch | undefined>;
}

const watchesAtMost = 500;

export function createWatches(deps: { store: Pick<Store, 'db'>; clock: Clock; random: Random }): Watches {
  const { clock, random } = deps;
  const store = createWatchAndMuteStore(deps.store.db).watches;
  const makeId = createIds(clock, random);
  return {
    async watch(owner, { value, channel, who, forMs }) {
      const madeAt = clock.now();
      const added = { id: makeId(), value, channel, who, madeAt, until: madeAt + forMs };
      const watch = await store.add(owner, added, watchesAtMost);
      if (!watch) {
        throw new ScandeskError('relay.too_many', 'the workspace has reached its limit of watches');
      }
      return watch;
    },
    list: (owner, by) => store.list(owner, clock.now(), by),
    stop: (owner, by, id) => store.end(owner, by, id),
  };
}
