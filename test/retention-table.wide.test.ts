/**
 * The table of what is kept in docs/operating.md, row by row: on the running app, on each database, one thing that is
 * due goes and its twin that is not due stays. The test moves the app's clock.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRandom } from '../src/clock.js';
import { ruleSubject } from '../src/counters/counters.js';
import { createIds } from '../src/database/ids.js';
import { eraseAllJobs } from '../src/database/jobs/job-rows.js';
import { createJobs } from '../src/database/jobs/runner.js';
import type { Schema } from '../src/database/schema.js';
import { eraseExports } from '../src/exports/index.js';
import { silentLog } from '../src/log.js';
import { createMetrics } from '../src/metrics.js';
import { type Owner, ownerKey } from '../src/ownership.js';
import { createPlaces } from '../src/places/index.js';
import { createRelayStore } from '../src/relay/relays/relay-rows.js';
import { createReports } from '../src/reports/index.js';
import { eraseServiceStates } from '../src/scans/index.js';
import { savedSearchRecords } from '../src/search/saved-searches.js';
import { createWorkflowTriggers } from '../src/workflows/index.js';
import { linkMember } from '../src/workspaces/members.js';
import type { Store } from '../src/workspaces/types.js';
import { onEachDatabase, openTestStore, type TestDatabases } from './helpers/databases.js';
import { addJob } from './helpers/jobs.js';
import { relayRecord } from './helpers/relay.js';
import { storeReceived } from './helpers/scans.js';
import { createMovableClock, type MovableClock } from './judge/clock.js';
import { accountKey, startTestApp, type TestApp } from './slack/test-app.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 5, 1, 12);
const scanDays = 30;
const auditDays = 400;
const lateHours = 24;
const owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };

/** One of two twins: `age` is how long ago it was stored. */
interface Twin {
  readonly id: string;
  readonly age: number;
  readonly at: number;
  readonly owner: Owner;
}

interface Kept {
  readonly store: Store;
  readonly clock: MovableClock;
}

type Act = (kept: Kept, twin: Twin) => Promise<unknown>;

interface Row {
  readonly tables: readonly (keyof Schema)[];
  readonly seed: Act;
  /** The twins' ages: the first is due. Where ages do not decide, `end` is called for the first twin. */
  readonly ages?: readonly [due: number, kept: number];
  readonly end?: Act;
  /** The twins belong to workspaces of their own. */
  readonly apart?: boolean;
  /** The number of a twin's rows that are stored. */
  readonly left: (store: Store, twin: Twin) => Promise<number>;
}

const relayOf = (twin: Twin) => `${twin.id}-relay`;

/** Stores a row as it is; the schema's types are too narrow for what a table of rows gives. */
const insert = async (store: Store, table: keyof Schema, row: object): Promise<unknown> =>
  await store.db
    .insertInto(table)
    .values(row as never)
    .execute();

const countOf = async (store: Store, table: keyof Schema, column: string, value: string): Promise<number> => {
  const rows = await store.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('n'))
    .where(column as never, '=', value as never)
    .execute();
  return Number(rows[0]?.n ?? 0);
};

