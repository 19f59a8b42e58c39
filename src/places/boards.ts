/**
 * The rows of boards: live messages that show a list's figures in a channel. A board's key is its post's; the post's
 * message is edited while the row exists, and deleted afterwards.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PlaceBoardsTable, Schema } from '../database/schema.js';
import { enqueue } from '../posts/outbox/enqueue.js';
import { changePost, postsToBeUpdated, touchPost } from '../posts/outbox/single-posts.js';
import { courseOf, figuresOf, firstMoveAfter, type PlaceCourse, type PlaceFigures } from './figures.js';
import type { PlaceList } from './list.js';

type Trx = Transaction<Schema>;

/** The figures that a board shows. */
export interface BoardContent {
  readonly name: string;
  readonly zone: string;
  readonly capacity?: number | undefined;
  readonly figures: PlaceFigures;
  readonly course?: PlaceCourse | undefined;
}

export const mostBoards = 10;
/** Slack's limit of columns in a chart. */
const mostColumns = 20;
const hourMs = 3_600_000;
/** The least time between two updates for the last hour's figures, which fall by themselves. */
const leastWaitMs = 60_000;
/** How often the post of an unchanged board is touched, so that it is not deleted for its age. */
const touchEveryMs = 12 * hourMs;

function toBoard(row: Selectable<PlaceBoardsTable>) {
  return {
    key: row.key,
    listId: row.list_id,
    owner: { installation: row.installation, team: row.team },
    channel: row.channel,
    createdBy: row.created_by,
    /** Set once Slack takes no more changes of the board's message. */
    ...(row.lost_at === null ? {} : { lost: { at: row.lost_at, code: row.lost_code ?? '' } }),
  };
}

export type PlaceBoard = ReturnType<typeof toBoard>;

export async function boardsOf(db: Kysely<Schema>, listId: string): Promise<readonly PlaceBoard[]> {
  const rows = await db.selectFrom('place_boards').selectAll().where('list_id', '=', listId).orderBy('key').execute();
  return rows.map(toBoard);
}

export async function findBoard(db: Kysely<Schema>, key: string): Promise<PlaceBoard | undefined> {
  const row = await db.selectFrom('place_boards').selectAll().where('key', '=', key).executeTakeFirst();
  return row && toBoard(row);
}

/** The outcome of showing a list in a channel. `there`: a board shows it already. */
export type BoardOutcome = 'shown' | 'there' | 'too_many';

/** Call it with the list locked. A board whose message was lost is replaced. */
export async function addBoard(
  trx: Trx,
  list: PlaceList,
  { key, channel, by }: { readonly key: string; readonly channel: string; readonly by: string },
  now: number,
): Promise<BoardOutcome> {
  const boards = await boardsOf(trx, list.id);
  const boardThere = boards.find((board) => board.channel === channel);
  if (!boardThere && boards.length >= mostBoards) {
    return 'too_many';
  }
  if (boardThere && !boardThere.lost) {
    return 'there';
  }
  await removeBoards(trx, list.id, now, (board) => board.channel === channel);
  await trx
    .insertInto('place_boards')
    .values({ key, list_id: list.id, ...list.owner, channel, shown: '', created_by: by, created_at: now })
    .execute();
  const source = { kind: 'list' as const, id: list.id };
  await enqueue(trx, { posts: [{ key, queue: { ...list.owner, channel }, source, at: now, kind: 'board' }] });
  return 'shown';
}

/** Removes a list's boards, all or those that `is` names; their messages are deleted, where Slack still has them. */
export async function removeBoards(
  trx: Trx,
  listId: string,
  now: number,
  is: (board: PlaceBoard) => boolean = () => true,
): Promise<void> {
  for (const { key } of (await boardsOf(trx, listId)).filter(is)) {
    await trx.deleteFrom('place_boards').where('key', '=', key).execute();
    await changePost(trx, key, now);
  }
}

/** Updates the messages of a list's boards by what is known then. */
export async function redrawBoards(trx: Trx, listId: string, now: number): Promise<void> {
  for (const { key } of await boardsOf(trx, listId)) await changePost(trx, key, now);
}

export async function boardContent(db: Kysely<Schema>, list: PlaceList, now: number): Promise<BoardContent> {
  const [figures, course] = await Promise.all([figuresOf(db, list, now), courseOf(db, list, mostColumns, now)]);
  return { name: list.name, zone: list.settings.zone, capacity: list.settings.capacity, figures, course };
}

async function nextChange(db: Kysely<Schema>, list: PlaceList, now: number): Promise<number> {
  const first = await firstMoveAfter(db, list.run, now - hourMs);
  return Math.min(now + touchEveryMs, Math.max(now + leastWaitMs, (first ?? Number.POSITIVE_INFINITY) + hourMs));
}

/** Records the figures that a board's message is about to show. */
export async function recordBoardContent(
  db: Kysely<Schema>,
  list: PlaceList,
  { key, content, now }: { readonly key: string; readonly content: BoardContent; readonly now: number },
): Promise<void> {
  const change = { shown: JSON.stringify(content), due_at: await nextChange(db, list, now) };
  await db.updateTable('place_boards').set(change).where('key', '=', key).execute();
}

/**
 * Plans updates of the messages whose figures have changed; a message that waits for its update shows this change as
 * well.
 * @returns the writes, for the transaction in which the list's folding ends, if there may be any
 */
export async function planBoards(
  db: Kysely<Schema>,
  list: PlaceList,
  { isChanged, now }: { readonly isChanged: boolean; readonly now: number },
): Promise<((trx: Trx) => Promise<void>) | undefined> {
  const rows = await db
    .selectFrom('place_boards')
    .select(['key', 'shown', 'due_at'])
    .where('list_id', '=', list.id)
    .where('lost_at', 'is', null)
    .execute();
  if (rows.length === 0) {
    return undefined;
  }
  const behind = await postsToBeUpdated(
    db,
    rows.map(({ key }) => key),
  );
  const content = rows.every(({ key }) => behind.has(key)) ? '' : JSON.stringify(await boardContent(db, list, now));
  const nextChangeAt = await nextChange(db, list, now);
  return async (trx) => {
    for (const { key, shown, due_at: dueAt } of rows) {
      const isOther = behind.has(key) ? isChanged : shown !== content;
      const isDue = dueAt !== null && dueAt <= now;
      await (isOther ? changePost(trx, key, now) : isDue && touchPost(trx, key, now));
      if (isOther || isDue) {
        await trx.updateTable('place_boards').set({ due_at: nextChangeAt }).where('key', '=', key).execute();
      }
    }
  };
}

/** Records that Slack takes no changes of a board's message. False: that was known, or the board was removed. */
export async function loseBoard(db: Kysely<Schema>, key: string, code: string, now: number): Promise<boolean> {
  const lost = await db
    .updateTable('place_boards')
    .set({ lost_at: now, lost_code: code, due_at: null })
    .where('key', '=', key)
    .where('lost_at', 'is', null)
    .executeTakeFirst();
  return lost.numUpdatedRows > 0n;
}

/** Lost boards whose loss nobody was notified of. */
export async function boardsToNotify(db: Kysely<Schema>): Promise<readonly PlaceBoard[]> {
  const lost = db.selectFrom('place_boards').selectAll().where('lost_at', 'is not', null);
  return (await lost.where('notified_at', 'is', null).execute()).map(toBoard);
}

export async function markBoardNotified(db: Kysely<Schema>, key: string, at: number): Promise<void> {
  await db.updateTable('place_boards').set({ notified_at: at }).where('key', '=', key).execute();
}
