/**
 * Relays of an uninstalled app. These relays stay for a later installation and go on accepting scans under their URLs;
 * their posts become dead letters, since there is no token to post with.
 */
import type { Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Schema } from '../../database/schema.js';
import { eraseMirrors } from '../../mirror/index.js';
import { holdSources } from '../../posts/outbox/held-sources.js';
import { withdrawAllPosts, withdrawPosts } from '../../posts/outbox/source-posts.js';
import { eraseWatchesAndMutes } from '../../watches/watch-and-mute-rows.js';
import type { EraseHook, Store } from '../../workspaces/types.js';
import { postsOfRelay } from '../posts/undelivered-notices.js';
import { lockRelaysOf } from '../record/lock.js';

const uninstalledCode = 'relay.uninstalled';

/** The hooks for the transaction that erases an installation, or one of its teams. */
export function eraseHooks(clock: Clock): readonly EraseHook[] {
  return [eraseMirrors, eraseRelays(() => clock.now())];
}

/** Pauses the relays of an uninstalled app, deletes its watches and mutes, and withdraws its pending posts. */
function eraseRelays(now: () => number): EraseHook {
  return async (installation, trx, team) => {
    const erasedAt = now();
    const erasedOwner = { installation, team };
    const ids = await lockRelaysOf(trx, erasedOwner);
    if (ids.length > 0) {
      const paused = { paused_at: erasedAt, paused_why: 'uninstalled' };
      await trx.updateTable('relays').set(paused).where('id', 'in', ids).execute();
      await holdSources(
        trx,
        ids.map((id) => ({ kind: 'relay', id })),
        { updates: true },
      );
    }
    await eraseWatchesAndMutes(trx, erasedOwner);
    await withdrawAllPosts(trx, erasedOwner, uninstalledCode, erasedAt);
  };
}

/**
 * Withdraws the posts that relays of an uninstalled app have made since: of new scans, due digests, silences. Returns
 * how many relays had any.
 */
export async function withdrawUninstalledPosts({ db }: Pick<Store, 'db'>, now: number): Promise<number> {
  const relays = await db
    .selectFrom('relays')
    .select(['id', 'installation', 'team'])
    .where('paused_why', '=', 'uninstalled')
    .where((eb) => eb.exists(postsOfRelay(eb).where('outbox.finished_at', 'is', null)))
    .execute();
  for (const { id, installation, team } of relays) {
    await db.transaction().execute(async (trx) => {
      if (await isStillUninstalled(trx, id)) {
        await withdrawPosts(
          trx,
          { owner: { installation, team }, source: { kind: 'relay', id } },
          uninstalledCode,
          now,
        );
      }
    });
  }
  return relays.length;
}

/** A write locks the row in either database: nobody resumes it meanwhile. */
async function isStillUninstalled(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const update = await trx
    .updateTable('relays')
    .set((eb) => ({ paused_why: eb.ref('paused_why') }))
    .where('id', '=', id)
    .where('paused_why', '=', 'uninstalled')
    .executeTakeFirst();
  return update.numUpdatedRows > 0n;
}
