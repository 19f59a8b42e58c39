/**
 * What services of the account were, as the lists said that were read: a row for each change that was seen. A scan is
 * what its service was when it was made; scans from before the first row are read by what the service is now.
 */
import { type Kysely, sql } from 'kysely';
import type { Service } from '../../codereadr/types.js';
import { bulkStatement } from '../../database/bulk.js';
import { equal } from '../../database/equal.js';
import { present } from '../../database/present.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import type { EraseHook } from '../../workspaces/types.js';
import type { SeenScan } from '../seen-scan.js';

/** What a service was from `since` on. Without a `method`, the account lists it no more. */
export interface ServiceState {
  readonly id: string;
  readonly since: number;
  readonly method: string;
  readonly databaseId?: string | undefined;
  /** Whether it admitted a barcode once. */
  readonly once: boolean;
}

/** How long a state is kept after the change that ended it. */
const keptMs = 365 * 24 * 60 * 60_000;

const recording: ReadonlySet<string> = new Set(['record', 'ondevicerecord', 'webview']);
const checking: ReadonlySet<string> = new Set(['database', 'ondevicedatabase']);

/** Whether the service checks barcodes against a database. */
export function checksDatabase(method: string): boolean {
  return checking.has(method);
}

export function admitsOnce({ validationMethod, duplicateScanValue }: Service): boolean {
  return checksDatabase(validationMethod) && duplicateScanValue === '0';
}

const insertStates = bulkStatement(
  {
    installation: 'text',
    team: 'text',
    service_id: 'text',
    since: 'bigint',
    method: 'text',
    database_id: 'text',
    once: 'bigint',
  } as const,
  ({ input }) => `
    insert into service_states (installation, team, service_id, since, method, database_id, once)
    select installation, team, service_id, since, method, database_id, once from ${input} where true order by service_id
    on conflict (installation, team, service_id, since) do nothing`,
);

/**
 * The states in which the owner's services were seen, oldest first.
 * @param list the account's services as of `at`: a change since the last state is stored, and among the states
 */
export async function serviceStates(
  db: Kysely<Schema>,
  { installation, team }: Owner,
  list?: { readonly services: readonly Service[]; readonly at: number },
): Promise<readonly ServiceState[]> {
  const rows = await db
    .selectFrom('service_states')
    .selectAll()
    .where(equal({ installation, team }))
    .orderBy('since')
    .execute();
  const stored = rows.map(
    ({ service_id: id, since, method, database_id, once }): ServiceState => ({
      id,
      since,
      method,
      once: once === 1,
      ...present({ databaseId: database_id }),
    }),
  );
  const changes = list ? changesIn(stored, list.services, list.at) : [];
  if (changes.length === 0) {
    return stored;
  }
  await insertStates(
    db,
    changes.map(({ id, since, method, databaseId, once }) => ({
      installation,
      team,
      service_id: id,
      since,
      method,
      database_id: databaseId,
      once: once ? 1 : 0,
    })),
  );
  await sql`delete from service_states where installation = ${installation} and team = ${team} and since < (
    select max(since) from service_states as later where later.installation = ${installation} and later.team = ${team}
    and later.service_id = service_states.service_id and later.since < ${(list?.at ?? 0) - keptMs})`.execute(db);
  return [...stored, ...changes];
}

/** What the list says otherwise than the last state of each service. A list older than that state says nothing. */
function changesIn(stored: readonly ServiceState[], services: readonly Service[], at: number): ServiceState[] {
  const last = new Map(stored.map((state) => [state.id, state]));
  const listed = new Map(
    services.map((service): [string, ServiceState] => {
      const { id, validationMethod: method, databaseId } = service;
      return [id, { id, since: at, method, databaseId, once: admitsOnce(service) }];
    }),
  );
  const gone = [...last.values()].flatMap(({ id, method }): ServiceState[] =>
    method !== '' && !listed.has(id) ? [{ id, since: at, method: '', once: false }] : [],
  );
  return [...listed.values(), ...gone].filter((state) => {
    const was = last.get(state.id);
    const isSame = was?.method === state.method && was.databaseId === state.databaseId && was.once === state.once;
    return was === undefined || (was.since < at && !isSame);
  });
}

/** What the account's scan was, by its service at that moment: undefined where nobody saw the service before. */
export function scanWas(
  states: readonly ServiceState[],
  { source, validatedBy, service, at = 0, countsAt = at }: SeenScan,
): SeenScan['was'] {
  const state = states.findLast(({ id, since, method }) => id === service.id && since <= countsAt && method !== '');
  return source !== 'account' || validatedBy !== undefined || state === undefined
    ? undefined
    : recording.has(state.method)
      ? 'receipt'
      : checksDatabase(state.method)
        ? 'checked'
        : undefined;
}

export const eraseServiceStates: EraseHook = async (installation, trx, team) => {
  await trx.deleteFrom('service_states').where(equal({ installation, team })).execute();
};
