/** The schema of the first release: SQL that both databases share, but for the words in capitals. */
import { CompiledQuery } from 'kysely';
import type { StoreKind } from '../types.js';
import type { MigrationFor } from './migration.js';

/**
 * `EXACT`: text compared and ordered byte by byte (keys, ids, barcodes). SQLite does so by default; in PostgreSQL the
 * database's locale would decide, and ranges over a prefix would miss rows. `KEYED`: found by the whole key, with little
 * else in a row, so that in SQLite the key is the table. Times and counts are `bigint`: PostgreSQL's `integer` has 32 bits.
 */
const words: Readonly<Record<StoreKind, Readonly<Record<string, string>>>> = {
  sqlite: {
    EXACT: 'text',
    FLAG: 'integer',
    REF: 'integer',
    BYTES: 'blob',
    KEYED: 'without rowid',
    SERIAL: 'integer primary key autoincrement',
  },
  postgres: {
    EXACT: 'text collate "C"',
    FLAG: 'smallint',
    REF: 'bigint',
    BYTES: 'bytea',
    KEYED: '',
    SERIAL: 'bigserial primary key',
  },
};

/** Keys with their values, who did what, and what an installation's end leaves. An installation's keys are found by prefix. */
const workspaces = `
create table keyv (
  namespace EXACT not null, key EXACT not null, value text not null, expires_at bigint,
  constraint keyv_pk primary key (namespace, key)
);
create index keyv_key on keyv (key);
create index keyv_expires_at on keyv (expires_at);
create table audit (
  id EXACT primary key, installation EXACT not null, team EXACT not null, at bigint not null, who text not null,
  "where" text not null, what text not null, detail text not null, outcome text not null
);
create index audit_owner on audit (installation, team, id);
create index audit_at on audit (at);
create table uninstalled (
  installation EXACT not null, team EXACT not null, at bigint not null,
  constraint uninstalled_pk primary key (installation, team)
);`;

const relays = `
create table relays (
  id EXACT primary key, owner bigint not null, installation EXACT not null, team EXACT not null, service_ids text not null,
  service_name text not null, channel EXACT not null, notable text not null, settings text not null,
  counting text not null default '{}', created_by text not null, created_at bigint not null, paused_at bigint,
  paused_why text, owner_notified_at bigint, notify_claimed_until bigint, undelivered_notified_at bigint,
  undelivered_claimed_until bigint, removed_at bigint, scans bigint not null, last_scan_at bigint
);
create index relays_owner on relays (installation, team, id);
create table relay_secrets (
  id EXACT primary key, relay_id EXACT not null, hash EXACT not null, created_at bigint not null,
  last_used_at bigint, ended_at bigint
);
create index relay_secrets_relay on relay_secrets (relay_id);`;

/**
 * Scans as relays received them, and as the account recorded them. `owner`: a row of owners. `at`: the moment that counts
 * for readers; `scanned_at`: what the device says. `key`: see scans/key.ts. An index holds a device's first 200 characters.
 */
const scans = `
create table owners (
  id SERIAL, installation EXACT not null, team EXACT not null
);
create unique index owners_owner on owners (installation, team);
create table received_scans (
  id EXACT primary key, relay_id EXACT not null, owner bigint not null, at bigint not null, scanned_at bigint,
  received_at bigint not null, key EXACT not null, tid EXACT not null, sid EXACT, userid EXACT, udid EXACT,
  scanid EXACT, given_status text, given_text text, scanned_at_utc text, valid FLAG not null, test FLAG not null,
  answer_text text not null, answers text not null, properties text not null, raw text not null, repeat_key EXACT,
  finding text, late FLAG not null default 0, why text, reply text, made_at bigint, earlier text
);
create index received_scans_relay on received_scans (relay_id, id);
create unique index received_scans_repeat on received_scans (relay_id, repeat_key) where repeat_key is not null;
create index received_scans_record on received_scans (owner, substr(scanid, 1, 200)) where scanid is not null;
create index received_scans_key on received_scans (owner, key, at);
create index received_scans_at on received_scans (owner, at, id);
create index received_scans_device on received_scans (owner, substr(udid, 1, 200), id);
create table scans_pruned (before bigint not null);
insert into scans_pruned values (0);
create table account_scans (
  connection bigint not null, scan_id EXACT not null, key EXACT not null, at bigint not null, scanned_at bigint,
  service EXACT not null, user_id EXACT not null, modified_at bigint not null, record text not null,
  round bigint not null,
  constraint account_scans_pk primary key (connection, scan_id)
);
create index account_scans_key on account_scans (connection, key, at);
create index account_scans_at on account_scans (connection, at, scan_id);`;

