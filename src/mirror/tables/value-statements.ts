/** The statements over mirrored values: many rows at once, each found by its full key. */
import { sql } from 'kysely';
import { bulkStatement } from '../../database/bulk.js';
import type { Store } from '../../workspaces/types.js';
import { unchangedSince } from './changes.js';

const ofKey = 'held.mirror_id = input.mirror_id and held.key = input.key';

export const putValues = bulkStatement(
  {
    mirror_id: 'bigint',
    key: 'text',
    value: 'text',
    valid: 'bigint',
    response: 'text',
    round: 'bigint',
    sure_from: 'bigint',
    attempt: 'bigint',
    since: 'bigint',
  },
  // A value that the last pass did not meet, or that turns valid, may be another value of the same text: it counts as
  // new.
  ({ input }) => `
    insert into mirrored_values (mirror_id, key, twin, value, valid, response, round, sure_from, attempt)
    select mirror_id, key, coalesce(
      (select min(twin) from mirrored_values as held where ${ofKey} and held.value = input.value
        and (input.attempt = 0 or held.attempt < input.attempt)),
      (select max(twin) + 1 from mirrored_values as held where ${ofKey}), 0),
      value, valid, response, round, sure_from, attempt from ${input}
    where ${unchangedSince('values', 'key')} order by key
    on conflict (mirror_id, key, twin) do update
      set value = excluded.value, valid = excluded.valid, response = excluded.response, round = excluded.round,
        sure_from = case when mirrored_values.sure_from < excluded.sure_from
          and mirrored_values.value = excluded.value
          and mirrored_values.round >= excluded.round - 1 and excluded.valid <= mirrored_values.valid
          then mirrored_values.sure_from else excluded.sure_from end,
        lost_round = case when excluded.attempt = 0 then null else mirrored_values.lost_round end,
        attempt = case when excluded.attempt = 0 then mirrored_values.attempt else excluded.attempt end`,
);

export const loseTexts = bulkStatement(
  { mirror_id: 'bigint', key: 'text', value: 'text', round: 'bigint' },
  ({ input }) => `
    update mirrored_values as held set lost_round = input.round from ${input}
    where ${ofKey} and held.value = input.value`,
);

/** The questions are passed to PostgreSQL as one parameter. */
const findOnPostgres = {
  name: 'find_mirrored_values',
  text: `select n, value, valid, response, round::int as round, sure_from::float8 as "sureFrom",
      lost_round::int as "lostRound"
    from json_to_recordset($1::json) as input (n int, mirror_id bigint, key text)
    join mirrored_values using (mirror_id, key)`,
};

/** The stored values that answer questions. @param input the questions as JSON */
export async function findValues(
  { db, reads }: Pick<Store, 'db' | 'reads'>,
  input: string,
): Promise<readonly FoundRow[]> {
  if (reads) {
    return await reads.all<FoundRow>(findOnPostgres, [input]);
  }
  const { rows } =
    await sql<FoundRow>`select json_extract(input.value, '$.n') as n, held.value, held.valid, held.response, held.round,
      held.sure_from as "sureFrom", held.lost_round as "lostRound"
    from json_each(${input}) as input
    join mirrored_values as held on held.mirror_id = json_extract(input.value, '$.mirror_id')
      and held.key = json_extract(input.value, '$.key')`.execute(db);
  return rows;
}

interface FoundRow {
  readonly n: number;
  readonly value: string;
  readonly valid: number;
  readonly response: string;
  readonly round: number;
  readonly sureFrom: number;
  readonly lostRound: number | null;
}

export type PutRow = Parameters<typeof putValues>[1][number];
