/**
 * The stored exports. The process that claims one makes a step of it; the step's rows are stored with the place of the
 * next one, in one transaction, and only under the claim: complete, in order, nothing twice. Of a workspace's exports,
 * those that ended are worked on, and the oldest open one.
 */
import { type Selectable, sql } from 'kysely';
import { type Claim, claimRows, columnsOfClaim, isUnclaimed, unclaimed } from '../database/claims/claim.js';
import { isDue } from '../database/claims/due-rows.js';
import { equal } from '../database/equal.js';
import { unsynced } from '../database/pace.js';
import type { ExportsTable } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import { enqueueOnce } from '../posts/outbox/enqueue.js';
import type { OutboxPost } from '../posts/outbox/post.js';
import { changePost, deleteFinishedPosts, findPost, keepDetail } from '../posts/outbox/single-posts.js';
import { withdrawPosts } from '../posts/outbox/source-posts.js';
import type { Store } from '../workspaces/types.js';
import { deleteChunks } from './chunks.js';
import { auditOf, endedOf } from './ended.js';
import { type ExportRecord, exportPosition, exportWhat, type NewExport } from './types.js';

/** The columns that a change under a claim may set. */
export type ExportChange = Partial<
  Pick<
    Selectable<ExportsTable>,
    'state' | 'position' | 'message_channel' | 'file_id' | 'shared_at' | 'delete_at' | 'failures'
  >
>;

