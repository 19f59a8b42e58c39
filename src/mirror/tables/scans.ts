/**
 * The scans of mirrors, written under the lock of their mirror's row: an answer does not overwrite scans that changed
 * through Scandesk after its request.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { chunksOf } from '../../database/chunks.js';
import { createAccountScans, type DatedScan } from '../../scans/account/account-scan-rows.js';
import type { Store } from '../../workspaces/types.js';
import { afterAllChanges, changedSince, changeNumber, lockParent, raise, settle } from './changes.js';

/** How many scans one transaction writes, which blocks the event loop on SQLite. */
const scansAtOnce = 100;

export function createMirroredScans(store: Pick<Store, 'db' | 'reads'>) {
  const { db } = store;
  const scans = createAccountScans(store);
  return {
    ...scans,

    /** Stores scans. @param since the change number from before they were requested */
    async put(mirrorId: number, round: number, newScans: readonly DatedScan[], since = afterAllChanges): Promise<void> {
      for (const chunk of chunksOf(newScans, scansAtOnce)) {
        await db.transaction().execute(async (trx) => {
          await lockParent(trx, 'scans', mirrorId, since);
          const ids = chunk.map(({ scan }) => scan.id);
          const changed = await changedSince(trx, 'scans', { id: mirrorId, keys: ids, since });
          await scans.put(
            trx,
            mirrorId,
            round,
            chunk.filter(({ scan }) => !changed.has(scan.id)),
          );
        });
        await nextTurn();
      }
    },

    /** The number of the scans' last change, to remember before a request leaves. */
    changeNumber: (mirrorId: number): Promise<number> => changeNumber(db, 'scans', mirrorId),
    /** Records that a full pass which began at this number has ended. */
    settle: (mirrorId: number, began: number): Promise<void> => settle(db, 'scans', mirrorId, began),

    /** Records that somebody changed these scans through Scandesk, or deleted them. */
    change: (mirrorId: number, ids: readonly string[], deleted: boolean): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await raise(trx, 'scans', mirrorId, ids);
        await (deleted ? scans.delete(trx, mirrorId, ids) : undefined);
      }),
  };
}

export type MirroredScans = ReturnType<typeof createMirroredScans>;
