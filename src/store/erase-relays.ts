/**
 * Owns what becomes of relays when the app is uninstalled: they stay, for an installation that is made again, but nothing is
 * posted for them.
 */
import { setAllPostsAside } from './relay-posts.js';
import type { EraseHook } from './types.js';

/** Pauses what an uninstalled app left behind, forgets who watched what, and sets aside what waits: there is nobody to post as. */
export function eraseRelays(now: () => number): EraseHook {
  return async (installation, trx, team) => {
    const at = now();
    const gone = { installation, ...(team === undefined ? {} : { team }) };
    await trx
      .updateTable('relays')
      .set({ paused_at: at, paused_why: 'uninstalled' })
      .where((eb) => eb.and(gone))
      .execute();
    await trx
      .deleteFrom('watches')
      .where((eb) => eb.and(gone))
      .execute();
    await trx
      .deleteFrom('mutes')
      .where((eb) => eb.and(gone))
      .execute();
    await setAllPostsAside(trx, gone, 'relay.uninstalled', at);
  };
}
