/**
 * Which scan that a relay received is one that the account recorded, or that another relay received: the only rule, as
 * SQL on rows `r` of received_scans. An equal scan id says too little: a postback template may send one with every scan.
 */
import { type RawBuilder, sql } from 'kysely';

/** The tables for the rule. `account`: the relation of the account's scans. */
export interface SameScanSource {
  readonly owner: number;
  readonly connection: number;
  readonly account: 'account_scans' | 'live_scans';
}

type Alias = 'a' | 'b' | 'e' | 'r' | 't';

/** Without `||` a database may look for the barcode among all scans instead of for the moment. */
const key = (one: Alias, at: 'at' | 'key'): string => (at === 'at' ? `${one}.key || ''` : `${one}.key`);

/** An account's scan in the moment of `r`: the same barcode and service, and the same user where both name one. */
const inMoment = (one: 'a' | 'b', by: 'at' | 'key'): string => `
  ${by === 'at' ? `${one}.at = r.at and ` : ''}${key(one, by)} = r.key and ${one}.scanned_at = r.scanned_at
  and ${one}.service = r.sid and (r.userid is null or ${one}.user_id = '' or ${one}.user_id = r.userid)`;

const sameSecond = (one: Alias, other: Alias): string =>
  `(${one}.scanned_at is null or ${other}.scanned_at is null or ${one}.scanned_at = ${other}.scanned_at)`;

/** The condition that a scan has an id, worded as the index on scan ids is, or a database may not use that. */
export const hasId = (received: Alias, ids: string): string =>
  `${received}.scanid is not null and substr(${received}.scanid, 1, 200) ${ids}`;

const sameId = (received: Alias, id: string): string =>
  `${hasId(received, `= substr(${id}, 1, 200)`)} and ${received}.scanid = ${id}`;

/** The account's scan that `r` is; null: none. Of several in one moment, the n-th of a relay is the account's n-th. */
export function recordedAs({ owner, connection, account }: SameScanSource): RawBuilder<string | null> {
  const from = (one: 'a' | 'b') => `from ${account} as ${one} where ${one}.connection = ${connection}`;
  const noIdOf = (one: 'a' | 'b') => `not exists (select 1 from received_scans as e where e.owner = ${owner}
    and ${sameId('e', `${one}.scan_id`)} and e.relay_id = r.relay_id and ${key('e', 'at')} = ${one}.key and ${sameSecond('e', one)})`;
  // Scans of several users may each be one that names none: all of them count before it.
  const countEarlier = (by: 'at' | 'key') => `case when a.user_id = ''
    then ${earlierOfRelay('r', owner, { by, isAnyUser: true, also: 'e.scanid is null' })}
    else ${earlierOfRelay('r', owner, { by, also: 'e.scanid is null' })} end`;
  // The text `||` keeps SQLite from looking for the least id among all of the account's scans.
  const inTurn = (
    by: 'at' | 'key',
  ) => `(select min(a.scan_id || '') ${from('a')} and ${inMoment('a', by)} and ${noIdOf('a')}
    and (select count(*) ${from('b')} and ${inMoment('b', by)} and ${noIdOf('b')} and b.scan_id || '' < a.scan_id)
      = ${countEarlier(by)})`;
  return sql.raw(`case
    when r.scanid is not null then (select a.scan_id ${from('a')} and a.scan_id = r.scanid and a.key = r.key
      and ${sameSecond('a', 'r')})
    when r.at = r.scanned_at then ${inTurn('at')}
    when r.scanned_at is not null then ${inTurn('key')}
  end`);
}

/** The same scan as received by another relay whose id is lower than that of `r`'s relay; null: no such relay did. */
export function receivedAs(owner: number): RawBuilder<string | null> {
  const before = `from received_scans as t where t.owner = ${owner} and t.relay_id < r.relay_id and t.test = 0`;
  return sql.raw(`coalesce(
    (select min(t.id) ${before} and ${sameId('t', 'r.scanid')} and ${key('t', 'at')} = r.key and ${sameSecond('t', 'r')}),
    case when r.at = r.scanned_at then (select min(t.id) ${before} and t.at = r.at and ${sameMoment('t', 'r')}
      and (t.scanid is null or r.scanid is null)
      and ${earlierOfRelay('t', owner)} = ${earlierOfRelay('r', owner)}) end)`);
}

interface Moment {
  readonly by?: 'at' | 'key';
  readonly isAnyUser?: boolean;
  readonly also?: string;
}

/** How many scans the row's relay received earlier in the same moment. */
function earlierOfRelay(row: 'r' | 't', owner: number, { by = 'at', also = '1 = 1', ...moment }: Moment = {}): string {
  return `(select count(*) from received_scans as e where e.owner = ${owner}
    ${by === 'at' ? `and e.at = ${row}.at` : ''} and e.relay_id = ${row}.relay_id
    and ${sameMoment('e', row, { by, ...moment })} and ${also} and e.id < ${row}.id)`;
}

function sameMoment(one: Alias, other: Alias, { by = 'at', isAnyUser = false }: Moment = {}): string {
  const user = `(${one}.userid is null or ${other}.userid is null or ${one}.userid = ${other}.userid)`;
  return `${key(one, by)} = ${other}.key and ${one}.scanned_at = ${other}.scanned_at and ${one}.sid = ${other}.sid
    ${isAnyUser ? '' : `and ${user}`}`;
}
