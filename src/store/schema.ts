/**
 * Owns the tables' types, as the newest migration leaves them. Booleans are 0 and 1, times are milliseconds (bigint in
 * PostgreSQL, read back as number), JSON is text: so that one set of queries fits both databases.
 */
import type { Generated } from 'kysely';

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

/** A relay that was removed keeps its row, so that its scans and the audit still have a name for it. */
export interface RelaysTable {
  id: string;
  installation: string;
  team: string;
  /** JSON: ids of services; none: whichever posts. */
  service_ids: string;
  service_name: string;
  channel: string;
  /** JSON. */
  notable: string;
  /** JSON. */
  settings: string;
  created_by: string;
  created_at: number;
  paused_at: number | null;
  paused_why: string | null;
  /** When the person who made it was told that it is paused. */
  told_at: number | null;
  removed_at: number | null;
  /** JSON: what its scans are counted by (see counting.ts). */
  counting: Generated<string>;
  /** How many it took, kept here because counting millions takes seconds. */
  scans: number;
  last_scan_at: number | null;
}

export interface RelaySecretsTable {
  id: string;
  relay_id: string;
  /** SHA-256 of the secret, hex. The secret itself has 256 bits of chance, so that no salt is needed. */
  hash: string;
  created_at: number;
  last_used_at: number | null;
  ended_at: number | null;
}

export interface ScansTable {
  /** Sorts by the time of acceptance. */
  id: string;
  relay_id: string;
  installation: string;
  team: string;
  received_at: number;
  /** The barcode, as it came. */
  tid: string;
  sid: string | null;
  userid: string | null;
  udid: string | null;
  scanid: string | null;
  given_status: string | null;
  given_text: string | null;
  scanned_at_utc: string | null;
  valid: number;
  /** What the device was answered. */
  answer_text: string;
  /** JSON. */
  answers: string;
  /** JSON. */
  properties: string;
  /** JSON: the variables of each submit as they came, `[[name, value], …]`, the first submit first. */
  raw: string;
  /** The same for the same scan posted again; null where something is missing that tells scans apart. */
  repeat_key: string | null;
  /** What the relay found it to be. */
  finding: string | null;
  late: number;
  /** Why it could not be judged as it should: a code. */
  why: string | null;
  /** JSON: what else the device was answered. */
  reply: string | null;
}

/** One for each subject that a relay counts: a value, a device, a user, a service, the relay itself. */
export interface CountersTable {
  relay_id: string;
  subject: string;
  key: string;
  seen: number;
  first_at: number;
  last_at: number;
  accepted: number;
  last_accepted_at: number | null;
}

/** When the nth scan of a subject was accepted: the last few, as many as its relay's limit looks back. */
export interface AcceptancesTable {
  relay_id: string;
  subject: string;
  key: string;
  n: number;
  at: number;
}

export interface OutboxTable {
  /** The order of acceptance within a channel. */
  seq: Generated<number>;
  key: string;
  installation: string;
  team: string;
  channel: string;
  relay_id: string;
  scan_id: string;
  state: OutboxState;
  attempts: number;
  next_at: number;
  first_attempt_at: number | null;
  attempt_at: number | null;
  /** The first attempt that may have gone out unseen: where the search in the channel begins. */
  doubt_at: number | null;
  last_code: string | null;
  ts: string | null;
  /** Set when it is done or set aside; null while the lane still has to deal with it. */
  finished_at: number | null;
}

/**
 * `waiting` to be sent; `sending`: recorded before the request leaves, so that a crash shows; `doubt`: the channel is asked
 * whether it is there; `done`; `aside`: nobody tries any more until a person replays it.
 */
export type OutboxState = 'waiting' | 'sending' | 'doubt' | 'done' | 'aside';

/** One for each channel that ever had a post. */
export interface LanesTable {
  installation: string;
  team: string;
  channel: string;
  /** When there may be something to do; null: nothing until the next post is put in. */
  next_at: number | null;
  claimed_by: string | null;
  last_sent_at: number | null;
}

/** Who delivers, and until when it counts as alive unless it says so again. */
export interface WorkersTable {
  id: string;
  alive_until: number;
}

export interface Schema {
  keyv: KeyvTable;
  audit: AuditTable;
  relays: RelaysTable;
  relay_secrets: RelaySecretsTable;
  scans: ScansTable;
  counters: CountersTable;
  acceptances: AcceptancesTable;
  outbox: OutboxTable;
  lanes: LanesTable;
  workers: WorkersTable;
}
