/**
 * How SQLite reads tables that grow big: by an index that selects few rows. SQLite plans without statistics, so the
 * plans of an empty database are those of one with a million rows.
 */
import type { Kysely, Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createJobRows } from '../../src/database/jobs/job-rows.js';
import type { Schema } from '../../src/database/schema.js';
import { createEscalationNotices } from '../../src/incidents/escalation-notices.js';
import { liveAlerts, redrawWithoutScans } from '../../src/incidents/incident-rows.js';
import { forgetOverdue, overduesOf, recheckOverdue } from '../../src/incidents/overdue.js';
import { thresholdsOf } from '../../src/incidents/thresholds.js';
import { silentLog } from '../../src/log.js';
import { createValuePages } from '../../src/mirror/value-pages.js';
import { createOverdue } from '../../src/places/lent/overdue.js';
import { deleteFinishedPosts } from '../../src/posts/outbox/single-posts.js';
import { postsWithoutScan } from '../../src/posts/retention/old-posts.js';
import { createAccountScans } from '../../src/scans/account/account-scan-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { plansOf } from '../helpers/plans.js';
import { owner } from '../helpers/relay.js';

const kinds = new Map([
  ['export', { longestWaitMs: 1, oneByOne: true }],
  ['report', { longestWaitMs: 1 }],
]);
const thing = { listId: 'l1', key: '=t1', barcode: 't1' };

const inTransaction = (work: (trx: Transaction<Schema>) => Promise<unknown>) => (db: Kysely<Schema>) =>
  db.transaction().execute(work);

const pages = (db: Kysely<Schema>) =>
  createValuePages({
    store: { db },
    reader: {
      view: async () => ({ databases: [{ id: 1, databaseId: 'd1', fetchedAt: 1, searched: true, round: 1 }] }),
    },
    databases: { hasUnread: async () => false },
  } as never);

const overdue = (db: Kysely<Schema>) =>
  createOverdue({
    ...{ store: { db } as Store, clock: systemClock, log: silentLog },
    ...{ open: async () => undefined, onPosts: () => undefined, makeId: () => 'i1' },
  });

/** Each read: its name, the statements whose plans are checked, the indexes that they must use, and the work itself. */
const reads: readonly (readonly [string, RegExp, readonly string[], (db: Kysely<Schema>) => Promise<unknown>])[] = [
  [
    'the posts of a workspace’s alerts that go on',
    /from "incidents"/,
    ['incidents USING INDEX incidents_due', 'outbox USING INDEX outbox_key'],
    inTransaction((trx) => liveAlerts.posts(trx, owner)),
  ],
  [
    'the messages of alerts that showed deleted scans',
    /from "outbox"/,
    ['outbox USING INDEX outbox_key'],
    inTransaction((trx) => redrawWithoutScans(trx, ['r1'], ['s1'], 1)),
  ],
  [
    'an escalation whose notice was sent',
    /update "incidents"/,
    ['incidents USING INDEX sqlite_autoindex_incidents_1'],
    (db) => createEscalationNotices(db).sent({ key: 'p1.escalated' } as never),
  ],
  [
    'the thresholds of a list',
    /from "incidents"/,
    ['incidents USING INDEX incidents_open', 'incidents USING INDEX incidents_rule'],
    (db) => thresholdsOf(db, 'l1', 'run'),
  ],
  [
    'the incidents of a thing that is overdue',
    /from "incidents"/,
    ['incidents USING INDEX incidents_rule'],
    (db) => overduesOf(db, thing),
  ],
  [
    'the incidents of things that were folded',
    /update "incidents"/,
    ['incidents USING INDEX incidents_rule'],
    inTransaction((trx) => recheckOverdue(trx, 'l1', [thing], 1)),
  ],
  [
    'the incidents of a forgotten thing',
    /delete from "incidents"/,
    ['incidents USING INDEX incidents_rule'],
    inTransaction((trx) => forgetOverdue(trx, thing)),
  ],
  [
    'jobs that are due',
    /from jobs/,
    ['jobs USING INDEX jobs_due (kind=? AND due_at<?)'],
    (db) => createJobRows({ db, kind: 'sqlite' }).due(kinds, 1),
  ],
  ['things that are overdue now', /from places as p/, ['p USING INDEX places_due'], (db) => overdue(db).check()],
  [
    'finished posts of a workspace’s exports',
    /delete from "outbox"/,
    ['outbox USING INDEX outbox_scanless'],
    (db) => deleteFinishedPosts(db, { owner, kind: 'export' }),
  ],
  [
    'old posts without a scan',
    /from "outbox"/,
    ['outbox USING INDEX outbox_scanless (finished_at>? AND finished_at<?)'],
    inTransaction((trx) => postsWithoutScan(trx, { kinds: ['report'], after: { at: 1, seq: 1 }, before: 2 }, 10)),
  ],
  [
    'a later page of a database’s values',
    /from "mirrored_values"/,
    ['mirrored_values USING PRIMARY KEY ((mirror_id,key)>(?,?) AND mirror_id<?)'],
    (db) => pages(db).valuePage(owner, 'd1', { mirrorId: 1, round: 1, key: '=v' }),
  ],
  [
    'scans that are too old for the copy of an account',
    /from "account_scans"/,
    [
      'account_scans USING COVERING INDEX account_scans_at',
      'sqlite_autoindex_account_scans_1 (connection=? AND scan_id=?)',
    ],
    (db) => createAccountScans({ db }).deleteBefore(1, 1),
  ],
];

describe('indexes on SQLite', () => {
  const databases = sqliteDatabases();
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await store.db
      .insertInto('incidents')
      .values({
        ...{ post_key: 'p2', ...owner, relay_id: 'r1', rule_id: 'invalid', kind: 'burst', subject: 'relay' },
        ...{ subject_id: '', began_at: 1, opened_at: 1, last_at: 1, scans: 1, tally: '{}', due_at: 2, replied_at: 1 },
      })
      .execute();
  });
  afterAll(() => store.close());

  /** Poor plans: a scan of a whole table, also by the outbox's row ids, and an automatic index of a whole table. */
  const poor =
    /scan (outbox|places|mirrored_values|account_scans)\b|\bp using .*\(run=\?\)|outbox .*rowid>|search (?!l\b).*automatic/i;

  for (const [what, which, indexes, work] of reads) {
    it(`SQLite uses an index that selects few rows for ${what}`, async () => {
      const plans = (await plansOf(store, which, work)).join('\n');
      for (const index of indexes) {
        expect(plans).toContain(index);
      }
      expect(plans).not.toMatch(poor);
    });
  }
});