/** The tables of the relays' counters and of the rules' memories. */
const counting = `
create table counters (
  relay_id EXACT not null, subject EXACT not null, key EXACT not null, seen bigint not null, first_at bigint not null,
  last_at bigint not null, accepted bigint not null, last_accepted_at bigint,
  constraint counters_pk primary key (relay_id, subject, key)
) KEYED;
create table admissions (
  relay_id EXACT not null, subject EXACT not null, key EXACT not null, at bigint not null, scan_id EXACT not null,
  constraint admissions_pk primary key (relay_id, subject, key, at, scan_id)
) KEYED;
create table rule_memories (
  relay_id EXACT not null, rule_id EXACT not null, memory text not null,
  constraint rule_memories_pk primary key (relay_id, rule_id)
) KEYED;
create table removed_rules (
  relay_id EXACT not null, rule_id EXACT not null, generation bigint not null,
  constraint removed_rules_pk primary key (relay_id, rule_id, generation)
);
create table watches (
  id EXACT primary key, installation EXACT not null, team EXACT not null, value_key EXACT not null,
  value EXACT not null, channel EXACT not null, who EXACT not null, made_at bigint not null, until bigint not null
);
create unique index watches_value on watches (installation, team, value_key, channel, who);
create table mutes (
  id EXACT primary key, installation EXACT not null, team EXACT not null, channel EXACT not null, what EXACT not null,
  what_key EXACT not null, value EXACT, relay_id EXACT, rule_id EXACT, who EXACT not null, made_at bigint not null,
  until bigint not null, remaining bigint, incident_id EXACT
);
create unique index mutes_what on mutes (installation, team, what, what_key, channel);`;

const incidents = `
create table incidents (
  post_key EXACT primary key, installation EXACT not null, team EXACT not null, relay_id EXACT not null,
  rule_id EXACT not null, kind EXACT not null, subject EXACT not null, subject_id EXACT not null,
  began_at bigint not null, opened_at bigint not null, last_at bigint not null, scans bigint not null,
  tally text not null, due_at bigint, replied_at bigint not null, ended_at bigint, end_reason EXACT, end_scan_id EXACT,
  acknowledged_by EXACT, acknowledged_at bigint, acknowledged_note text, assigned_to EXACT, assigned_by EXACT,
  assigned_at bigint, resolved_by EXACT, resolved_at bigint, resolved_reason text, escalate_at bigint,
  escalated_at bigint, rests_until bigint, reposts bigint not null default 0, reposted_at bigint,
  escalation_notified_at bigint, escalation_claimed_until bigint
);
create unique index incidents_open on incidents (relay_id, rule_id, subject, subject_id) where ended_at is null;
create index incidents_due on incidents (due_at) where due_at is not null;
create index incidents_ended on incidents (ended_at) where ended_at is not null;
create index incidents_escalate on incidents (escalate_at) where escalate_at is not null;
create table silences (
  relay_id EXACT not null, rule_id EXACT not null, subject EXACT not null, subject_id EXACT not null,
  since bigint not null, due_at bigint not null, told_for bigint,
  constraint silences_pk primary key (relay_id, rule_id, subject_id)
);
create index silences_due on silences (due_at);`;

const posts = `
create table channel_queues (
  installation EXACT not null, team EXACT not null, channel EXACT not null, next_at bigint, claimed_by EXACT,
  last_sent_at bigint, blocked_at bigint, blocked_code text, blocked_tries integer not null default 0, retry_at bigint,
  notified_at bigint, notify_claimed_until bigint,
  constraint channel_queues_pk primary key (installation, team, channel)
);
create index channel_queues_due on channel_queues (next_at) where next_at is not null;
create index channel_queues_blocked on channel_queues (installation, team, channel) where blocked_at is not null;
create table queue_heads (
  installation EXACT not null, team EXACT not null, channel EXACT not null,
  relay_id EXACT not null references relays (id), lane integer not null, seq bigint not null,
  constraint queue_heads_pk primary key (relay_id, installation, team, channel, lane),
  constraint queue_heads_queue foreign key (installation, team, channel)
    references channel_queues (installation, team, channel)
) KEYED;
create index queue_heads_first on queue_heads (installation, team, channel, lane, seq, relay_id);
create table outbox (
  seq SERIAL, key EXACT not null, installation EXACT not null, team EXACT not null, channel EXACT not null,
  relay_id EXACT not null references relays (id), scan_id EXACT references received_scans (id), state EXACT not null,
  attempts integer not null, generation integer not null default 0, next_at bigint not null, first_attempt_at bigint,
  attempt_at bigint, unconfirmed_at bigint, last_code text, ts text, finished_at bigint,
  kind EXACT not null default 'scan', lane integer not null default 1, rule_id EXACT, detail text, parent_key EXACT, digest_key EXACT, thread_ts text,
  ack_by text, ack_at bigint, ack_note text
);
create unique index outbox_key on outbox (key);
create index outbox_open on outbox (installation, team, relay_id, channel, lane, seq) where finished_at is null;
create index outbox_attempted on outbox (relay_id) where finished_at is null and first_attempt_at is not null;
create index outbox_dead on outbox (relay_id, finished_at) where state = 'dead';
create index outbox_digest_key on outbox (digest_key, seq) where digest_key is not null;
create index outbox_parent_key on outbox (parent_key, seq) where parent_key is not null;
create index outbox_scan on outbox (scan_id) where scan_id is not null;
create index outbox_scanless on outbox (finished_at, seq) where scan_id is null;
create table message_updates (
  post_seq REF primary key references outbox (seq) on delete cascade, revision integer not null,
  rendered_revision integer not null default 0, due_at bigint, updated_at bigint, failures integer not null default 0
);
create index message_updates_due on message_updates (due_at) where due_at is not null;
create table digests (
  key EXACT primary key, relay_id EXACT not null references relays (id), rule_id EXACT not null,
  installation EXACT not null, team EXACT not null, channel EXACT not null, parent_key EXACT, detail text not null,
  due_at bigint not null
);
create unique index digests_rule on digests (relay_id, rule_id, channel);
create index digests_due on digests (due_at);
create table workers (id EXACT primary key, alive_until bigint not null);`;

