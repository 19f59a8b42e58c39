/** Counter reads for people: the same values that a commit reads (`read-counts.ts`), without its locks. */
import type { Kysely } from 'kysely';
import { chunksOf } from '../database/chunks.js';
import { equal } from '../database/equal.js';
import type { CountersTable, Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import { findOwner } from '../scans/owners.js';
import { countValues } from '../scans/received/tally.js';
import {
  type CountedScan,
  countedKeys,
  countingShape,
  type RuleCounter,
  ruleCounterName,
  type Subject,
} from './counters.js';

interface Scope {
  readonly owner: Owner;
  readonly relayId: string;
  readonly subject: Subject;
}

/** The most keys in one statement: far below both databases' limits of parameters. */
const keysPerStatement = 250;

/** The counts of the owner's rules, by the counter's name; a counter that counted nothing is left out. */
export async function countedByRules(
  db: Kysely<Schema>,
  { owner, relayId }: Pick<Scope, 'owner' | 'relayId'>,
  counters: readonly RuleCounter[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const subjects = [...new Set(counters.map(({ subject }) => subject))];
  for (const keyBatch of batches(counters.map(({ key }) => key))) {
    const rows = await db
      .selectFrom('counters')
      .innerJoin('relays', 'relays.id', 'counters.relay_id')
      .select(['counters.subject', 'counters.key', 'counters.seen'])
      .where(
        equal({ 'relays.installation': owner.installation, 'relays.team': owner.team, 'counters.relay_id': relayId }),
      )
      .where('counters.subject', 'in', subjects)
      .where('counters.key', 'in', keyBatch)
      .execute();
    for (const row of rows) {
      counts.set(ruleCounterName(row as RuleCounter), row.seen);
    }
  }
  return counts;
}

/**
 * Current counts in the order of the scans, as a commit would read them: a value without a counter is counted among the
 * stored scans, even if the relay counts no values. Undefined for any other subject that the relay does not count.
 */
export async function countedBy(
  db: Kysely<Schema>,
  scope: Scope,
  scans: readonly CountedScan[],
): Promise<readonly (number | undefined)[]> {
  const { owner, relayId, subject } = scope;
  const relay = await db
    .selectFrom('relays')
    .select('counting')
    .where(equal({ id: relayId, installation: owner.installation, team: owner.team }))
    .executeTakeFirst();
  if (!relay || (subject !== 'value' && !readJson(countingShape, relay.counting, 'relay')[subject])) {
    return scans.map(() => undefined);
  }
  const keysOfScans = scans.map((scan) => countedKeys(subject, scan));
  const counters = await readCounters(
    db,
    scope,
    keysOfScans.flat().map(({ key }) => key),
  );
  const missingKeys = subject === 'value' ? keysOfScans.flat().filter(({ key }) => !counters.has(key)) : [];
  const byTid = await readScans(
    db,
    scope,
    missingKeys.flatMap(({ spellings }) => spellings),
  );
  const inScans = (spellings: readonly string[]) => spellings.reduce((sum, tid) => sum + (byTid.get(tid) ?? 0), 0);
  return keysOfScans.map((keys) =>
    Math.max(
      0,
      ...keys.map(({ key, spellings }) => counters.get(key)?.seen ?? (subject === 'value' ? inScans(spellings) : 0)),
    ),
  );
}

type CountedRow = Pick<CountersTable, 'key' | 'seen' | 'accepted' | 'last_accepted_at'>;

export async function readCounters(
  db: Kysely<Schema>,
  { relayId, subject }: Scope,
  keys: readonly string[],
): Promise<ReadonlyMap<string, CountedRow>> {
  const counters = new Map<string, CountedRow>();
  for (const keyBatch of batches(keys)) {
    const rows = await db
      .selectFrom('counters')
      .select(['key', 'seen', 'accepted', 'last_accepted_at'])
      .where(equal({ relay_id: relayId, subject }))
      .where('key', 'in', keyBatch)
      .execute();
    for (const row of rows) {
      counters.set(row.key, row);
    }
  }
  return counters;
}

/** The number of stored admitted scans of each value. */
export function acceptedScans(db: Kysely<Schema>, scope: Scope, values: readonly string[]) {
  return readScans(db, scope, values, true);
}

async function readScans(db: Kysely<Schema>, { owner, relayId }: Scope, values: readonly string[], accepted = false) {
  const seen = new Map<string, number>();
  const number = await findOwner(db, owner);
  for (const valueBatch of batches(values)) {
    for (const [tid, count] of await countValues(db, { owner: number ?? 0, relayId }, valueBatch, { accepted })) {
      seen.set(tid, count);
    }
  }
  return seen;
}

function batches(texts: readonly string[]): string[][] {
  return chunksOf([...new Set(texts)], keysPerStatement);
}
