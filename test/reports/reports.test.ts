import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { eraseAllJobs } from '../../src/database/jobs/job-rows.js';
import type { Relay } from '../../src/relay/index.js';
import { createCountReport, type ReportContent } from '../../src/reports/count.js';
import type { Report, ReportFields } from '../../src/reports/index.js';
import { savedSearches } from '../../src/search/saved-searches.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { changeJobs } from '../helpers/jobs.js';
import { clearOutbox } from '../helpers/outbox.js';
import { gate, owner, relaysOf, stranger } from '../helpers/relay.js';
import {
  countDeps,
  putScans,
  type ReportChannel,
  reportChannel,
  type SetClock,
  setClock,
  workerOf,
} from './harness.js';

const utc = (text: string) => Date.parse(`${text}Z`);
const minute = 60_000;
const hour = 60 * minute;
const noon = utc('2026-11-22T12:00:00');
const due = utc('2026-11-22T22:00:00');

onEachDatabase('daily reports', (databases) => {
  let store: Store;
  let clock: SetClock;
  let channel: ReportChannel;
  let relay: Relay;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    store.onErase(eraseAllJobs);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.deleteFrom('jobs').execute();
    await clearOutbox(store);
    await store.db.deleteFrom('received_scans').execute();
    await store.db.deleteFrom('relays').execute();
    clock = setClock(noon);
    channel = reportChannel(clock);
    relay = (await relaysOf(store).create({ ...gate, channel: 'C0GATE' })).relay;
    await store.db
      .updateTable('relays')
      .set({ created_at: utc('2026-01-01T00:00:00') })
      .execute();
  });

  const reports = () => workerOf(store, clock, channel).reports;
  const made = (fields: Partial<ReportFields> = {}) =>
    reports().create(
      owner,
      {
        ...{ subject: { relay: relay.id }, channel: 'C0GATE', hour: 22, minute: 0, zone: 'UTC', day: 'today' },
        ...fields,
      },
      'U0ADMIN',
    );
  const current = async (report: Report) => (await reports().find(owner, report.id))!;
  const count = async (report: Report, at = due) =>
    (await createCountReport(countDeps(store, clock))(report, at)) as ReportContent;
  const runAt = async (at: number, worker = workerOf(store, clock, channel)) => {
    clock.at = at;
    return await worker.work();
  };

  it('daily reports count a relay’s scans of the day by result, reason, hour, and service, and the day before', async () => {
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
    const today = (time: string) => utc(`2026-11-22T${time}`);
    const yesterday = (time: string) => utc(`2026-11-21T${time}`);
    await putScans(store, relay.id, [
      { at: today('00:00:00'), sid: '1' },
      { at: today('19:10:00'), sid: '1' },
      { at: today('19:20:00'), sid: '1', valid: false, finding: 'duplicate' },
      { at: today('19:30:00'), sid: '2', valid: false, finding: 'duplicate' },
      { at: today('19:40:00'), sid: '2', valid: false, finding: 'limit' },
      { at: today('20:00:00'), sid: '1', status: '-1' },
      { at: today('21:59:59'), sid: '1', valid: false, text: 'Wrong day (12.11.)' },
      // Scans outside the two days: after the report's time, on the day before after that time, and older.
      { at: today('22:00:00'), sid: '2' },
      { at: yesterday('22:00:00'), sid: '2' },
      { at: yesterday('21:00:00'), sid: '2' },
      { at: yesterday('21:05:00'), sid: '2', valid: false, finding: 'duplicate' },
      { at: utc('2026-11-19T10:00:00'), receivedAt: today('09:00:00') },
    ]);
    clock.at = due + minute;
    const { figures, before, gate: busiest, gateBefore, gaps, days } = await count(await made());
    expect(days.isPart).toBe(true);
    expect(figures.totals).toMatchObject({ valid: 2, invalid: 4, other: 1 });
    expect(figures.reasons).toEqual([
      { of: { code: 'duplicate' }, count: 2 },
      { of: { code: 'limit' }, count: 1 },
      { of: { text: 'Wrong day (….)' }, count: 1 },
    ]);
    expect(
      figures.totals.buckets.map(({ start, valid, invalid }) => [new Date(start).getUTCHours(), valid, invalid]),
    ).toEqual([
      [0, 1, 0],
      [19, 1, 3],
      [20, 0, 0],
      [21, 0, 1],
    ]);
    expect(before?.totals).toMatchObject({ valid: 1, invalid: 1, other: 0 });
    expect([busiest, gateBefore]).toEqual([
      { kind: 'service', name: 'Gate 1', scans: 5 },
      { kind: 'service', name: 'Gate 2', scans: 2 },
    ]);
    expect(gaps).toEqual({ late: 1 });
  });

  it('daily reports leave out test scans and scans of other relays', async () => {
    const other = (await relaysOf(store).create(gate)).relay;
    await putScans(store, relay.id, [
      { at: noon, tid: 'SCANDESK-TEST-ABCDEF' },
      { at: noon, tid: 'SCANDESK-TEST-OTHER' },
    ]);
    await putScans(store, other.id, [{ at: noon }]);
    const test = JSON.stringify([{ name: 'scandesk_test', value: '1' }]);
    await store.db
      .updateTable('received_scans')
      .set({ properties: test, test: 1 })
      .where('tid', '=', 'SCANDESK-TEST-ABCDEF')
      .execute();
    clock.at = due;
    expect((await count(await made())).figures.totals).toMatchObject({ valid: 1, invalid: 0, other: 0 });
  });

  it('daily reports name the busiest device where there is only one service', async () => {
    await putScans(store, relay.id, [
      { at: noon, sid: '1', udid: 'a' },
      { at: noon + 1_000, sid: '1', udid: 'b' },
      { at: noon + 2_000, sid: '1', udid: 'b' },
    ]);
    clock.at = due;
    expect((await count(await made())).gate).toEqual({ kind: 'device', name: 'b', scans: 2 });
  });

  it('daily reports show no comparison where the scans of the day before are not all known', async () => {
    clock.at = due;
    const report = await made();
    await store.db
      .updateTable('relays')
      .set({ created_at: utc('2026-11-21T10:00:00') })
      .execute();
    expect((await count(report)).before).toBeUndefined();
    await store.db.updateTable('relays').set({ created_at: 0 }).execute();
    await store.db
      .updateTable('scans_pruned')
      .set({ before: utc('2026-11-22T05:00:00') })
      .execute();
    const pruned = await count(report);
    await store.db.updateTable('scans_pruned').set({ before: 0 }).execute();
    expect([pruned.before, pruned.gaps]).toEqual([undefined, { keptSince: utc('2026-11-22T05:00:00') }]);
    expect((await count(report)).before).toBeDefined();
  });

  it('daily reports count a saved search’s scans, and say if the account’s own scans are not copied', async () => {
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
    const saved = await savedSearches.save({ store, random: systemRandom, clock }, owner, {
      ...{ name: 'Refused at gate 2', savedBy: 'U0ADMIN' },
      query: { when: 'last 7 days', results: ['invalid'], services: [{ part: '2' }] },
    });
    const { id } = 'saved' in saved ? saved.saved : { id: '' };
    await putScans(store, relay.id, [
      { at: noon, sid: '2', valid: false, status: '0', text: 'Already used 14:02' },
      { at: noon + minute, sid: '2', valid: false, status: '0', text: 'Already used 15:10' },
      { at: noon, sid: '2' },
      { at: noon, sid: '1', valid: false },
      { at: noon - 24 * hour, sid: '2', valid: false },
      { at: noon - 48 * hour, sid: '2', valid: false },
    ]);
    clock.at = due;
    const { figures, before, gaps, of } = await count(await made({ subject: { search: id } }));
    expect('search' in of && of.search.name).toBe('Refused at gate 2');
    expect(figures.totals).toMatchObject({ valid: 0, invalid: 2, other: 0 });
    expect(figures.reasons).toEqual([{ of: { text: 'Already used …' }, count: 2 }]);
    expect(before?.totals.invalid).toBe(1);
    expect(gaps).toEqual({ relaysOnly: true });
  });

  it('daily reports distinguish two services of the same name, for a relay and for a saved search', async () => {
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
    const saved = await savedSearches.save({ store, random: systemRandom, clock }, owner, {
      ...{ name: 'All gates', savedBy: 'U0ADMIN', query: {} },
    });
    const { id } = 'saved' in saved ? saved.saved : { id: '' };
    await putScans(
      store,
      relay.id,
      ['7', '7', '8', '8', '9', '9', '9'].map((sid) => ({ at: noon, sid })),
    );
    clock.at = due;
    const deps = countDeps(store, clock);
    const services = ['7', '8'].map((each) => ({ id: each, name: 'Main gate' }));
    const named = async () => (_kind: string, each: string) => services.find((one) => one.id === each)?.name ?? 'Exit';
    deps.accounts.open = () =>
      ({
        names: {
          ...{ findNames: named, users: async () => [], devices: async () => [] },
          services: async () => [...services, { id: '9', name: 'Exit' }],
        },
      }) as never;
    const busiest = async (report: Report) => ((await createCountReport(deps)(report, due)) as ReportContent).gate;
    for (const subject of [{ relay: relay.id }, { search: id }]) {
      expect(await busiest(await made({ subject }))).toEqual({ kind: 'service', name: 'Exit', scans: 3 });
    }
    await putScans(store, relay.id, [
      { at: noon, sid: '8' },
      { at: noon, sid: '8' },
    ]);
    for (const subject of [{ relay: relay.id }, { search: id }]) {
      expect(await busiest(await made({ subject }))).toEqual({ kind: 'service', name: 'Main gate (ID 8)', scans: 4 });
    }
  });

  it('daily reports are posted once at their time, and again a day later', async () => {
    const report = await made();
    expect(await runAt(due - 1)).toBe(0);
    expect(await runAt(due)).toBe(1);
    expect(await runAt(due + 5_000)).toBe(0);
    expect(channel.posted.map(({ key }) => key)).toEqual([`report.${report.id}.${due}`]);
    expect(await current(report)).toMatchObject({ dueAt: due + 24 * hour, postedAt: due, missed: 0 });
    await runAt(due + 24 * hour);
    expect(channel.posted).toHaveLength(2);
  });

  it('daily reports are posted once though two instances run', async () => {
    await Promise.all(Array.from({ length: 6 }, () => made()));
    clock.at = due;
    const instances = [workerOf(store, clock, channel), workerOf(store, clock, channel)];
    for (let turn = 0; turn < 4; turn++) {
      await Promise.all(instances.map(({ work }) => work()));
    }
    const keys = channel.posted.map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([6, 6]);
  });

  it('daily reports are posted up to three hours late, about the day on which they were due', async () => {
    await made();
    await runAt(due + 2.9 * hour);
    const { content } = channel.posted[0]!;
    expect('days' in content && content.days.day).toMatchObject({ date: '2026-11-22', to: due });
  });

  it('daily reports are skipped when more than three hours late, and the next report says so', async () => {
    const report = await made();
    await runAt(due + 3 * hour + 1);
    expect(channel.posted).toEqual([]);
    expect(await current(report)).toMatchObject({ missed: 1, dueAt: due + 24 * hour });
    await runAt(due + 24 * hour);
    expect(channel.posted[0]!.report.missed).toBe(1);
    expect((await current(report)).missed).toBe(0);
  });

  it.each([2, 10, 400])('daily reports are posted today though a clock was %i days ahead meanwhile', async (days) => {
    const report = await made();
    await runAt(due + days * 24 * hour + 4 * hour);
    expect(channel.posted).toEqual([]);
    await runAt(due - hour);
    expect(await current(report)).toMatchObject({ dueAt: due, missed: 0 });
    await runAt(due);
    expect(channel.posted.map(({ report: { dueAt, missed } }) => [dueAt, missed])).toEqual([[due, 0]]);
  });

  it('daily reports after an outage count the missed days, and post the report that is due', async () => {
    await made();
    await runAt(due + 3 * 24 * hour + hour);
    expect(channel.posted.map(({ report }) => [report.missed, report.dueAt])).toEqual([[3, due + 3 * 24 * hour]]);
  });

  it('daily reports that Slack does not accept yet are sent again after the wait that Slack asks for', async () => {
    await made();
    channel.scripts.push({ isIn: false, says: { outcome: 'retry', code: 'slack.ratelimited', afterMs: 60_000 } });
    await runAt(due);
    await runAt(due + 59_000);
    expect(channel.posted).toHaveLength(0);
    await runAt(due + 61_000);
    expect(channel.posted).toHaveLength(1);
  });

  it('daily reports that Slack accepts only after three hours count as missed, and are no dead letters', async () => {
    const report = await made();
    const later = { outcome: 'retry', code: 'slack.ratelimited', afterMs: 4 * hour } as const;
    channel.scripts.push({ isIn: false, says: later });
    await runAt(due);
    await runAt(due + 4 * hour + 1_000);
    await runAt(due + 4 * hour + 7_000);
    expect(channel.posted).toEqual([]);
    expect(await store.db.selectFrom('outbox').select(['kind', 'state']).execute()).toEqual([
      { kind: 'report', state: 'missed' },
    ]);
    expect(await current(report)).toMatchObject({ missed: 1, dueAt: due + 24 * hour, lastCode: later.code });
    await runAt(due + 24 * hour);
    expect(channel.posted.map((post) => post.report.missed)).toEqual([1]);
  });

  it('daily reports that wait for Slack are not posted any more when somebody pauses, changes or deletes them', async () => {
    const state = async (report: Report) =>
      await store.db.selectFrom('outbox').select('state').where('source_id', '=', report.id).execute();
    for (const end of ['pause', 'change', 'remove'] as const) {
      clock.at = noon;
      const report = await made();
      channel.scripts.push({ isIn: false, says: { outcome: 'retry', code: 'slack.ratelimited', afterMs: minute } });
      await runAt(due);
      expect(await state(report)).toEqual([{ state: 'pending' }]);
      await (end === 'change' ? reports().change(owner, report, { hour: 23 }) : reports()[end](owner, report.id));
      await runAt(due + 2 * minute);
      expect(await state(report)).toEqual([{ state: 'dead' }]);
      expect(channel.posted).toEqual([]);
    }
  });

  it.each([
    ['found', 1],
    ['absent', 2],
  ] as const)(
    'a report that an older version left in doubt is searched for, and posted only if not found (search: %s)',
    async (outcome, sent) => {
      const url = await databases.empty();
      const old = await openTestStore(url);
      const search = await savedSearches.save({ store: old, random: systemRandom, clock }, owner, {
        ...{ name: 'Old', savedBy: 'U0ADMIN', query: {} },
      });
      await old.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
      const id = 'report-of-an-older-version';
      const subject = JSON.stringify({ search: 'saved' in search ? search.saved.id : '' });
      await sql`create table reports (id text, installation text, team text, subject text, channel text, hour int,
        minute int, zone text, day text, created_by text, created_at bigint, due_at bigint, next_at bigint,
        attempt_at bigint, missed int, notice int, paused_at bigint, paused_why text, last_code text, posted_at bigint,
        claimed_by text, claimed_until bigint)`.execute(old.db);
      await sql`insert into reports values (${id}, ${owner.installation}, ${owner.team}, ${subject}, 'C0GATE', 22, 0,
        'UTC', 'today', 'U0ADMIN', ${noon}, ${due}, ${due}, ${due}, 0, 0, null, null, null, null, 'gone',
        ${due + 9})`.execute(old.db);
      await sql`create table queue_heads (installation text, team text, channel text, source text, source_id text, lane int,
        seq int)`.execute(old.db);
      await sql`delete from kysely_migration where name = '029-report-jobs'`.execute(old.db);
      await sql`delete from kysely_migration where name = '004-report-posts'`.execute(old.db);
      await sql`alter table outbox drop column expires_at`.execute(old.db);
      await old.close();
      const now = await openTestStore(url);
      channel.finds.push(outcome === 'found' ? { outcome, ts: '1.0' } : { outcome });
      clock.at = due + minute;
      for (let turn = 0; turn < 3; turn++) {
        await workerOf(now, clock, channel).work();
        clock.at += 6_000;
      }
      expect(channel.posted.map(({ key }) => key)).toEqual(sent === 1 ? [] : [`report.${id}.${due}`]);
      expect(await workerOf(now, clock, channel).reports.find(owner, id)).toMatchObject({
        dueAt: due + 24 * hour,
        missed: 0,
      });
      await now.close();
    },
  );

  it('daily reports whose outcome is unknown are searched for, and sent again only if they are missing', async () => {
    const report = await made();
    channel.scripts.push({ isIn: true, says: { outcome: 'unconfirmed', code: 'slack.timeout' } });
    await runAt(due);
    await runAt(due + 4_000);
    await runAt(due + 9_000);
    expect(channel.posted).toHaveLength(1);
    expect(await current(report)).toMatchObject({ dueAt: due + 24 * hour, postedAt: due + 4_000 });

    channel.scripts.push({ isIn: false, says: { outcome: 'unconfirmed', code: 'slack.timeout' } });
    await runAt(due + 24 * hour);
    await runAt(due + 24 * hour + 4_000);
    expect(channel.posted).toHaveLength(1);
    await runAt(due + 24 * hour + 16_000);
    await runAt(due + 24 * hour + 17_000);
    expect(channel.posted).toHaveLength(2);
  });

  it('daily reports are posted exactly once, whatever instant their process is killed at', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ call: fc.nat(16), after: fc.boolean() }), { maxLength: 5 }),
        async (kills) => {
          await store.db.deleteFrom('jobs').execute();
          await clearOutbox(store);
          channel = reportChannel(clock);
          clock.at = noon;
          const report = await made();
          clock.at = due;
          for (const kill of [...kills, undefined, undefined, undefined, undefined]) {
            const dies = killed(kill);
            const { work } = workerOf(store, clock, channel, dies.wrap);
            await Promise.race([work(), dies.death]);
            // The claim of the dead process runs out.
            clock.at += 61_000;
          }
          expect(channel.posted.map(({ key }) => key)).toEqual([`report.${report.id}.${due}`]);
          expect(await current(report)).toMatchObject({ dueAt: due + 24 * hour });
        },
      ),
      { numRuns: effort(databases.kind === 'sqlite' ? { short: 6, long: 60 } : { short: 3, long: 25 }) },
    );
  });

  it.each([
    ['relay', 'relay_gone'],
    ['search', 'search_gone'],
    ['connection', 'not_connected'],
  ] as const)('daily reports say once that their %s no longer exists, and pause', async (missing, why) => {
    const { id } = await savedSearch();
    const report = await made(missing === 'relay' ? {} : { subject: { search: id } });
    await (missing === 'relay'
      ? relaysOf(store).remove(owner, relay.id)
      : missing === 'search'
        ? savedSearches.remove({ store }, owner, id)
        : store.workspaces.disconnect(owner));
    // The process dies after Slack accepted the post.
    channel.scripts.push({ isIn: true, says: { outcome: 'unconfirmed', code: 'slack.timeout' } });
    await runAt(due);
    await runAt(due + 4_000);
    await runAt(due + 24 * hour);
    await runAt(due + 48 * hour);
    expect(channel.posted.map(({ content }) => content)).toEqual([{ missing }]);
    expect((await current(report)).paused).toMatchObject({ why });
  });

  it('daily reports pause when their channel no longer exists, and their creator is notified once', async () => {
    const report = await made();
    channel.scripts.push({ isIn: false, says: { outcome: 'gone', why: 'channel_gone', code: 'slack.is_archived' } });
    for (const at of [0, 1_000, 2_000, 24 * hour]) {
      await runAt(due + at);
    }
    expect(channel.notified.map(({ id, paused }) => [id, paused?.why])).toEqual([[report.id, 'channel_gone']]);
    expect((await current(report)).paused?.why).toBe('channel_gone');
    expect(channel.posted).toEqual([]);
  });

  it('daily reports pause after three days on which Slack refused them, and their creator is notified', async () => {
    const report = await made();
    for (let day = 0; day < 3; day++) {
      channel.scripts.push({ isIn: false, says: { outcome: 'refused', code: 'slack.msg_too_long' } });
      await runAt(due + day * 24 * hour);
    }
    await runAt(due + 2 * 24 * hour + 1_000);
    expect((await current(report)).paused?.why).toBe('failing');
    expect(channel.notified).toHaveLength(1);
  });

  it('a daily report changed while a worker prepares it is not posted, and is due by its new schedule', async () => {
    const report = await made();
    clock.at = due;
    const blocked = { change: undefined as (() => Promise<unknown>) | undefined };
    const { work } = workerOf(store, clock, {
      ...channel,
      time: async () => {
        await blocked.change?.();
        return clock.now();
      },
    });
    blocked.change = () => reports().change(owner, report, { hour: 23 });
    await work();
    expect(channel.posted).toEqual([]);
    expect((await current(report)).dueAt).toBe(due + hour);
  });

  it('daily reports are not posted, nor counted as missed, while somebody has paused them', async () => {
    const report = await made();
    await reports().pause(owner, report.id);
    await runAt(due);
    expect(channel.posted).toEqual([]);
    clock.at = due + hour;
    await reports().change(owner, await current(report), {});
    await runAt(due + 24 * hour);
    expect(channel.posted.map(({ report: { missed } }) => missed)).toEqual([0]);
  });

  it('daily reports are visible to their workspace alone', async () => {
    const report = await made();
    expect(await reports().list(stranger)).toEqual([]);
    expect(await reports().find(stranger, report.id)).toBeUndefined();
    expect(await reports().pause(stranger, report.id)).toBe(false);
    expect(await reports().remove(stranger, report.id)).toBe(false);
    expect(await reports().change(stranger, report, { hour: 1 })).toBe(false);
    expect(await current(report)).toMatchObject({ hour: 22 });
  });

  it('daily reports are deleted with their installation', async () => {
    await made();
    await store.eraseInstallation(owner.installation);
    expect(await reports().list(owner)).toEqual([]);
  });

  it('daily reports with an unreadable subject say that their relay no longer exists', async () => {
    const report = await made();
    await changeJobs(store, 'report', { subject: 'nonsense' }, report.dueAt);
    await runAt(due);
    expect(channel.posted.map(({ content }) => content)).toEqual([{ missing: 'relay' }]);
  });

  it('a daily report whose stored state cannot be read stays, and is posted once it can be', async () => {
    const report = await made();
    await changeJobs(store, 'report', { hour: 'ten' }, report.dueAt);
    await runAt(due);
    expect(channel.posted).toEqual([]);
    await changeJobs(store, 'report', { hour: 22 }, due + 60_000);
    await runAt(due + 60_000);
    expect(channel.posted).toHaveLength(1);
  });

  async function savedSearch() {
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
    const saved = await savedSearches.save({ store, random: systemRandom, clock }, owner, {
      ...{ name: `Search ${Math.random()}`, savedBy: 'U0ADMIN', query: {} },
    });
    return 'saved' in saved ? saved.saved : { id: '' };
  }
});

/** A process that dies at its nth call of the store or Slack, before or after the call did its work. */
function killed(kill: { readonly call: number; readonly after: boolean } | undefined) {
  let calls = 0;
  let die: () => void = () => undefined;
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const forever = new Promise<never>(() => undefined);
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        return typeof value !== 'function'
          ? value
          : async (...given: unknown[]) => {
              const isLast = kill !== undefined && calls++ === kill.call;
              if (kill !== undefined && (calls - 1 > kill.call || (isLast && !kill.after))) {
                die();
                return forever;
              }
              const answer: unknown = await Reflect.apply(value, target, given);
              if (isLast) {
                die();
                return forever;
              }
              return answer;
            };
      },
    });
  return { wrap, death };
}
