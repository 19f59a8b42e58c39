/**
 * The tables' types, as the newest migration leaves them. Booleans are 0 and 1, times are milliseconds (bigint in
 * PostgreSQL, read as number), JSON is text, so that one set of queries fits both databases.
 */
import type { ColumnType, Generated } from 'kysely';

interface Owned {
  installation: string;
  team: string;
}

/** A row on which one process works at a time; both columns are null while no process does. */
interface Claimed {
  claimed_by: string | null;
  claimed_until: number | null;
}

/** Work that happens later: see jobs/job.ts. A row is deleted once its job has ended. */
export interface JobsTable extends Owned, Claimed {
  kind: string;
  key: string;
  /** JSON of the kind's schema. */
  state: string;
  created_at: number;
  due_at: number;
  /** The number of failures in a row. */
  failures: number;
}

export interface KeyvTable {
  namespace: string;
  /** The record's key. It belongs to an installation if it is the installation's id or begins with that and a colon. */
  key: string;
  value: string;
  /** When the record expires, in milliseconds since the epoch; null: never. */
  expires_at: number | null;
}

export interface AuditTable extends Owned {
  id: string;
  at: number;
  who: string;
  where: string;
  what: string;
  detail: string;
  outcome: string;
}

/** A deleted relay keeps its row, so that its scans and the audit still have a name for it. */
export interface RelaysTable extends Owned {
  id: string;
  /** The owner's id in `owners`. */
  owner: number;
  /** The ids of services as JSON; empty: any service may post. */
  service_ids: string;
  service_name: string;
  channel: string;
  /** The choice of scans to post, as JSON. */
  notable: string;
  /** The relay's settings as JSON. */
  settings: string;
  created_by: string;
  created_at: number;
  paused_at: number | null;
  paused_why: string | null;
  /** When the relay's creator was notified that the relay is paused. */
  owner_notified_at: number | null;
  /** The time up to which the relay's creator has been notified of dead letters. */
  undelivered_notified_at: Generated<number | null>;
  /** When the relay's creator was last notified that it refuses scans. */
  refused_notified_at: Generated<number | null>;
  removed_at: number | null;
  /** The subjects by which the relay's scans are counted, as JSON: see counters/counters.ts. */
  counting: Generated<string>;
  /** The number of the relay's scans, stored because counting millions takes seconds. */
  scans: number;
  last_scan_at: number | null;
}

export interface RelaySecretsTable {
  id: string;
  relay_id: string;
  /** SHA-256 of the secret, hex. The secret has 256 random bits, so no salt is needed. */
  hash: string;
  created_at: number;
  last_used_at: number | null;
  ended_at: number | null;
}

/** Scans that a relay refused, by reason and sender: counts only. Rows go a day after the last one. */
export interface RelayRefusalsTable {
  relay_id: string;
  code: string;
  /** The sender's address; `others` for unknown ones, and for those beyond a bound. */
  sender: string;
  scans: number;
  first_at: number;
  last_at: number;
}

/** Owners by numbers, which keep the indexes of scans small. */
export interface OwnersTable extends Owned {
  id: Generated<number>;
}

export interface ReceivedScansTable {
  /** The scan's id, which sorts by the time of acceptance. */
  id: string;
  relay_id: string;
  owner: number;
  /** The moment that counts for readers: when it was scanned, or when it came where the device's clock was wrong. */
  at: number;
  /** The time of the scan by the device's clock; null: the device sent none that can be parsed. */
  scanned_at: number | null;
  /** The barcode's search key: see scans/key.ts. */
  key: string;
  received_at: number;
  /** The barcode, as received. */
  tid: string;
  sid: string | null;
  userid: string | null;
  udid: string | null;
  scanid: string | null;
  given_status: string | null;
  given_text: string | null;
  scanned_at_utc: string | null;
  valid: number;
  /** Whether the scan tested if the relay works (1). */
  test: number;
  /** The text the device was answered. */
  answer_text: string;
  /** The scan's answers as JSON. */
  answers: string;
  /** The scan's properties as JSON. */
  properties: string;
  /** The form fields of each request as received, as JSON, `[[name, value], …]`, the first request first. */
  raw: string;
  /** The repeat key: equal for the same scan posted again; null where a field is missing that tells scans apart. */
  repeat_key: string | null;
  /** The result code that the relay decided. */
  finding: string | null;
  late: number;
  /** The code of the reason why the scan could not be validated. */
  why: string | null;
  /** The answer to the device besides `answer_text`, as JSON. */
  reply: string | null;
  /** The moment at which the relay counts the scan; null: its arrival. */
  made_at: number | null;
  /** A summary of the barcode's earlier scans, as JSON; null where no post needed it. */
  earlier: string | null;
  /** What the scan was: see `scanKinds`; null for scans from before it was stored, and for test scans. */
  kind: string | null;
}