/** The number of a twin's rows in tables that name its relay. */
const ofRelay =
  (...tables: (keyof Schema)[]) =>
  async (store: Store, twin: Twin) => {
    const counts = await Promise.all(
      tables.map((table) => countOf(store, table, table === 'outbox' ? 'source_id' : 'relay_id', relayOf(twin))),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };

const settings = JSON.stringify({ rules: [{ id: 'r1', channel: 'C1', when: { kind: 'every' } }] });

const addRelay: Act = ({ store }, twin) =>
  createRelayStore(store.db).add(relayRecord({ id: relayOf(twin), owner: twin.owner, settings }), {
    ...{ id: `${twin.id}-secret`, hash: twin.id.padEnd(64, '0') },
  });

const removeRelay: Act = ({ store, clock }, twin) =>
  createRelayStore(store.db).remove(twin.owner, relayOf(twin), clock.now());

const addScan: Act = async ({ store }, twin) => {
  const id = createIds({ now: () => twin.at, sleep: () => Promise.resolve() }, systemRandom)();
  await storeReceived(store, [{ id, relay_id: relayOf(twin), ...twin.owner, received_at: twin.at, tid: twin.id }]);
  return id;
};

const addPost = async ({ store }: Kept, twin: Twin, post: object = {}): Promise<void> => {
  const queue = { ...twin.owner, channel: `C-${twin.id}` };
  await insert(store, 'channel_queues', { ...queue, last_sent_at: twin.at });
  await insert(store, 'outbox', {
    ...{ key: twin.id, ...queue, source: 'relay', source_id: relayOf(twin), state: 'delivered', attempts: 1 },
    ...{ next_at: twin.at, finished_at: twin.at, ts: '1.1' },
    ...post,
  });
};

const counted = { seen: 1, first_at: 1, last_at: 1, accepted: 1 };
const addCounter = ({ store }: Kept, twin: Twin, subject: string) =>
  insert(store, 'counters', { relay_id: relayOf(twin), subject, key: twin.id, ...counted });

/** A record of a day's or a month's life, stored as long ago as the twin is old. */
const addRecord = (store: Store, namespace: string, twin: Twin, ttlMs?: number) =>
  insert(store, 'keyv', {
    ...{ namespace, key: `${ownerKey(twin.owner)}:${twin.id}`, value: '{"value":{}}' },
    expires_at: ttlMs === undefined ? null : twin.at + ttlMs,
  });

const leftRecords =
  (namespace: string): Row['left'] =>
  async ({ db }, twin) => {
    const key = `${ownerKey(twin.owner)}:${twin.id}`;
    const found = await db
      .selectFrom('keyv')
      .select('key')
      .where('namespace', '=', namespace)
      .where('key', '=', key)
      .execute();
    return found.length;
  };

const connect = (store: Store, twin: Twin) =>
  store.workspaces.connect(twin.owner, accountKey, { connectedBy: 'U1', connectedAt: twin.at });

/** The copy of a connected account, at rest. */
async function copyAccount(store: Store, twin: Twin): Promise<{ readonly mirror_id: number }> {
  await connect(store, twin);
  const { id } = await store.db
    .insertInto('mirrors')
    .values({
      ...{
        ...twin.owner,
        connected_at: twin.at,
        round: 1,
        scans: 1,
        read: 1,
        filled: 1,
        full_due_at: start + 10 * day,
      },
      ...{ next_call_at: start * 2, budget_at: start },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const database = await store.db
    .insertInto('mirrored_databases')
    .values({
      ...{ ...twin.owner, database_id: '1', case_sensitive: 0, connected_at: twin.at, round: 1, size: 1 },
      ...{ due_at: start + 10 * day, failures: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const value = { key: twin.id, value: twin.id, valid: 1, response: '', round: 1 };
  await insert(store, 'mirrored_values', { mirror_id: database.id, ...value });
  const scan = { scan_id: twin.id, key: twin.id, at: twin.at, service: '1', user_id: '1', modified_at: twin.at };
  await insert(store, 'account_scans', { connection: id, ...scan, record: '{}', round: 1 });
  return { mirror_id: id };
}

async function copied(store: Store, twin: Twin): Promise<number> {
  const counts = [
    countOf(store, 'mirrors', 'team', twin.owner.team),
    countOf(store, 'mirrored_databases', 'team', twin.owner.team),
    countOf(store, 'mirrored_values', 'key', twin.id),
    countOf(store, 'account_scans', 'key', twin.id),
  ];
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

const addReport = (store: Store, twin: Twin) =>
  addJob(store, {
    ...{ owner: twin.owner, kind: 'report', key: twin.id, createdAt: 1, dueAt: start * 2 },
    state: {
      ...{ subject: { relay: 'none' }, channel: 'C0GATE', hour: 1, minute: 0, zone: 'UTC', day: 'today' },
      ...{ createdBy: 'U1', dueAt: start * 2, missed: 0 },
    },
  });

const reportsIn = ({ store, clock }: Kept) => {
  const shared = { store, clock, random: systemRandom, log: silentLog, metrics: createMetrics(), instanceId: 'one' };
  return createReports({ ...shared, jobs: createJobs(shared) } as never);
};

const change = { who: 'U1', where: 'home', what: '', detail: {}, outcome: 'ok' };
const anExport = {
  ...{ who: 'U0ADA', channel: 'U0ADA', what: { kind: 'values', database: { id: '1', name: 'D' } } },
};
/** A number of its own for each twin. */
const revisionOf = ({ id }: Twin): number => Number.parseInt(id, 10) * 2 + (id.endsWith('due') ? 1 : 2) + 1_000;

const addPlaceList: Act = ({ store }, twin) =>
  insert(store, 'place_lists', {
    ...{ id: twin.id, ...twin.owner, kind: 'inside', name: twin.id, run: `${twin.id}-run`, reset_at: twin.at },
    ...{ settings: JSON.stringify({ in: [{ kind: 'result', is: 'valid' }], out: [], zone: 'UTC' }), created_by: 'U1' },
    created_at: twin.at,
  });

const placesIn = ({ store, clock }: Kept) =>
  createPlaces({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    relays: { validators: async () => [] },
    instanceId: 'one',
    open: async () => undefined,
    onPosts: () => undefined,
  });

const incident = {
  ...{ rule_id: 'r1', kind: 'burst', subject: 'relay', subject_id: '', began_at: 1, last_at: 1, scans: 1 },
  ...{ tally: '[]', replied_at: 1 },
};

const rows: Readonly<Record<string, Row>> = {
  'scans that relays received': {
    tables: ['received_scans', 'outbox'],
    ages: [(scanDays + 1) * day, (scanDays - 1) * day],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      await addPost(kept, twin, { scan_id: await addScan(kept, twin) });
    },
    left: ofRelay('received_scans', 'outbox'),
  },
  'how often a barcode was scanned': {
    tables: ['counters'],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      await addCounter(kept, twin, 'value');
    },
    end: removeRelay,
    left: ofRelay('counters'),
  },
  'when barcodes were admitted': {
    tables: ['admissions'],
    ages: [(lateHours + 3) * hour, (lateHours - 12) * hour],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      const counting = JSON.stringify({ value: { within: [60] } });
      await kept.store.db.updateTable('relays').set({ counting }).where('id', '=', relayOf(twin)).execute();
      const admission = { relay_id: relayOf(twin), subject: 'value', key: twin.id, at: twin.at, scan_id: twin.id };
      await insert(kept.store, 'admissions', admission);
    },
    left: ofRelay('admissions'),
  },
  'what rules counted': {
    tables: ['counters', 'removed_rules'],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      await addCounter(kept, twin, ruleSubject({ ruleId: 'r1' }, 'value'));
    },
    end: ({ store }, twin) => insert(store, 'removed_rules', { relay_id: relayOf(twin), rule_id: 'r1', generation: 0 }),
    left: ofRelay('counters', 'removed_rules'),
  },
  'what a rule keeps': {
    tables: ['rule_memories', 'silences'],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      const rule = { relay_id: relayOf(twin), rule_id: 'r1' };
      await insert(kept.store, 'rule_memories', { ...rule, memory: '{}' });
      await insert(kept.store, 'silences', {
        ...rule,
        subject: 'relay',
        subject_id: '',
        since: 1,
        due_at: start + 10 * day,
      });
    },
    end: removeRelay,
    left: ofRelay('rule_memories', 'silences'),
  },
  'the hashes of relays': {
    tables: ['relay_secrets'],
    seed: addRelay,
    end: removeRelay,
    left: ofRelay('relay_secrets'),
  },
  'how many scans a relay refused': {
    tables: ['relay_refusals'],
    ages: [2 * day, hour],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      const count = { code: 'relay.secret', sender: '192.0.2.1', scans: 1, first_at: twin.at, last_at: twin.at };
      await insert(kept.store, 'relay_refusals', { relay_id: relayOf(twin), ...count });
    },
    left: ofRelay('relay_refusals'),
  },
  'digests being collected': {
    tables: ['digests'],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      const digest = { key: twin.id, relay_id: relayOf(twin), rule_id: 'r1', ...twin.owner, channel: 'C0GATE' };
      await insert(kept.store, 'digests', { ...digest, detail: '{}', due_at: start + 10 * day });
    },
    end: removeRelay,
    left: ofRelay('digests'),
  },
  'what messages are still to show': {
    tables: ['message_updates'],
    ages: [(scanDays + 1) * day, (scanDays - 1) * day],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      await addPost(kept, twin, { scan_id: await addScan(kept, twin) });
      const { seq } = await kept.store.db
        .selectFrom('outbox')
        .select('seq')
        .where('key', '=', twin.id)
        .executeTakeFirstOrThrow();
      // `failures` holds a number that tells the twins apart.
      await insert(kept.store, 'message_updates', {
        post_seq: seq,
        revision: 1,
        failures: revisionOf(twin),
        updated_at: twin.at,
      });
    },
    left: (store, twin) => countOf(store, 'message_updates', 'failures', revisionOf(twin) as never),
  },
  'the order and times of a channel': {
    tables: ['channel_queues'],
    ages: [(scanDays + 1) * day, (scanDays - 1) * day],
    seed: ({ store }, twin) =>
      insert(store, 'channel_queues', { ...twin.owner, channel: twin.id, last_sent_at: twin.at }),
    left: (store, twin) => countOf(store, 'channel_queues', 'channel', twin.id),
  },
  'the copy of the account': {
    tables: ['mirrored_values', 'account_scans', 'mirrored_databases', 'mirrors'],
    apart: true,
    seed: ({ store }, twin) => copyAccount(store, twin),
    end: ({ store }, twin) => store.workspaces.disconnect(twin.owner),
    left: copied,
  },
  'what services of the account were': {
    tables: ['service_states'],
    apart: true,
    seed: ({ store }, twin) =>
      insert(store, 'service_states', {
        ...{ ...twin.owner, service_id: twin.id, since: twin.at, method: 'record', database_id: null, once: 0 },
      }),
    end: ({ store }, twin) => store.eraseTeam(twin.owner),
    left: (store, twin) => countOf(store, 'service_states', 'service_id', twin.id),
  },
  'changes made here while the copy': {
    tables: ['mirrored_changes'],
    apart: true,
    async seed({ store }, twin) {
      const { mirror_id } = await copyAccount(store, twin);
      await insert(store, 'mirrored_changes', { part: 'scans', mirror_id, key: twin.id, change: 1 });
    },
    end: ({ store }, twin) => store.workspaces.disconnect(twin.owner),
    left: (store, twin) => countOf(store, 'mirrored_changes', 'key', twin.id),
  },
  'what is behind the buttons': {
    tables: ['keyv'],
    ages: [day + hour, day - 12 * hour],
    seed: ({ store }, twin) => addRecord(store, 'result', twin, day),
    left: leftRecords('result'),
  },
  'saved searches': {
    tables: ['keyv'],
    seed: ({ store }, twin) => addRecord(store, 'saved-search', twin),
    end: ({ store }, twin) => savedSearchRecords.update({ store }, twin.owner, twin.id, () => undefined),
    left: leftRecords('saved-search'),
  },
  'daily reports': {
    tables: ['jobs'],
    seed: ({ store }, twin) => addReport(store, twin),
    end: (kept, twin) => reportsIn(kept).remove(twin.owner, twin.id),
    left: (store, twin) => countOf(store, 'jobs', 'key', twin.id),
  },
  'lists of who is inside': {
    tables: ['place_lists', 'place_marks', 'place_boards'],
    async seed(kept, twin) {
      await addPlaceList(kept, twin);
      const board = { key: twin.id, list_id: twin.id, ...twin.owner, channel: 'C0HALL', shown: '', created_by: 'U1' };
      await insert(kept.store, 'place_boards', { ...board, created_at: twin.at });
    },
    end: (kept, twin) => placesIn(kept).remove(twin.id),
    left: async (store, twin) =>
      (await countOf(store, 'place_lists', 'id', twin.id)) +
      (await countOf(store, 'place_marks', 'list_id', twin.id)) +
      (await countOf(store, 'place_boards', 'list_id', twin.id)),
  },
  'what people said of lent things': {
    tables: ['loans'],
    async seed(kept, twin) {
      await addPlaceList(kept, twin);
      await insert(kept.store, 'loans', { list_id: twin.id, key: twin.id, barcode: twin.id, out_at: twin.at });
    },
    end: (kept, twin) => placesIn(kept).remove(twin.id),
    left: (store, twin) => countOf(store, 'loans', 'list_id', twin.id),
  },
  'where barcodes are': {
    tables: ['place_moves', 'places', 'place_minutes', 'place_spans', 'place_gates', 'place_runs_ended'],
    async seed(kept, twin) {
      await addPlaceList(kept, twin);
      const run = `${twin.id}-run`;
      const move = { run, key: twin.id, at: twin.at, scan_id: twin.id, barcode: twin.id, value: twin.id, gate: '' };
      await insert(kept.store, 'place_moves', { ...move, user_id: '', entering: 1, change: 1, recorded: 0, pruned: 0 });
      await insert(kept.store, 'places', { ...move, user_id: '', inside: 1, pruned: 0 });
      const counted = { run, minute: 1, ins: 1, outs: 0 };
      await insert(kept.store, 'place_minutes', { ...counted, outs_alone: 0, ins_again: 0, change: 1, high: 1 });
      const span = { run, minutes: 0, start: 0, ins: 1, outs: 0, outs_alone: 0, ins_again: 0, change: 1 };
      await insert(kept.store, 'place_spans', { ...span, high: 1, high_at: 1 });
      await insert(kept.store, 'place_gates', { ...counted, gate: '' });
    },
    end: (kept, twin) => placesIn(kept).reset(twin.id),
    left: async (store, twin) => {
      const names = ['place_moves', 'places', 'place_minutes', 'place_spans', 'place_gates'] as const;
      const tables = [...names, 'place_runs_ended'] as const;
      const counts = await Promise.all(tables.map((table) => countOf(store, table, 'run', `${twin.id}-run`)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  },
  "everybody's recent lookups": {
    tables: ['keyv'],
    ages: [31 * day, 29 * day],
    seed: ({ store }, twin) => addRecord(store, 'recent-lookups', twin, 30 * day),
    left: leftRecords('recent-lookups'),
  },
  'whom the app has welcomed': {
    tables: ['keyv'],
    apart: true,
    seed: ({ store }, twin) => addRecord(store, 'welcomed', twin),
    end: ({ store, clock }, twin) => store.eraseInstallation(twin.owner.installation, clock.now()),
    left: leftRecords('welcomed'),
  },
  'bursts, silences and crossed thresholds': {
    tables: ['incidents'],
    ages: [(scanDays + 1) * day, (scanDays - 1) * day],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      const times = { opened_at: twin.at, ended_at: twin.at };
      await insert(kept.store, 'incidents', {
        ...incident,
        ...twin.owner,
        ...times,
        post_key: twin.id,
        relay_id: relayOf(twin),
      });
      await addPost(kept, twin, { kind: 'burst' });
    },
    left: (store, twin) => countOf(store, 'incidents', 'post_key', twin.id),
  },
  'watches and mutes': {
    tables: ['watches', 'mutes'],
    ages: [minute, -7 * hour],
    async seed({ store }, twin) {
      const of = {
        id: twin.id,
        ...twin.owner,
        channel: 'C0GATE',
        who: 'U1',
        value: twin.id,
        made_at: 1,
        until: twin.at,
      };
      await insert(store, 'watches', { ...of, value_key: twin.id });
      await insert(store, 'mutes', { ...of, what: 'value', what_key: twin.id });
    },
    left: async (store, twin) =>
      (await countOf(store, 'watches', 'id', twin.id)) + (await countOf(store, 'mutes', 'id', twin.id)),
  },
  'exports under way': {
    tables: ['jobs', 'export_chunks'],
    async seed({ store }, twin) {
      await addJob(store, {
        ...{ owner: twin.owner, kind: 'export', key: twin.id, createdAt: start, dueAt: start + 20 * hour },
        state: { ...anExport, mode: 'exact', state: 'reading', position: {}, chunks: 2, rows: 1, bytes: 1 },
      });
      await insert(store, 'export_chunks', { export_id: twin.id, seq: 1, content: new Uint8Array([1]) });
    },
    end: ({ store }, twin) =>
      // An export that is a day old ends.
      store.db.updateTable('jobs').set({ created_at: 0, due_at: 0 }).where('key', '=', twin.id).execute(),
    left: async (store, twin) =>
      (await countOf(store, 'jobs', 'key', twin.id)) + (await countOf(store, 'export_chunks', 'export_id', twin.id)),
  },
  'which files of lists': {
    tables: ['jobs'],
    // The file is gone already: Slack knows none of that name.
    async seed({ store }, twin) {
      const connected = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
      const ended = { ...anExport, id: twin.id, rows: 1, outcome: 'done' };
      await addJob(store, {
        ...{ owner: connected, kind: 'export_file', key: twin.id, createdAt: twin.at, dueAt: twin.at + day },
        state: { ended, fileId: `F${twin.id}` },
      });
    },
    ages: [day + hour, 0],
    left: (store, twin) => countOf(store, 'jobs', 'key', twin.id),
  },
  'the audit log': {
    tables: ['audit'],
    ages: [(auditDays + 1) * day, (auditDays - 1) * day],
    seed: ({ store }, twin) => store.audit.add(twin.owner, { ...change, at: twin.at, what: twin.id }),
    left: (store, twin) => countOf(store, 'audit', 'what', twin.id),
  },
  'that the app was uninstalled': {
    tables: ['uninstalled'],
    apart: true,
    ages: [8 * day, 6 * day],
    seed: ({ store }, twin) => insert(store, 'uninstalled', { ...twin.owner, at: twin.at }),
    left: (store, twin) => countOf(store, 'uninstalled', 'team', twin.owner.team),
  },
  'numbers of workspaces': {
    tables: ['owners'],
    apart: true,
    ages: [8 * day, 6 * day],
    async seed(kept, twin) {
      await addRelay(kept, twin);
      await insert(kept.store, 'uninstalled', { ...twin.owner, at: twin.at });
    },
    left: (store, twin) => countOf(store, 'owners', 'team', twin.owner.team),
  },
  'the processes that post': {
    tables: ['workers'],
    ages: [30 * day, hour],
    seed: ({ store }, twin) => insert(store, 'workers', { id: twin.id, alive_until: twin.at }),
    left: (store, twin) => countOf(store, 'workers', 'id', twin.id),
  },
  'how often Slack may be called for a workspace': {
    tables: ['call_budgets'],
    ages: [2 * day, hour],
    seed: ({ store }, twin) =>
      insert(store, 'call_budgets', { ...owner, team: twin.id, method: 'chat.update', free_at: twin.at }),
    left: (store, twin) => countOf(store, 'call_budgets', 'team', twin.id),
  },
  'relays, settings, post appearance': {
    tables: ['relays', 'held_sources', 'keyv'],
    apart: true,
    async seed(kept, twin) {
      await addRelay(kept, twin);
      await insert(kept.store, 'held_sources', { source: 'relay', source_id: relayOf(twin), updates: 0 });
      await connect(kept.store, twin);
      await addRecord(kept.store, 'post-appearance', twin);
    },
    // Relays wait 7 days after an uninstallation, so its time is set far back.
    async end({ store, clock }, twin) {
      await store.eraseInstallation(twin.owner.installation, clock.now());
      await store.db.updateTable('uninstalled').set({ at: 1 }).where('installation', '=', twin.owner.team).execute();
    },
    left: async (store, twin) => {
      const key = ownerKey(twin.owner);
      const records = await store.db.selectFrom('keyv').select('key').where('key', 'like', `${key}%`).execute();
      const held = await countOf(store, 'held_sources', 'source_id', relayOf(twin));
      return records.length + held + (await countOf(store, 'relays', 'id', relayOf(twin)));
    },
  },
  'URLs that start workflows': {
    tables: ['keyv'],
    apart: true,
    async seed({ store, clock }, twin) {
      const triggers = createWorkflowTriggers({ store, clock, apiUrl: 'https://slack.com/api/' });
      const url = 'https://hooks.slack.com/triggers/T1/2/3';
      await triggers.storeUrl(twin.owner, url);
      const workflow = { trigger: triggers.idOf(url), variables: [{ name: 'barcode', text: '{barcode}' }] };
      const rule = { id: 'r1', when: { kind: 'every' }, action: 'workflow', channel: '', workflow };
      await createRelayStore(store.db).add(
        relayRecord({ id: relayOf(twin), owner: twin.owner, settings: JSON.stringify({ rules: [rule] }) }),
        { id: `${twin.id}-secret`, hash: twin.id.padEnd(64, '0') },
      );
    },
    end: removeRelay,
    left: async ({ db }, twin) => {
      const found = db.selectFrom('keyv').select('key').where('namespace', '=', 'workflow-triggers');
      return (await found.where('key', 'like', `${ownerKey(twin.owner)}:%`).execute()).length;
    },
  },
  'which Slack members': {
    tables: ['keyv'],
    apart: true,
    async seed({ store }, twin) {
      await connect(store, twin);
      await linkMember({ store }, twin.owner, '1', { id: 'U1', name: 'Ann' });
    },
    end: ({ store }, twin) => store.workspaces.disconnect(twin.owner),
    left: async ({ db }, twin) => {
      const key = `${ownerKey(twin.owner)}:members`;
      return (await db.selectFrom('keyv').select('key').where('key', '=', key).execute()).length;
    },
  },
};

function readDocument(): readonly string[] {
  const document = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
  const kept = document.split('## Keep and forget')[1]?.split('\n## ')[0] ?? '';
  return kept.split('\n').filter((line) => /^\| [^w-]|^\| w[^h]|^\| wh[^a]|^\| what [^|]/.test(line));
}

/** What nothing deletes. */
const forGood = ['the time before which scans were deleted'];

it('each row of the table of what is kept has a case in this test', () => {
  const lines = readDocument();
  const known = [...Object.keys(rows), ...forGood];
  expect(lines.filter((line) => !known.some((what) => line.startsWith(`| ${what}`)))).toEqual([]);
  expect(known.filter((what) => !lines.some((line) => line.startsWith(`| ${what}`)))).toEqual([]);
});

onEachDatabase('what is kept', ({ fresh }: TestDatabases) => {
  let testApp: TestApp;
  let store: Store;
  const clock = createMovableClock(start);
  const twins = new Map<string, readonly [Twin, Twin]>();

  beforeAll(async () => {
    const url = await fresh();
    const settings = { SCAN_DAYS: String(scanDays), AUDIT_DAYS: String(auditDays), MIRROR_SHARE: '30' };
    testApp = await startTestApp({
      appClock: clock,
      databaseUrl: url,
      settings: { ...settings, LATE_HOURS: String(lateHours) },
    });
    store = await openTestStore(url, { clock });
    for (const hook of [eraseExports, eraseAllJobs, eraseServiceStates]) {
      store.onErase(hook);
    }
    for (const [at, [what, row]] of Object.entries(rows).entries()) {
      const [due, kept] = row.ages ?? [hour, hour];
      const pair = [twinOf(`${at}-due`, due, row), twinOf(`${at}-kept`, kept, row)] as const;
      for (const twin of pair) {
        await row.seed({ store, clock }, twin);
      }
      twins.set(what, pair);
    }
    for (const [what, row] of Object.entries(rows)) {
      expect(await row.left(store, twins.get(what)![0]), what).toBeGreaterThan(0);
      await row.end?.({ store, clock }, twins.get(what)![0]);
    }
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await testApp.stop();
  });

  it('data in each row of the table of what is kept is deleted when due, and kept when not due', async () => {
    const left = async (which: 0 | 1) => {
      const counts = await Promise.all(
        Object.entries(rows).map(
          async ([what, row]) => [what, await row.left(store, twins.get(what)![which])] as const,
        ),
      );
      return counts.flatMap(([what, count]) => (count > 0 ? [what] : []));
    };
    // The upkeep at the start may still be at work; the next one comes six hours later.
    for (let n = 0; n < 20; n += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    clock.advance(6 * hour);
    await expect
      .poll(
        async () => {
          clock.advance(minute);
          return left(0);
        },
        { interval: 50 },
      )
      .toEqual([]);
    expect(await left(1)).toEqual(Object.keys(rows));
  }, 60_000);
});

function twinOf(id: string, age: number, row: Row): Twin {
  const team = row.apart ? `T${id.toUpperCase()}` : owner.team;
  return { id, age, at: start - age, owner: row.apart ? { installation: team, team } : owner };
}
