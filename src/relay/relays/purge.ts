/**
 * The deletion of a workspace's relays with all that belongs to them. Their URLs end first, so that no scan is accepted
 * that is deleted a moment later.
 */
import type { Clock } from '../../clock.js';
import { equal } from '../../database/equal.js';
import { createPace } from '../../database/pace.js';
import { eraseIncidents } from '../../incidents/incident-rows.js';
import type { Owner } from '../../ownership.js';
import { deleteQueues, queuesOf, wakeQueues } from '../../posts/outbox/channel-queues.js';
import { releaseSources } from '../../posts/outbox/held-sources.js';
import { eraseScanlessPosts } from '../../posts/retention/erase-posts.js';
import { dropOwner } from '../../scans/owners.js';
import { eraseWatchesAndMutes } from '../../watches/watch-and-mute-rows.js';
import type { Store } from '../../workspaces/types.js';
import { lockRelaysOf } from '../record/lock.js';
import { createScanErasure } from '../retention/erase.js';

export function createRelayPurge(store: Pick<Store, 'db' | 'kind'>, clock: Clock) {
  const { db } = store;
  const scans = createScanErasure(store, clock);

  return async (owner: Owner, stopping: AbortSignal): Promise<void> => {
    const { installation, team } = owner;
    const workspace = { installation, team };
    const relays = await db.selectFrom('relays').select('id').where(equal(workspace)).execute();
    const ids = relays.map(({ id }) => id);
    if (ids.length > 0) {
      await db.deleteFrom('relay_secrets').where('relay_id', 'in', ids).execute();
    }
    // All scans are erased, however late their ids: one may come from a clock that was ahead.
    await scans.eraseAll(owner, Number.MAX_SAFE_INTEGER, stopping);
    await createPace(store, clock, stopping).walk(0, (trx, after, limit) =>
      eraseScanlessPosts(trx, owner, { after, limit, alerts: 'none' }),
    );
    if (stopping.aborted) {
      return;
    }
    await db.transaction().execute(async (trx) => {
      await lockRelaysOf(trx, workspace);
      const queues = await queuesOf(trx, workspace);
      await eraseIncidents(trx, owner);
      await eraseWatchesAndMutes(trx, workspace);
      await trx.deleteFrom('digests').where(equal(workspace)).execute();
      await wakeQueues(trx, queues, clock.now());
      await deleteQueues(trx, queues);
      if (ids.length > 0) {
        for (const table of [
          'silences',
          'rule_memories',
          'removed_rules',
          'relay_secrets',
          'relay_refusals',
        ] as const) {
          await trx.deleteFrom(table).where('relay_id', 'in', ids).execute();
        }
        await releaseSources(
          trx,
          ids.map((id) => ({ kind: 'relay', id })),
        );
        await trx.deleteFrom('relays').where('id', 'in', ids).execute();
        await dropOwner(trx, owner);
      }
    });
  };
}
