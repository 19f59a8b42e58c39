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
  /** When the person who made it was told that it is paused; below zero: somebody is telling them, until then. */
  told_at: number | null;
  /** Up to when the person who made it was told of posts that were set aside. */
  undelivered_told_at: Generated<number | null>;
  /** Until when somebody has claimed to tell them of more. */
  undelivered_claimed_until: Generated<number | null>;
  removed_at: number | null;
  /** JSON: what its scans are counted by (see counters.ts). */
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
  /** The moment at which it counts, where that is not when it came. */
  made_at: number | null;
  /** JSON: what was known of the scans of its barcode before it; null where nobody asked. */
  earlier: string | null;
}

/** One row: scans that came before that moment may have been thrown away. */
export interface ScansPrunedTable {
  before: number;
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
  /** Goes up with every sending that is no retry: a replay, a card posted anew. */
  generation: Generated<number>;
  next_at: number;
  first_attempt_at: number | null;
  attempt_at: number | null;
  /** The first attempt that may have gone out unseen: where the search in the channel begins. */
  doubt_at: number | null;
  last_code: string | null;
  ts: string | null;
  /** Set when it is done, set aside or folded; null while the lane still has to deal with it. */
  finished_at: number | null;
  kind: Generated<PostKind>;
  /** The rule by which it came; null: of a relay without rules, of a watch, or of several rules' posts. */
  rule_id: string | null;
  /** JSON of the relay: what it tells beside the scan. */
  detail: string | null;
  /** The card it goes under, as a reply. */
  card_key: string | null;
  /** The digest that tells of it instead. */
  folded_into: string | null;
  /** What it was a reply to when it was sent. */
  thread_ts: string | null;
  /** Goes up with every change that the message should show. */
  revision: Generated<number>;
  /** The revision that the message shows; of one that is being sent, will show. */
  shown: Generated<number>;
  /** When the message is next to be changed; null: it shows all there is. */
  edit_at: number | null;
  edited_at: number | null;
  /** Failed changes in a row. */
  edit_tries: Generated<number>;
  ack_by: string | null;
  ack_at: number | null;
}

/** What a post tells of: a scan; many of them; how many there were today; an alarm. */
export type PostKind = 'scan' | 'digest' | 'card' | 'burst' | 'silence';

/**
 * `waiting` to be sent; `sending`: recorded before the request leaves, so that a crash shows; `doubt`: the channel is asked
 * whether it is there; `done`; `aside`: nobody tries any more until a person replays it; `folded`: a digest tells of it.
 */
export type OutboxState = 'waiting' | 'sending' | 'doubt' | 'done' | 'aside' | 'folded';

/** What is being collected. It becomes a post when it is due; the posts that it will tell of are folded into it already. */
export interface DigestsTable {
  /** Of the post it becomes. */
  key: string;
  relay_id: string;
  rule_id: string;
  installation: string;
  team: string;
  channel: string;
  card_key: string | null;
  detail: string;
  due_at: number;
}

/** A silence that a rule waits for: of the relay, or of one device or service. */
export interface SilencesTable {
  relay_id: string;
  rule_id: string;
  subject: 'relay' | 'device' | 'service';
  /** A udid or a service's id; empty for the relay. */
  subject_id: string;
  /** When somebody began to wait. */
  since: number;
  /** When to look whether there was a scan. */
  due_at: number;
  /** Told already: of the silence that began then. */
  told_for: number | null;
}

/** What a rule keeps from one scan to the next; its own words. */
export interface RuleMemoriesTable {
  relay_id: string;
  rule_id: string;
  memory: string;
}

export interface WatchesTable {
  id: string;
  installation: string;
  team: string;
  /** As counters spell a value: see counters.ts. */
  value_key: string;
  value: string;
  channel: string;
  who: string;
  made_at: number;
  until: number;
}

export interface MutesTable {
  id: string;
  installation: string;
  team: string;
  channel: string;
  what: 'value' | 'relay' | 'rule';
  /** Tells one value, relay or rule from the others. */
  what_key: string;
  value: string | null;
  relay_id: string | null;
  rule_id: string | null;
  who: string;
  made_at: number;
  until: number;
}

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

/** A kept copy of one of the account's databases. */
export interface CopiesTable {
  id: Generated<number>;
  installation: string;
  team: string;
  database_id: string;
  name: string | null;
  case_sensitive: number;
  /** The connection it was fetched by. */
  connected_at: number | null;
  round: number;
  size: number;
  /** When the last round that was done began. */
  fetched_at: number | null;
  due_at: number;
  failures: number;
  last_code: string | null;
  wanted_at: number;
  claimed_by: string | null;
  claimed_until: number | null;
}

export interface CopiedValuesTable {
  copy_id: number;
  key: string;
  valid: number;
  response: string;
  /** The round that met it last. */
  round: number;
}

export interface Schema {
  keyv: KeyvTable;
  audit: AuditTable;
  relays: RelaysTable;
  relay_secrets: RelaySecretsTable;
  scans: ScansTable;
  scans_pruned: ScansPrunedTable;
  counters: CountersTable;
  acceptances: AcceptancesTable;
  copies: CopiesTable;
  copied_values: CopiedValuesTable;
  outbox: OutboxTable;
  digests: DigestsTable;
  silences: SilencesTable;
  rule_memories: RuleMemoriesTable;
  watches: WatchesTable;
  mutes: MutesTable;
  lanes: LanesTable;
  workers: WorkersTable;
}