export function createExportTable(store: Pick<Store, 'db' | 'kind' | 'audit'>) {
  const { db, kind } = store;
  /** The transactions are not synced to disk: a step that a power failure undoes is made again. */
  const transact = unsynced(kind);
  const ofOwner = ({ installation, team }: Owner) =>
    db.selectFrom('exports').where('installation', '=', installation).where('team', '=', team);
  /** Makes the deletion due of files that stay in Slack only for a while, or that are on their way there. */
  const hastenDeletion = ({ installation, team }: Owner, now: number) =>
    db
      .updateTable('exports')
      .set({ ...unclaimed, delete_at: now, due_at: now })
      .where(equal({ installation, team }))
      .where('delete_at', 'is not', null)
      .execute();

  return {
    async create(
      id: string,
      { owner, who, channel, what, mode, expected }: NewExport,
      { now, connectedAt }: { readonly now: number; readonly connectedAt: number | undefined },
    ): Promise<void> {
      await db
        .insertInto('exports')
        .values({
          id,
          ...owner,
          who,
          channel,
          mode,
          state: 'reading',
          what: JSON.stringify(what),
          position: '{}',
          connected_at: connectedAt ?? null,
          expected: expected ?? null,
          created_at: now,
          due_at: now,
          worked_at: now,
        })
        .execute();
    },

    async find(owner: Owner, id: string): Promise<ExportRecord | undefined> {
      const row = await ofOwner(owner).selectAll().where('id', '=', id).executeTakeFirst();
      return row && toExport(row);
    },

    /** How many exports of the owner have not ended. */
    async open(owner: Owner): Promise<number> {
      const row = await ofOwner(owner)
        .select((eb) => eb.fn.countAll().as('n'))
        .where('state', '<>', 'ended')
        .executeTakeFirst();
      return Number(row?.n ?? 0);
    },

    claim: (claim: Claim, now: number): Promise<ExportRecord | undefined> =>
      transact(db, async (trx) => {
        const [row] = await claimRows(trx, 'exports', columnsOfClaim(claim), (dueRows) =>
          dueRows
            .where(isDue('due_at', now))
            .where(isUnclaimed(now))
            .where((eb) =>
              eb.or([
                eb('state', '=', 'ended'),
                eb.not(
                  eb.exists(
                    eb
                      .selectFrom('exports as earlier')
                      .select('earlier.id')
                      .whereRef('earlier.installation', '=', 'exports.installation')
                      .whereRef('earlier.team', '=', 'exports.team')
                      .whereRef('earlier.id', '<', 'exports.id')
                      .where('earlier.state', '<>', 'ended'),
                  ),
                ),
              ]),
            )
            .orderBy('worked_at')
            .orderBy('id')
            .limit(1),
        );
        return row && toExport(row);
      }),

    /** Whether an export is due. Takes no lock. */
    async hasDue(now: number): Promise<boolean> {
      const row = await db.selectFrom('exports').select('id').where(isDue('due_at', now)).limit(1).executeTakeFirst();
      return row !== undefined;
    },

    /** The time when the next export is due; undefined: there is none. */
    async nextDue(): Promise<number | undefined> {
      const row = await db
        .selectFrom('exports')
        .select((eb) => eb.fn.min('due_at').as('at'))
        .executeTakeFirst();
      return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
    },

    /** Changes an export under a claim; false: it was ended, erased or claimed by another process. */
    change: (claim: Claim, record: ExportRecord, change: ExportChange): Promise<boolean> =>
      isChanged(updateHeld(claim, record).set(change)),

    /** Stores a chunk and the place where the next one begins. */
    append: (
      claim: Claim,
      record: ExportRecord,
      chunk: {
        readonly content: Uint8Array;
        readonly bytes: number;
        readonly rows: number;
        readonly change: ExportChange;
      },
    ): Promise<boolean> =>
      transact(db, async (trx) => {
        const { id, chunks: seq } = record;
        const sums = { chunks: seq + 1, rows: record.rows + chunk.rows, bytes: record.bytes + chunk.bytes };
        const update = updateHeld(claim, record, trx).set({ ...chunk.change, ...sums });
        if (!(await isChanged(update.where('chunks', '=', seq)))) {
          return false;
        }
        await trx.insertInto('export_chunks').values({ export_id: id, seq, content: chunk.content }).execute();
        return true;
      }),

    /** Adds the export’s post to the outbox, for a conversation. */
    post: (claim: Claim, record: ExportRecord, place: string, now: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        if (!(await isChanged(updateHeld(claim, record, trx).set({ message_channel: place, shown_at: now })))) {
          return false;
        }
        const { id, owner } = record;
        const post = { key: id, queue: { ...owner, channel: place }, source: { kind: 'export' as const, id } };
        await enqueueOnce(trx, { ...post, at: now, kind: 'export' });
        return true;
      }),

    /** Makes the export’s message show its progress, and the place of the file. */
    show: (claim: Claim, record: ExportRecord, now: number, place?: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        if (await isChanged(updateHeld(claim, record, trx).set({ message_channel: place, shown_at: now }))) {
          await changePost(trx, record.id, now);
        }
      }),

    postOf: ({ id }: Pick<ExportRecord, 'id'>): Promise<OutboxPost | undefined> => findPost(db, id),

    async release(
      { worker }: Claim,
      { id, state }: ExportRecord,
      { now, dueAt }: { readonly now: number; readonly dueAt: number },
    ): Promise<void> {
      await transact(db, (trx) =>
        trx
          .updateTable('exports')
          .set({
            ...unclaimed,
            worked_at: now,
            // An export that was canceled during the step stays due at once, to be reported.
            due_at:
              state === 'ended'
                ? dueAt
                : sql<number>`case when state = 'ended' and due_at < ${dueAt} then due_at else ${dueAt} end`,
          })
          .where(equal({ id, claimed_by: worker }))
          .execute(),
      );
    },

    /**
     * Ends the export with its audit row, then deletes its chunks; false: it was ended already, its claim is lost or,
     * without a claim, its file may be in Slack.
     */
    async end(record: ExportRecord, outcome: string, now: number, claim?: Claim): Promise<boolean> {
      const endedRow = await db.transaction().execute(async (trx) => {
        const changedRow = await (claim
          ? updateHeld(claim, record, trx)
          : trx.updateTable('exports').where('id', '=', record.id).where('shared_at', 'is', null)
        )
          .set({ state: 'ended', outcome, due_at: now, failures: 0 })
          .where('state', '<>', 'ended')
          .returningAll()
          .executeTakeFirst();
        if (changedRow) {
          await store.audit.add(record.owner, auditOf(toExport(changedRow), outcome, now), trx);
          await changePost(trx, record.id, now);
        }
        return changedRow !== undefined;
      });
      if (endedRow) {
        await deleteChunks(db, record.id);
      }
      return endedRow;
    },

    /** Deletes an ended export: its post keeps the content of its message. */
    async conclude(record: ExportRecord): Promise<void> {
      await deleteChunks(db, record.id);
      await db.transaction().execute(async (trx) => {
        await keepDetail(trx, record.id, JSON.stringify(endedOf(record)));
        await trx.deleteFrom('exports').where('id', '=', record.id).where('state', '=', 'ended').execute();
      });
    },

    /**
     * Called once a barcode is forgotten, since exports may hold it. Restarts the owner’s open exports without their
     * chunks, except those whose file may be in Slack already. Deletes the posts of ended exports, and schedules the
     * deletion of files that do not stay in Slack.
     */
    async restart(owner: Owner, now: number): Promise<void> {
      await hastenDeletion(owner, now);
      for (const { id } of await ofOwner(owner)
        .select('id')
        .where('state', '<>', 'ended')
        .where('shared_at', 'is', null)
        .execute()) {
        await db.transaction().execute(async (trx) => {
          await trx
            .updateTable('exports')
            .set({ state: 'reading', position: '{}', chunks: 0, rows: 0, bytes: 0, file_id: null, ...unclaimed })
            .where('id', '=', id)
            .where('state', '<>', 'ended')
            .where('shared_at', 'is', null)
            .execute();
          await trx.deleteFrom('export_chunks').where('export_id', '=', id).execute();
        });
      }
      await deleteFinishedPosts(db, { owner, kind: 'export' });
    },

    /** Deletes all exports of the owner; those whose files do not stay in Slack together with the files. */
    async erase(owner: Owner, now: number): Promise<void> {
      await hastenDeletion(owner, now);
      for (const { id } of await ofOwner(owner).select('id').where('delete_at', 'is', null).execute()) {
        await db.transaction().execute(async (trx) => {
          await trx.deleteFrom('exports').where('id', '=', id).execute();
          await withdrawPosts(trx, { owner, source: { kind: 'export', id } }, 'export.erased', now);
        });
        await deleteChunks(db, id);
      }
    },
  };

  async function isChanged(update: Pick<ReturnType<typeof updateHeld>, 'executeTakeFirst'>): Promise<boolean> {
    return (await update.executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** An update of an export under its claim, which is renewed. */
  function updateHeld({ worker, until }: Claim, { id, state }: ExportRecord, trx: Pick<typeof db, 'updateTable'> = db) {
    return trx
      .updateTable('exports')
      .set({ claimed_until: until })
      .where(equal({ id, claimed_by: worker, state }));
  }
}

export type ExportTable = ReturnType<typeof createExportTable>;

function toExport(row: Selectable<ExportsTable>): ExportRecord {
  const { id, installation, team, who, channel, mode, state, chunks, rows, bytes, failures } = row;
  return {
    id,
    owner: { installation, team },
    who,
    channel,
    mode,
    state,
    chunks,
    rows,
    bytes,
    failures,
    what: readJson(exportWhat, row.what, 'export'),
    position: readJson(exportPosition, row.position, 'export'),
    connectedAt: row.connected_at ?? undefined,
    expected: row.expected ?? undefined,
    createdAt: row.created_at,
    place: row.message_channel ?? undefined,
    shownAt: row.shown_at ?? undefined,
    fileId: row.file_id ?? undefined,
    sharedAt: row.shared_at ?? undefined,
    deleteAt: row.delete_at ?? undefined,
    outcome: row.outcome ?? undefined,
  };
}
