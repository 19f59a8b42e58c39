/** Query plans of the statements that a function sends, but for raw SQL. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { Schema } from '../../src/database/schema.js';
import type { Store } from '../../src/workspaces/types.js';

/** @param which the pattern of the statements' texts */
export async function plansOf(
  store: Pick<Store, 'db' | 'kind'>,
  which: RegExp,
  work: (db: Kysely<Schema>) => Promise<unknown>,
): Promise<readonly string[]> {
  const asked: CompiledQuery[] = [];
  const executor = store.db.getExecutor();
  await work(
    store.db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        asked.push(executor.compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  );
  const explain = store.kind === 'sqlite' ? 'explain query plan' : 'explain';
  const plans: string[] = [];
  for (const { sql, parameters } of asked.filter((one) => which.test(one.sql))) {
    const { rows } = await store.db.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
    plans.push(rows.map((row) => Object.values(row as object).at(-1)).join('\n'));
  }
  return plans;
}
