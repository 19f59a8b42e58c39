/**
 * The stored jobs. Each claim has a name of its own, so that a run whose claim was lost stores nothing more, also if the
 * same process claimed the job again.
 */
import { type Kysely, type Selectable, sql, type Transaction, type UpdateObject } from 'kysely';
import type { Owner } from '../../ownership.js';
import { type Claim, claimRows, columnsOfClaim, isUnclaimed, unclaimed } from '../claims/claim.js';
import { isDue } from '../claims/due-rows.js';
import { equal } from '../equal.js';
import { unsynced } from '../pace.js';
import type { JobsTable, Schema } from '../schema.js';
import type { StoreKind } from '../types.js';
import { type JobKind, JobLost, type JobWork } from './job.js';

export type JobName = Pick<JobsTable, 'installation' | 'team' | 'kind' | 'key'>;
export type JobRow = Selectable<JobsTable>;

/** A due job, with its turn among those of its kind and owner. */
export interface DueJob extends JobName {
  readonly turn: number;
}

/** The kinds of which jobs are looked for, by their names. */
export type JobKinds = ReadonlyMap<string, Pick<JobKind<object>, 'longestWaitMs' | 'oneByOne'>>;

/** The most due jobs of a kind and owner that one poll reads. */
const mostTurns = 10;

export interface JobStore {
  readonly db: Kysely<Schema>;
  readonly kind: StoreKind;
}

export function createJobRows({ db, kind: storeKind }: JobStore) {
  /** Claims and ends of runs are not synced to disk: a run that a power failure undoes is made again. */
  const transact = unsynced(storeKind);

  const isFirst = sql`not exists (select 1 from jobs as earlier where earlier.installation = jobs.installation
    and earlier.team = jobs.team and earlier.kind = jobs.kind and earlier.key < jobs.key)`;
  const dueNow = (now: number, kinds: JobKinds) => {
    const each = [...kinds].map(
      ([kind, { longestWaitMs, oneByOne }]) =>
        sql`(kind = ${kind} and ${isDue('due_at', now, longestWaitMs)} and ${oneByOne ? isFirst : sql`true`})`,
    );
    return sql<boolean>`(${sql.join(each, sql` or `)})`;
  };

  /** Changes a job, with `work` in the same transaction, under the claim of `worker`. @throws JobLost */
  const whileHeld =
    (run: typeof transact) =>
    (
      { installation, team, kind, key }: JobName,
      worker: string,
      set: UpdateObject<Schema, 'jobs'> | 'delete',
      work?: JobWork,
    ): Promise<void> =>
      run(db, async (trx) => {
        const held = equal<'jobs'>({ installation, team, kind, key, claimed_by: worker });
        const [done] = await (set === 'delete'
          ? trx.deleteFrom('jobs').where(held).returning('key')
          : trx.updateTable('jobs').set(set).where(held).returning('key')
        ).execute();
        if (!done) {
          throw new JobLost();
        }
        await work?.(trx);
      });

  return {
    /** Adds a job. One of the same name is replaced, and a run of it loses its claim; `once`: it stays as it is. */
    async put(
      name: JobName,
      job: { readonly state: string; readonly now: number; readonly dueAt: number; readonly once?: boolean },
      trx: Kysely<Schema> = db,
    ): Promise<void> {
      const { state, now, dueAt, once = false } = job;
      const row = { state, created_at: now, due_at: dueAt, failures: 0, ...unclaimed };
      await trx
        .insertInto('jobs')
        .values({ ...name, ...row })
        .onConflict((conflict) => {
          const named = conflict.columns(['installation', 'team', 'kind', 'key']);
          return once ? named.doNothing() : named.doUpdateSet(row);
        })
        .execute();
    },

    find: (name: JobName): Promise<JobRow | undefined> =>
      db
        .selectFrom('jobs')
        .selectAll()
        .where(equal({ ...name }))
        .executeTakeFirst(),

    list: ({ installation, team }: Owner, kind: string): Promise<readonly JobRow[]> =>
      db.selectFrom('jobs').selectAll().where(equal({ installation, team, kind })).orderBy('key').execute(),

    /** Due jobs that nobody works on, each owner's longest due first. Takes no lock. */
    async due(kinds: JobKinds, now: number): Promise<readonly DueJob[]> {
      const { rows } = await sql<DueJob>`select * from (
        select installation, team, kind, key, due_at, row_number() over (
          partition by kind, installation, team order by due_at, key) as turn
        from jobs where ${dueNow(now, kinds)} and ${isUnclaimed(now)}) as due
        where turn <= ${sql.lit(mostTurns)} order by turn, due_at, key`.execute(db);
      return rows;
    },

    /** Claims a due job; undefined: another process has it, or it is not due any more. */
    claim: (
      { installation, team, kind, key }: JobName,
      claim: Claim,
      { kinds, now }: { readonly kinds: JobKinds; readonly now: number },
    ): Promise<JobRow | undefined> =>
      transact(db, async (trx) => {
        const [row] = await claimRows(trx, 'jobs', columnsOfClaim(claim), (jobs) =>
          jobs.where(equal({ installation, team, kind, key })).where(dueNow(now, kinds)).where(isUnclaimed(now)),
        );
        return row;
      }),

    /** Changes a claimed job; the change is on disk at once. */
    save: whileHeld((_, work) => db.transaction().execute(work)),
    /** Changes or deletes a claimed job. */
    settle: whileHeld(transact),

    /** Reads a job under its lock, and then changes or deletes it; a run of it loses its claim. */
    decide: (
      { installation, team, kind, key }: JobName,
      decide: (
        row: JobRow,
      ) => { readonly set: UpdateObject<Schema, 'jobs'> | 'delete'; readonly work?: JobWork } | undefined,
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const named = equal<'jobs'>({ installation, team, kind, key });
        const row = await trx
          .selectFrom('jobs')
          .selectAll()
          .where(named)
          .$if(storeKind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        const decided = row && decide(row);
        if (!decided) {
          return false;
        }
        await (decided.set === 'delete'
          ? trx.deleteFrom('jobs').where(named)
          : trx.updateTable('jobs').set(decided.set).where(named)
        ).execute();
        await decided.work?.(trx);
        return true;
      }),
  };
}

/** Deletes the jobs of an erased installation, or of one of its teams. @returns the keys of those of the kind */
export async function eraseJobs(
  { installation, team, kind }: { readonly installation: string; readonly team?: string; readonly kind?: string },
  trx: Transaction<Schema>,
): Promise<readonly string[]> {
  const rows = await trx.deleteFrom('jobs').where(equal({ installation, team, kind })).returning('key').execute();
  return rows.map(({ key }) => key);
}

/** Deletes all jobs in the transaction that erases an installation, or one of its teams. */
export async function eraseAllJobs(installation: string, trx: Transaction<Schema>, team?: string): Promise<void> {
  await eraseJobs({ installation, team }, trx);
}