/** The one row with a time: scans received before it may have been deleted. */
export interface ScansPrunedTable {
  before: number;
}

/** One row for each subject that a relay counts: a value, a device, a user, a service, the relay itself. */
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

/** Admissions of a subject, where its relay counts them within a time. */
export interface AdmissionsTable {
  relay_id: string;
  subject: string;
  key: string;
  /** The moment at which the scan counts. */
  at: number;
  scan_id: string;
}

export interface OutboxTable extends Owned {
  /** The number of the post: the order of acceptance within a channel. */
  seq: Generated<number>;
  /** The post's key. The message's metadata at Slack carries it, and nothing else is read from there. */
  key: string;
  channel: string;
  /** The kind of the post's source, and the source's id. */
  source: SourceKind;
  source_id: string;
  /** The scan's id; null: the post is not about a single scan. */
  scan_id: string | null;
  /** The post's state, which `post-states.ts` alone writes. */
  state: ColumnType<PostState, PostState, never>;
  attempts: number;
  /** A number that rises with every send that is no retry: a replay, a thread parent posted again. */
  generation: Generated<number>;
  next_at: number;
  first_attempt_at: number | null;
  attempt_at: number | null;
  /** The time of the first attempt that may have been posted unnoticed: the search in the channel begins there. */
  unconfirmed_at: number | null;
  /** The last message known in the channel before the first unconfirmed attempt: a search goes no further back. */
  after_ts: string | null;
  last_code: string | null;
  /** The moment after which an unsent post is missed; null: it becomes a dead letter a day after its first attempt. */
  expires_at: number | null;
  ts: string | null;
  /** When the post came to its final state; null while its queue still has to handle it. */
  finished_at: ColumnType<number | null, number | null | undefined, never>;
  kind: Generated<StoredPostKind>;
  /** The lane of the post, lower ones first: see `posts/kinds.ts`. */
  lane: Generated<number>;
  /** The rule that made the post; null: a relay without rules, a watch, or several rules' posts. */
  rule_id: string | null;
  /** The post's content besides the scan, as the source's JSON. */
  detail: string | null;
  /** The key of the post's thread parent. */
  parent_key: string | null;
  /** The key of the digest that covers the post; it may still be collecting. */
  digest_key: string | null;
  /** The thread that the post was sent to. */
  thread_ts: string | null;
  ack_by: string | null;
  ack_at: number | null;
  ack_note: string | null;
}

/** Posts whose messages have changed since they were accepted. */
export interface MessageUpdatesTable {
  post_seq: number;
  /** A number that rises with every change that the message should show. */
  revision: number;
  /** The revision that the message shows, or will show once it is sent. */
  rendered_revision: Generated<number>;
  /** When the message is next to be updated; null: it is up to date. */
  due_at: number | null;
  updated_at: number | null;
  /** The number of failures in a row. */
  failures: Generated<number>;
}

/** When a workspace may make its next call of a method of Slack: see `call-budgets.ts`. */
export interface CallBudgetsTable extends Owned {
  method: string;
  free_at: number;
}

/** Sources whose posts wait: see `held-sources.ts`. */
export interface HeldSourcesTable {
  source: SourceKind;
  source_id: string;
  /** Whether their messages are not updated either (1). */
  updates: number;
}

