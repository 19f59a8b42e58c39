/**
 * Owns the tables' types, as the newest migration leaves them. Booleans are 0 and 1, times are milliseconds (bigint in
 * PostgreSQL, read back as number), JSON is text: so that one set of queries fits both databases.
 */

export interface KeyvTable {
  namespace: string;
  /** What belongs to an installation begins with its id and, where more follows, a colon. */
  key: string;
  value: string;
  /** Milliseconds since the epoch; null: never. */
  expires_at: number | null;
}

export interface AuditTable {
  id: string;
  installation: string;
  team: string;
  at: number;
  who: string;
  where: string;
  what: string;
  detail: string;
  outcome: string;
}

export interface Schema {
  keyv: KeyvTable;
  audit: AuditTable;
}
