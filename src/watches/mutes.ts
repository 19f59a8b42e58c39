/**
 * Mutes of a barcode, a rule or a relay in a channel. Scans are accepted and answered as usual; only posts are left
 * out. Every mute has a latest end, so that none is forgotten.
 */
import type { Clock, Random } from '../clock.js';
import { createIds } from '../database/ids.js';
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import { createWatchAndMuteStore, type Mute, type Muted, type Viewer } from './watch-and-mute-rows.js';

export interface NewMute extends Omit<Mute, 'id' | 'madeAt' | 'until'> {
  /** How long the mute lasts at most; 30 days by default. */
  readonly forMs?: number;
}

export const longestMuteMs = 30 * 86_400_000;
export const mostMutedPosts = 1_000;

const mutesAtMost = 500;

export function createMutes(deps: {
  store: Pick<Store, 'db'>;
  clock: Clock;
  random: Random;
  /** Whether the incident goes on. */
  isOpen(owner: Owner, incidentId: string): Promise<boolean>;
  /** Called once a mute was made, changed or ended by a person. */
  onChange?(owner: Owner, muted: Muted): Promise<void>;
}) {
  const { clock, random, onChange = async () => undefined } = deps;
  const store = createWatchAndMuteStore(deps.store.db).mutes;
  const makeId = createIds(clock, random);
  return {
    /**
     * Mutes from now on; a second call only changes the end. Undefined: the incident that the mute waits for is over.
     * @throws ScandeskError `relay.too_many`
     */
    async mute(owner: Owner, { forMs = longestMuteMs, ...newMute }: NewMute): Promise<Mute | undefined> {
      const madeAt = clock.now();
      const added = { ...newMute, id: makeId(), madeAt, until: madeAt + forMs };
      const mute = await store.add(owner, added, mutesAtMost);
      // The incident is checked again: one that ended just before the insert did not delete this mute.
      if (mute.incidentId !== undefined && !(await deps.isOpen(owner, mute.incidentId))) {
        await store.end(owner, { who: mute.who, channel: mute.channel }, mute.id);
        return undefined;
      }
      await onChange(owner, mute.what);
      return mute;
    },
    /** The mutes that the viewer made, or that are for the viewer's channel; newest first. */
    list: (owner: Owner, by: Viewer): Promise<readonly Mute[]> => store.list(owner, clock.now(), by),
    /** Ends a mute; undefined: there is none with the id, or the viewer does not see it. */
    async stop(owner: Owner, by: Viewer, id: string): Promise<Mute | undefined> {
      const ended = await store.end(owner, by, id);
      await (ended && onChange(owner, ended.what));
      return ended;
    },
  };
}

export type Mutes = ReturnType<typeof createMutes>;