/** The tables of the mirrors: the progress of each, and the values of its databases. */
const mirror = `
create table mirrors (
  id SERIAL, installation EXACT not null, team EXACT not null, connected_at bigint not null, round bigint not null,
  scans bigint not null, read bigint not null, filled FLAG not null, scans_since bigint, scans_at bigint,
  cursor_at bigint, full_due_at bigint not null, full_at bigint, last_code text, changes bigint not null default 0,
  settled bigint not null default 0, next_call_at bigint not null, budget bigint, budget_at bigint not null,
  claimed_by EXACT, claimed_until bigint
);
create unique index mirrors_owner on mirrors (installation, team);
create table mirrored_databases (
  id SERIAL, installation EXACT not null, team EXACT not null, database_id EXACT not null, name text,
  case_sensitive FLAG not null, connected_at bigint, round bigint not null, size bigint not null, fetched_at bigint,
  due_at bigint not null, failures integer not null, last_code text, left_out_at bigint,
  changes bigint not null default 0, settled bigint not null default 0, expected bigint, read bigint not null default 0
);
create unique index mirrored_databases_database on mirrored_databases (installation, team, database_id);
create table mirrored_values (
  mirror_id bigint not null, key EXACT not null, value text not null, valid FLAG not null, response text not null,
  round bigint not null, sure_from bigint not null default 0,
  constraint mirrored_values_pk primary key (mirror_id, key)
) KEYED;
create table mirrored_changes (
  part EXACT not null, mirror_id bigint not null, key EXACT not null, change bigint not null,
  constraint mirrored_changes_pk primary key (part, mirror_id, key)
);`;

const reportsAndExports = `
create table reports (
  id EXACT primary key, installation EXACT not null, team EXACT not null, subject text not null, channel text not null,
  hour integer not null, minute integer not null, zone text not null, day text not null, created_by text not null,
  created_at bigint not null, paused_at bigint, paused_why text, due_at bigint not null, next_at bigint not null,
  claimed_by text, claimed_until bigint, attempt_at bigint, failures integer not null, last_code text,
  missed integer not null, posted_at bigint, notice integer not null
);
create index reports_owner on reports (installation, team, id);
create index reports_next on reports (next_at);
create table exports (
  id EXACT primary key, installation EXACT not null, team EXACT not null, who EXACT not null, channel EXACT not null,
  what text not null, mode text not null, state text not null, connected_at bigint, expected bigint,
  position text not null, chunks bigint not null default 0, rows bigint not null default 0,
  bytes bigint not null default 0, created_at bigint not null, due_at bigint not null, worked_at bigint not null,
  failures bigint not null default 0, claimed_by EXACT, claimed_until bigint, message_channel EXACT, message_ts EXACT,
  shown_at bigint, file_id EXACT, shared_at bigint, outcome text
);
create index exports_owner on exports (installation, team, id);
create table export_chunks (
  export_id EXACT not null, seq bigint not null, content BYTES not null,
  constraint export_chunks_pk primary key (export_id, seq)
);`;

const tables = [workspaces, relays, scans, counting, incidents, posts, mirror, reportsAndExports].join('');

export const schema: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const typed = tables.replace(/\b[A-Z]+\b/g, (word) => words[kind][word]!);
    for (const statement of typed.split(';\n')) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
