/** Deletions of places: those of a forgotten barcode, of an erased workspace, of an uninstalled app. */
import type { Kysely } from 'kysely';
import { inEachTransaction } from '../database/claims/due-rows.js';
import { equal } from '../database/equal.js';
import type { MakeId } from '../database/ids.js';
import type { Schema } from '../database/schema.js';
import { forgetOverdue } from '../incidents/overdue.js';
import type { Owner } from '../ownership.js';
import { deletePostsUnder } from '../posts/outbox/single-posts.js';
import { scanKey } from '../scans/key.js';
import type { EraseHook } from '../workspaces/types.js';
import { redrawBoards } from './boards.js';
import { doublePrefix } from './doubles.js';
import { deleteEndedRuns, deleteLists, forgetLoans, listsOf, lockList, restart } from './list-rows.js';
import { replaceMoves, storedMoves } from './move-rows.js';
import { placeBarcode } from './moves.js';

const deletedAtOnce = 500;

/** Deletes a barcode from the lists, once its scans are deleted. @returns in how many lists it had moves */
export async function forgetPlaces(db: Kysely<Schema>, owner: Owner, value: string): Promise<number> {
  return await inEachTransaction(db, await listsOf(db, owner), async (trx, { id }) => {
    const list = await lockList(trx, id);
    if (!list) {
      return false;
    }
    const movesBefore = await storedMoves(trx, list.run, [scanKey(value)]);
    const movesLeft = movesBefore.filter(({ barcode }) => barcode !== placeBarcode(value));
    await replaceMoves(trx, list.run, movesBefore, movesLeft);
    await deletePostsUnder(trx, doublePrefix(id, value));
    const thing = { key: scanKey(value), barcode: placeBarcode(value) };
    await forgetLoans(trx, [id], thing);
    await forgetOverdue(trx, { listId: id, ...thing });
    return movesLeft.length < movesBefore.length;
  });
}

/** Empties the owner's lists, once the scans are deleted: the lists stay, and count any scan that is still stored. */
export async function erasePlaces(
  db: Kysely<Schema>,
  makeId: MakeId,
  owner: Owner,
  { now, stopping }: { readonly now: number; readonly stopping: AbortSignal },
): Promise<void> {
  await inEachTransaction(db, await listsOf(db, owner), async (trx, { id }) => {
    const list = await lockList(trx, id);
    await (list && restart(trx, list, { run: makeId() }));
    await forgetLoans(trx, [id]);
    await forgetOverdue(trx, { listId: id });
    await deletePostsUnder(trx, `${id}.double`);
    await redrawBoards(trx, id, now);
    return true;
  });
  for (let hasMore = true; hasMore && !stopping.aborted; ) {
    hasMore = await deleteEndedRuns(db, deletedAtOnce);
  }
}

/** Deletes lists and boards in the transaction that erases an installation, or one of its teams. */
export const erasePlaceLists: EraseHook = async (installation, trx, team) => {
  await deleteLists(trx, { installation, team });
  await trx.deleteFrom('place_boards').where(equal({ installation, team })).execute();
};