/** The kinds of sources of posts. A workspace's id is the team's. */
export const sourceKinds = ['relay', 'report', 'export', 'workspace', 'list'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/**
 * The content of a post: a scan; a digest of many; a thread parent with its count; a mention that comes later; an alert; a reply in an alert's
 * thread; an escalation; a daily report; an export's progress and outcome; a board; an alert of a list's threshold; an
 * alert of a double admission; a reminder of an overdue thing; a notice by direct message; a workflow to start.
 */
export type PostKind =
  | ('scan' | 'digest' | 'card' | 'mention' | 'burst' | 'silence' | 'reply' | 'escalation')
  | ('report' | 'export' | 'board' | 'threshold' | 'double' | 'overdue' | 'notice' | 'workflow');

/** `incident`: a reply or, without a thread parent, an escalation, as an older version stored both. */
export type StoredPostKind = PostKind | 'incident';

/**
 * The state of a post. `pending`: to be sent; `sending`: recorded before the request leaves, so that a crash is
 * noticed; `unconfirmed`: may have been posted, the channel is searched; `delivered`; `digested`: a digest covers it;
 * `missed`: not sent in its time; `dead`: a dead letter, until a person replays it.
 */
export type PostState = 'pending' | 'sending' | 'unconfirmed' | 'delivered' | 'digested' | 'missed' | 'dead';

/** A digest that collects posts. It becomes a post when it is due; the posts it covers are already merged into it. */
export interface DigestsTable extends Owned {
  /** The key of the post that the digest becomes. */
  key: string;
  relay_id: string;
  rule_id: string;
  channel: string;
  /** The key of the digest's thread parent. */
  parent_key: string | null;
  detail: string;
  due_at: number;
}

/** A silence that a rule watches for: of the relay, or of one device or service. */
export interface SilencesTable {
  relay_id: string;
  rule_id: string;
  subject: 'relay' | 'device' | 'service';
  /** The id of the device (udid) or service; empty for the relay. */
  subject_id: string;
  /** When the wait for a scan began. */
  since: number;
  /** When to check whether a scan has arrived. */
  due_at: number;
}

/** State that a rule keeps from one scan to the next, in the rule's own format. */
export interface RuleMemoriesTable {
  relay_id: string;
  rule_id: string;
  memory: string;
}

/** A removed rule whose counters are still to be deleted. */
export interface RemovedRulesTable {
  relay_id: string;
  rule_id: string;
  /** 0, or the generation of a rule that returned while the counters of an earlier rule of its id were still stored. */
  generation: number;
}

/**
 * A burst, a silence, a list's crossed threshold or an overdue thing, named by the post that opened it. A subject has
 * one open incident at a time. For a list's incident, `relay_id` is the list; for a threshold, `rule_id` is the list's
 * run, and `scans` how many were inside then, as known now; for an overdue thing, `rule_id` is the key by which its
 * scans are found, and `last_at` the time when it went out.
 */
export interface IncidentsTable extends Owned {
  post_key: string;
  relay_id: string;
  rule_id: string;
  kind: 'burst' | 'silence' | 'threshold' | 'overdue';
  subject: 'relay' | 'device' | 'service' | 'list' | 'barcode';
  /** A udid, a service's id, or a barcode as an index key; empty for the relay; the percents of a list's threshold. */
  subject_id: string;
  /** Of a burst, the first invalid scan; of a silence, the last scan before it; of a thing, when it was due. */
  began_at: number;
  opened_at: number;
  /** The arrival of the incident's last scan. */
  last_at: number;
  /** The number of the incident's scans. */
  scans: number;
  /** The incident's scans by result code and service, as JSON. */
  tally: string;
  /** When the incident is checked for its end; null: never again. */
  due_at: number | null;
  /** The time of the last reply in the incident's thread. */
  replied_at: number;
  ended_at: number | null;
  end_reason: 'calm' | 'scan' | 'rule' | 'relay' | 'reset' | 'person' | 'extended' | 'soon' | null;
  /** The scan that ended a silence. */
  end_scan_id: string | null;
  acknowledged_by: string | null;
  acknowledged_at: number | null;
  acknowledged_note: string | null;
  assigned_to: string | null;
  assigned_by: string | null;
  assigned_at: number | null;
  resolved_by: string | null;
  resolved_at: number | null;
  resolved_reason: string | null;
  /** The time of the incident's escalation; null: never, or no longer. */
  escalate_at: number | null;
  escalated_at: number | null;
  /** When the holder of an overdue thing is reminded again; null: never. */
  remind_at: Generated<number | null>;
  /** When the next watched hours of a silence begin; null: it is within them. */
  rests_until: number | null;
  /** Ids (JSON) of the scans that opened a burst whose alert was not posted at once. */
  shows: string | null;
  /** How often the incident's alert was posted again. */
  reposts: Generated<number>;
  reposted_at: number | null;
  /** The `escalated_at` of the escalation that was sent by direct message last, since its channel no longer took it. */
  escalation_notified_at: number | null;
}

export interface WatchesTable extends Owned {
  id: string;
  /** The value, encoded as in counters: see counters/counters.ts. */
  value_key: string;
  value: string;
  channel: string;
  who: string;
  made_at: number;
  until: number;
  /** The list whose lent thing the person waits for; null: the person waits for scans. */
  list_id: Generated<string | null>;
  place_key: Generated<string | null>;
  barcode: Generated<string | null>;
  /** When the thing went out. */
  out_at: Generated<number | null>;
}

export interface MutesTable extends Owned {
  id: string;
  channel: string;
  what: 'value' | 'relay' | 'rule';
  /** The key of the muted value, relay or rule. */
  what_key: string;
  value: string | null;
  relay_id: string | null;
  rule_id: string | null;
  who: string;
  made_at: number;
  /** The latest end of the mute. */
  until: number;
  /** The number of posts after which the mute ends; null: no such end. */
  remaining: number | null;
  /** The incident with which the mute ends. */
  incident_id: string | null;
}

/** One row per channel with posts; an idle channel's row is pruned with its posts. */
export interface ChannelQueuesTable extends Owned {
  channel: string;
  /** The next time to check the channel; null: not until the next post is stored. */
  next_at: number | null;
  claimed_by: string | null;
  last_sent_at: number | null;
  /** The `ts` of the latest message of a delivered post. */
  last_ts: string | null;
  /** Since when Slack takes no posts in the channel; null: the channel takes posts. */
  blocked_at: number | null;
  /** The error code of Slack's refusal. */
  blocked_code: string | null;
  /** The number of failed attempts since the queue is blocked. */
  blocked_tries: Generated<number>;
  /** When a blocked queue is tried again. */
  retry_at: number | null;
  /** When people were notified that the queue is blocked; null: not yet. */
  notified_at: number | null;
}

/** A delivery worker, and until when it counts as alive without a new heartbeat. */
export interface WorkersTable {
  id: string;
  alive_until: number;
}

/** The mirror of a connected account: the state of its scans, its share of the calls, and the process that keeps it. */
export interface MirrorsTable extends Owned, Claimed {
  id: Generated<number>;
  /** The time of the connection whose account the mirror copies. */
  connected_at: number;
  /** The number of the last complete pass over the scans. */
  round: number;
  /** How many scans the last complete pass met; below, those of the pass under way. */
  scans: number;
  read: number;
  /** Whether a pass over the scans was completed. */
  filled: number;
  /** The time from which scans are kept; those made earlier are not. */
  scans_since: number | null;
  /** The time as of which the scans are known. */
  scans_at: number | null;
  /** The time, by the account, up to which changes were read. */
  cursor_at: number | null;
  full_due_at: number;
  /** When the last sure pass over all scans began: scans deleted before it are no longer stored. */
  full_at: number | null;
  last_code: string | null;
  /** The number of the last change of a scan through Scandesk. Answers requested before change `settled` are void. */
  changes: Generated<number>;
  settled: Generated<number>;
  next_call_at: number;
  /** Calls of the day's share that are saved up, in thousandths; null: as many as can be. */
  budget: number | null;
  budget_at: number;
}

/** The scans of a connected account. */
export interface AccountScansTable {
  /** The mirror's id. */
  connection: number;
  scan_id: string;
  /** The barcode's search key: see scans/key.ts. */
  key: string;
  /** The moment that counts for readers, as a received scan's. */
  at: number;
  /** The time of the scan; null: the account gives no time that can be parsed. */
  scanned_at: number | null;
  service: string;
  user_id: string;
  modified_at: number;
  /** The account's record of the scan, as JSON. */
  record: string;
  /** The number of the pass that met the scan last. */
  round: number;
}

/** The mirror of one of the account's databases. */
export interface MirroredDatabasesTable extends Owned {
  id: Generated<number>;
  database_id: string;
  name: string | null;
  case_sensitive: number;
  /** The time of the connection with which the mirror was fetched. */
  connected_at: number | null;
  /** The number of complete passes over the values. */
  round: number;
  size: number;
  /** When the last complete pass began. */
  fetched_at: number | null;
  due_at: number;
  failures: number;
  last_code: string | null;
  /** Since when all complete listings of the account's databases leave this one out. */
  left_out_at: number | null;
  /** The number of the last change through Scandesk. Answers requested before change `settled` are void. */
  changes: Generated<number>;
  settled: Generated<number>;
  /** How many values the account counts; below, those met by the pass under way. */
  expected: number | null;
  read: Generated<number>;
  /** The number of passes begun, completed or not. */
  attempt: Generated<number>;
  /** Whether the last complete pass could search for control characters. Null: copied before each value had its row. */
  searched: number | null;
}

export interface MirroredValuesTable {
  mirror_id: number;
  /** The value in the form in which it is compared: see mirror/key.ts. */
  key: string;
  /** The number of this row among the values with the same key. */
  twin: Generated<number>;
  /** The value as the account's answers spell it; several values may read alike. */
  value: string;
  valid: number;
  response: string;
  /** The number of the pass that met the value last. */
  round: number;
  /** The completed pass from which the text is sure to be the value itself, not the rest of a longer one. */
  sure_from: Generated<number>;
  /** The last pass that found a value with control characters of which answers leave this text. */
  lost_round: number | null;
  /** The attempt whose pages had the text last: an attempt that meets it again has met another value. */
  attempt: Generated<number>;
}

/** Values and scans that changed, while an answer requested before the change may be under way. */
export interface MirroredChangesTable {
  part: 'scans' | 'values';
  mirror_id: number;
  /** The value's key, or the scan's id. */
  key: string;
  change: number;
}

/** What a service of the account was since a moment, as the account's list said. */
export interface ServiceStatesTable {
  installation: string;
  team: string;
  service_id: string;
  since: number;
  /** How the service validates; empty: the account lists it no more. */
  method: string;
  database_id: string | null;
  once: number;
}

/** Apps that were uninstalled; an empty team: from the whole installation. */
export interface UninstalledTable extends Owned {
  at: number;
}

/** A part of an export's file, compressed by itself. */
export interface ExportChunksTable {
  export_id: string;
  seq: number;
  content: Uint8Array;
}

/** A list of places: it says which scans of a workspace take a barcode in, and which out. */
export interface PlaceListsTable extends Owned, Claimed {
  id: string;
  kind: 'inside' | 'custody';
  name: string;
  /** The list's settings as JSON. */
  settings: string;
  /** The key by which the list's rows are found; a reset, or a change of the counted scans, makes a new one. */
  run: string;
  /** The beginning from which the run counts: scans made earlier do not count. */
  reset_at: number;
  /** When the next day begins; null: only people reset the list. */
  next_reset_at: number | null;
  /** The moment up to which what became due is not posted, since the list counts anew; null: it does not. */
  quiet_to: Generated<number | null>;
  /** How long before a lent thing is due its holder is reminded; null: not at all. */
  before_ms: Generated<number | null>;
  /** When a person last reset the list. */
  cleared_at: Generated<number | null>;
  /** The moment before which stored scans are still to be marked; 0: all are, and are being folded; null: all are. */
  fill_to: number | null;
  /** The version, raised by each write of the list's rows: a writer that read an older one writes nothing. */
  version: Generated<number>;
  created_by: string;
  created_at: number;
}

/** Barcodes whose scans changed since the list was folded. */
export interface PlaceMarksTable {
  id: Generated<number>;
  list_id: string;
  /** The keys of one or several barcodes, with U+001E between them. */
  keys: string;
}

/** A scan that took a barcode in or out. */
export interface PlaceMovesTable {
  run: string;
  key: string;
  at: number;
  scan_id: string;
  /** The barcode as an index key: barcodes with one key may differ. */
  barcode: string;
  value: string;
  entering: 0 | 1;
  gate: string;
  user_id: string;
  /** The change of how many are inside: 0 for an *in* of a barcode inside, or an *out* of one outside. */
  change: -1 | 0 | 1;
  /** Whether the account has recorded the move's scan. */
  recorded: 0 | 1;
  /** Whether the move's scan was deleted for its age. */
  pruned: 0 | 1;
  /** The holder, or the person who came in, by the list's settings; null: the scans name nobody. */
  holder: string | null;
  /** The time when the thing is due back. */
  due_at: number | null;
  /** The answer that should be a due date, and is none. */
  due_text: string | null;
  /** The name of a lent thing, by the response to its scan. */
  response: string | null;
}

/** The newest move of a barcode. */
export interface PlacesTable extends Omit<PlaceMovesTable, 'entering' | 'change' | 'recorded'> {
  inside: 0 | 1;
}

/** People's answers about a lent thing, whose newest scan *out* was at `out_at`: each counts until a later scan. */
export interface LoansTable {
  list_id: string;
  key: string;
  barcode: string;
  out_at: number;
  /** The due time until which the loan was extended. */
  due_at: number | null;
  extended_by: string | null;
  extended_at: Generated<number | null>;
  /** The person who said that the thing is not theirs. */
  denied_by: string | null;
  denied_at: number | null;
  /** The person who said that the thing is back. */
  back_by: string | null;
  back_at: number | null;
}

/** The moves of a minute, counted. */
export interface PlaceMinutesTable {
  run: string;
  /** The minute, counted since the epoch. */
  minute: number;
  ins: number;
  outs: number;
  outs_alone: number;
  ins_again: number;
  change: number;
  /** The most that were inside at a moment of the minute, its beginning included. */
  high: number;
}

/** The counts of an hour, of a day (in UTC), or of the whole run, made of those of its parts. */
export interface PlaceSpansTable extends Omit<PlaceMinutesTable, 'minute'> {
  /** The length in minutes; 0: the whole run. */
  minutes: number;
  /** The first minute, counted since the epoch; 0 for the whole run. */
  start: number;
  /** The minute in which the most were inside. */
  high_at: number;
}

/** The moves at a gate. `minute` is 0: older versions kept a row for each minute. */
export interface PlaceGatesTable {
  run: string;
  minute: number;
  gate: string;
  ins: number;
  outs: number;
}

/** A live message that shows a list in a channel, named by its post. */
export interface PlaceBoardsTable extends Owned {
  key: string;
  list_id: string;
  channel: string;
  /** The figures that the message shows, as JSON; empty: none yet. */
  shown: string;
  /** When the figures next change even if no scan comes; null: they do not. */
  due_at: number | null;
  created_by: string;
  created_at: number;
  /** Since when Slack takes no changes of the message; below, the reason. */
  lost_at: number | null;
  lost_code: string | null;
  /** When people were notified that the message is lost; null: not yet. */
  notified_at: number | null;
}

/** A run whose rows are to be deleted. */
export interface PlaceRunsEndedTable {
  run: string;
}

export interface Schema {
  jobs: JobsTable;
  keyv: KeyvTable;
  audit: AuditTable;
  relays: RelaysTable;
  relay_secrets: RelaySecretsTable;
  relay_refusals: RelayRefusalsTable;
  owners: OwnersTable;
  received_scans: ReceivedScansTable;
  account_scans: AccountScansTable;
  scans_pruned: ScansPrunedTable;
  service_states: ServiceStatesTable;
  counters: CountersTable;
  admissions: AdmissionsTable;
  mirrors: MirrorsTable;
  mirrored_databases: MirroredDatabasesTable;
  mirrored_values: MirroredValuesTable;
  mirrored_changes: MirroredChangesTable;
  outbox: OutboxTable;
  digests: DigestsTable;
  silences: SilencesTable;
  incidents: IncidentsTable;
  rule_memories: RuleMemoriesTable;
  removed_rules: RemovedRulesTable;
  watches: WatchesTable;
  mutes: MutesTable;
  channel_queues: ChannelQueuesTable;
  held_sources: HeldSourcesTable;
  message_updates: MessageUpdatesTable;
  call_budgets: CallBudgetsTable;
  workers: WorkersTable;
  uninstalled: UninstalledTable;
  export_chunks: ExportChunksTable;
  place_lists: PlaceListsTable;
  place_marks: PlaceMarksTable;
  place_moves: PlaceMovesTable;
  places: PlacesTable;
  place_minutes: PlaceMinutesTable;
  place_spans: PlaceSpansTable;
  place_gates: PlaceGatesTable;
  place_runs_ended: PlaceRunsEndedTable;
  place_boards: PlaceBoardsTable;
  loans: LoansTable;
}
