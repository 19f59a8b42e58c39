/** The stored jobs as tests read and make them, without their runner. */
import type { JobsTable } from '../../src/database/schema.js';
import type { Owner } from '../../src/ownership.js';
import type { Store } from '../../src/workspaces/types.js';

type Db = Pick<Store, 'db'>;
export type StoredJob<State> = Omit<JobsTable, 'state'> & { readonly state: State };

/** The open jobs of a kind, by their keys. */
export async function jobsOf<State extends object>({ db }: Db, kind: string): Promise<readonly StoredJob<State>[]> {
  const rows = await db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('key').execute();
  return rows.map((row) => ({ ...row, state: JSON.parse(row.state) as State }));
}

export interface NewJob {
  readonly owner: Owner;
  readonly kind: string;
  readonly key: string;
  readonly state: object;
  readonly createdAt: number;
  readonly dueAt: number;
}

export async function addJob({ db }: Db, { owner, kind, key, state, createdAt, dueAt }: NewJob): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      ...{ installation: owner.installation, team: owner.team, kind, key, state: JSON.stringify(state) },
      ...{ created_at: createdAt, due_at: dueAt, failures: 0, claimed_by: null, claimed_until: null },
    })
    .execute();
}

/** Changes the states of all jobs of a kind, which are due at `dueAt` then. */
export async function changeJobs(store: Db, kind: string, change: object, dueAt: number): Promise<void> {
  for (const { key, state } of await jobsOf(store, kind)) {
    const set = { state: JSON.stringify({ ...state, ...change }), due_at: dueAt };
    await store.db.updateTable('jobs').set(set).where('kind', '=', kind).where('key', '=', key).execute();
  }
}
