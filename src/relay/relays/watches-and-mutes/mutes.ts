/**
 * Mutes of a barcode, a rule or a relay in a channel. Scans are accepted and answered as usual; only posts are left
 * out. Every mute has an end, so that none is forgotten.
 */
import type { Clock, Random } from '../../../clock.js';
import { createIds } from '../../../database/ids.js';
import type { Owner } from '../../../ownership.js';
import type { Store } from '../../../workspaces/types.js';
import { RelayError } from '../../intake/errors.js';
import { createWatchAndMuteStore, type Muted, type MuteRecord, type Viewer } from './table.js';

export type Mute = MuteRecord;
export type { Muted };

export interface Mutes {
  /**
   * From now on for `forMs`; repeating only changes the duration.
   * @throws RelayError `relay.too_many`
   */
  mute(
    owner: Owner,
    mute: { readonly what: Muted; readonly channel: string; readonly who: string; readonly forMs: number },
  ): Promise<Mute>;
  /** Those that the viewer made, or that are for the viewer's channel; newest first. */
  list(owner: Owner, by: Viewer): Promise<readonly Mute[]>;
  /** Undefined: it has expired, or the viewer does not see it. */
  stop(owner: Owner, by: Viewer, id: string): Promise<Mute | undefined>;
}

const mutesAtMost = 500;

export function createMutes(deps: { store: Pick<Store, 'db'>; clock: Clock; random: Random }): Mutes {
  const { clock, random } = deps;
  const store = createWatchAndMuteStore(deps.store.db);
  const makeId = createIds(clock, random);
  return {
    async mute(owner, { what, channel, who, forMs }) {
      const madeAt = clock.now();
      const added = { id: makeId(), what, channel, who, madeAt, until: madeAt + forMs };
      const mute = await store.mute(owner, added, mutesAtMost);
      if (!mute) {
        throw new RelayError('relay.too_many', 'the workspace has reached its limit of mutes');
      }
      return mute;
    },
    list: (owner, by) => store.mutes(owner, clock.now(), by),
    stop: (owner, by, id) => store.endMute(owner, by, id),
  };
}
