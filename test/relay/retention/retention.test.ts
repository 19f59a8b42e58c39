import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import type { Count, Counting } from '../../../src/counters/counters.js';
import { createIds, type MakeId } from '../../../src/database/ids.js';
import { enqueueOnce } from '../../../src/posts/outbox/enqueue.js';
import { createOutbox } from '../../../src/posts/outbox/outbox.js';
import { createScanCommit, type DecidedPost, type IncomingScan } from '../../../src/relay/commit/index.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createPrune } from '../../../src/relay/retention/retention.js';
import { createRuleTimers } from '../../../src/relay/rules/timers/timer-rows.js';
import { createScanStore } from '../../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { setPosts } from '../../helpers/outbox.js';
import { gate, owner, postScan, relayRecord, scanForm, startIntake } from '../../helpers/relay.js';
import { receivedOf } from '../../helpers/scans.js';

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 1);
const within200Days = { value: { within: [200 * 24 * 60] } };
const going = new AbortController().signal;
/** Pauses are no longer than others need for their turn. */
const unpaused: Clock = { ...systemClock, sleep: async () => void (await setImmediate()) };

onEachDatabase('pruning old scans and posts', ({ fresh }) => {
  let store: Store;
  let now: number;
  let makeId: MakeId;

  beforeEach(async () => {
    now = start;
    makeId = createIds({ now: () => now, sleep: () => Promise.resolve() }, systemRandom);
    store = await openTestStore(await fresh());
  });
  afterEach(() => store.close());

  const addRelay = async (id: string, counting: Counting = {}, settings = '{}') => {
    await createRelayStore(store.db).add(relayRecord({ id, counting, settings }), {
      id: `${id}-s`,
      hash: 'f'.repeat(64),
    });
  };
  const scanned = (fields: Partial<IncomingScan> & { relayId: string }): IncomingScan => ({
    ...{ id: makeId(), secretId: `${fields.relayId}-s`, receivedAt: now, tid: 'T', answers: [], properties: [] },
    ...{ submit: [['tid', fields.tid ?? 'T']] as const },
    ...fields,
  });
  /** Commits scans; returns the counts of each value before its scan, and how often it was admitted in 200 days. */
  const take = async (scans: readonly IncomingScan[], posts: readonly DecidedPost[] = [], valid = true) => {
    const known: (Count & { admitted: number })[] = [];
    const rules = {
      needs: () => ({ memories: false, digests: true }),
      countsAround: (_: unknown, { receivedAt }: IncomingScan) => receivedAt,
      revise: () => ({ posts: [], muted: [] }),
    };
    await createScanCommit(store, rules).commit(scans, (scan, __, { counts }) => {
      known.push({ ...counts.ofSubject('value'), admitted: counts.admitted('value', scan.receivedAt, 200 * 24 * 60) });
      return { valid, text: '', posts };
    });
    return known;
  };
  const takeOne = async (relayId: string, tid: string, posts: readonly DecidedPost[] = [], more = {}) => {
    const scan = scanned({ relayId, tid, ...more });
    const [count] = await take([scan], posts);
    return { id: scan.id, count };
  };
  const values = async () =>
    (await store.db.selectFrom('received_scans').select('tid').orderBy('id').execute()).map(({ tid }) => tid);
  const keys = async () =>
    (await store.db.selectFrom('outbox').select('key').orderBy('key').execute()).map(({ key }) => key);
  /** Prunes scans and posts that are older than so many days. */
  const prune = (days = 90) => createPrune(store, unpaused)(now - days * day, going);
  const finish = async (at: number, state: 'delivered' | 'dead' = 'delivered') => {
    await setPosts(store, { state, finished_at: at, ts: '1.1' }).where('finished_at', 'is', null).execute();
  };
  const setUpdate = async (key: string, fields: { due_at: number | null; updated_at?: number }) => {
    const { seq } = await store.db.selectFrom('outbox').select('seq').where('key', '=', key).executeTakeFirstOrThrow();
    await store.db
      .insertInto('message_updates')
      .values({ post_seq: seq, revision: 1, ...fields })
      .onConflict((conflict) => conflict.column('post_seq').doUpdateSet(fields))
      .execute();
  };
  const post = (more: Partial<DecidedPost> = {}): DecidedPost => ({ channel: 'C0GATE', rule: 'rule', ...more });

  it('old scans are deleted by their arrival, with their finished posts; newer scans are not deleted', async () => {
    await addRelay('r');
    const old = await takeOne('r', 'old', [post(), post({ channel: 'C0OTHER' })]);
    const ahead = scanned({ relayId: 'r', tid: 'by a clock that was ahead', receivedAt: start + 5 * day });
    await take([ahead], [post()]);
    await finish(now);
    now += 89 * day;
    const recent = await takeOne('r', 'recent', [post()]);
    now += 2 * day;
    await finish(now);
    expect(await prune()).toEqual({ scans: 1, posts: 2 });
    expect(await values()).toEqual(['by a clock that was ahead', 'recent']);
    expect(await keys()).toEqual([ahead.id, recent.id].sort());
    expect(await receivedOf(store, owner, 'old')).toEqual([]);
    expect(await createScanStore(store.db).find(old.id)).toBeUndefined();
    expect((await createRelayStore(store.db).get(owner, 'r'))?.scans).toBe(3);
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
  });

  it('old scans are deleted in portions, over all relays, until the deletion is asked to stop', async () => {
    await addRelay('a');
    await addRelay('b');
    const scans = Array.from({ length: 400 }, (_, n) => scanned({ relayId: n % 2 ? 'a' : 'b', tid: `T-${n}` }));
    await take(scans, [post()]);
    await finish(now);
    now += 91 * day;
    const stop = new AbortController();
    const once = createPrune(store, unpaused)(now - 90 * day, stop.signal);
    stop.abort();
    const first = await once;
    expect(first.scans).toBeLessThan(400);
    const second = await prune();
    expect(first.scans + second.scans).toBe(400);
    expect(first.posts + second.posts).toBe(400);
    expect(await values()).toEqual([]);
    expect(await keys()).toEqual([]);
  });

  it.each(['pending', 'sending', 'unconfirmed'] as const)(
    'an old scan is kept while one of its posts is %s, and deleted afterwards',
    async (state) => {
      await addRelay('r');
      const { id } = await takeOne('r', 'T', [post(), post({ channel: 'C0OTHER' })]);
      await setPosts(store, { state: 'delivered', finished_at: now }).where('channel', '=', 'C0OTHER').execute();
      await setPosts(store, { state }).where('channel', '=', 'C0GATE').execute();
      now += 400 * day;
      expect(await prune()).toEqual({ scans: 0, posts: 0 });
      expect(await keys()).toEqual([id, `${id}.1`]);
      await finish(now);
      expect(await prune()).toEqual({ scans: 1, posts: 2 });
    },
  );

  it('an old scan is deleted with its dead letter, and is kept while its message has an update due', async () => {
    await addRelay('r');
    await takeOne('r', 'dead', [post()]);
    await finish(now, 'dead');
    const { id } = await takeOne('r', 'taken on', [post()]);
    await finish(now);
    now += 91 * day;
    await setUpdate(id, { due_at: now });
    expect(await prune()).toEqual({ scans: 1, posts: 1 });
    expect(await values()).toEqual(['taken on']);
    await setUpdate(id, { due_at: null });
    expect(await prune()).toEqual({ scans: 1, posts: 1 });
  });

  it('an old scan is kept while a digest collects it, and while the digest with it is recent', async () => {
    await addRelay('r');
    const collect = { until: start + 100 * day, detail: '{}' };
    const { id } = await takeOne('r', 'first', [post({ collect })]);
    await takeOne('r', 'second', [post({ collect })]);
    now += 99 * day;
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
    now += day;
    expect(await createRuleTimers(store).closeDigests(now)).toBe(1);
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
    await finish(now);
    now += 89 * day;
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
    expect(await keys()).toContain(`${id}.d`);
    now += 2 * day;
    expect(await prune()).toEqual({ scans: 2, posts: 3 });
    expect(await keys()).toEqual([]);
  });

  it('pruning deletes a digest before its scans, so that the digest’s number of scans stays right', async () => {
    await addRelay('r');
    const collect = { until: start + day, detail: '{}' };
    const { id } = await takeOne('r', 'first', [post({ collect }), post({ channel: 'C0STUCK' })]);
    await takeOne('r', 'second', [post({ collect })]);
    now += day;
    await createRuleTimers(store).closeDigests(now);
    await setPosts(store, { state: 'delivered', finished_at: now })
      .where('finished_at', 'is', null)
      .where('channel', '=', 'C0GATE')
      .execute();
    now += 91 * day;
    expect(await prune()).toEqual({ scans: 1, posts: 2 });
    expect(await values()).toEqual(['first']);
    expect(await keys()).toEqual([id, `${id}.1`]);
  });

  it('pruning keeps a thread’s card while a reply is unsent or the card was updated recently', async () => {
    await addRelay('r');
    const card = { key: 'card.r.2026-01-01.C0GATE.rule', detail: '{}' };
    await takeOne('r', 'T', [post({ threadParent: card })]);
    const outbox = createOutbox(store);
    await setPosts(store, { state: 'delivered', finished_at: now, ts: '1.1' }).where('kind', '=', 'card').execute();
    await setUpdate(card.key, { due_at: null });
    now += 91 * day;
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
    expect(await outbox.parentTs(card.key, 'C0GATE')).toBe('1.1');
    await finish(now);
    await setUpdate(card.key, { due_at: null, updated_at: now });
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
    now += 91 * day;
    expect(await prune()).toEqual({ scans: 1, posts: 2 });
    expect(await keys()).toEqual([]);
  });

  it('pruning deletes old alerts for missing scans and idle queues, but not the checks for missing scans', async () => {
    await addRelay('r');
    await createRelayStore(store.db).change(
      owner,
      'r',
      { silences: [{ ruleId: 'rule', subject: 'relay', subjectId: '' }] },
      now,
    );
    await store.db.transaction().execute((trx) =>
      enqueueOnce(trx, {
        ...{ key: 'silence.1', queue: { ...owner, channel: 'C0GATE' }, source: { kind: 'relay', id: 'r' } },
        ...{ kind: 'silence', at: now },
      }),
    );
    const lanes = async () => (await store.db.selectFrom('channel_queues').select('channel').execute()).length;
    expect(await lanes()).toBe(1);
    now += 91 * day;
    expect(await prune()).toEqual({ scans: 0, posts: 0 });
    await finish(now - 91 * day);
    expect(await prune()).toEqual({ scans: 0, posts: 1 });
    expect(await lanes()).toBe(1);
    await store.db
      .updateTable('channel_queues')
      .set({ next_at: null, last_sent_at: now - day })
      .execute();
    await prune();
    expect(await lanes()).toBe(1);
    await store.db
      .updateTable('channel_queues')
      .set({ last_sent_at: now - 91 * day })
      .execute();
    await prune();
    expect(await lanes()).toBe(0);
    expect(await store.db.selectFrom('silences').select('relay_id').execute()).toHaveLength(1);
  });

  it('a barcode’s counts survive pruning at a relay that has counted it', async () => {
    await addRelay('r', { value: {} });
    await takeOne('r', 'ticket');
    await takeOne('r', 'ticket');
    now += 91 * day;
    expect(await prune()).toMatchObject({ scans: 2 });
    expect((await takeOne('r', 'ticket')).count).toMatchObject({
      ...{ seen: 2, accepted: 2, firstAt: start, lastAt: start, lastAcceptedAt: start },
    });
  });

  it('a barcode’s counts survive pruning at a relay that began to count after the barcode’s admission', async () => {
    await addRelay('r');
    await takeOne('r', 'ticket');
    now += 1_000;
    await takeOne('r', 'ticket');
    await take([scanned({ relayId: 'r', tid: 'turned away' })], [], false);
    await createRelayStore(store.db).change(owner, 'r', { counting: { value: {} } }, now);
    now += 91 * day;
    expect(await prune()).toMatchObject({ scans: 3 });
    expect(await values()).toEqual([]);
    const before = { firstAt: start, lastAt: start + 1_000 };
    expect((await takeOne('r', 'ticket')).count).toMatchObject({
      ...{ ...before, seen: 2, accepted: 2, lastAcceptedAt: start + 1_000 },
    });
    expect((await takeOne('r', 'ticket')).count).toMatchObject({ seen: 3, accepted: 3 });
    expect((await takeOne('r', 'turned away')).count).toMatchObject({ seen: 1, accepted: 0 });
    expect((await takeOne('r', 'TICKET')).count).toEqual({ seen: 0, accepted: 0, admitted: 0 });
  });

  it('an admitted barcode is still a duplicate after pruning where duplicates are refused for ever', async () => {
    const clock = { ...systemClock, now: () => now };
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const made = await relays.create({ ...gate, settings: relaySettingsSchema.parse({ duplicates: {} }) });
    const intake = await startIntake(store, { clock });
    const scan = scanForm({ tid: 'ticket' });
    const scanOnce = async (form = scan) => (await postScan(`${intake.url}${made.path}`, form)).body;
    try {
      expect(await scanOnce()).toContain('<status>1</status>');
      await finish(now);
      now += 91 * day;
      expect(await prune()).toMatchObject({ scans: 1 });
      expect(await scanOnce()).toContain('<status>0</status>');
      expect(await scanOnce(scanForm({ tid: 'ticket' }))).toContain('<status>0</status>');
      expect(await scanOnce(scanForm({ tid: 'another' }))).toContain('<status>1</status>');
    } finally {
      await intake.close();
    }
  });

  it('a barcode’s number of admissions within a time survives pruning', async () => {
    await addRelay('uncounted');
    await addRelay('counted', { value: {} });
    for (const relayId of ['uncounted', 'counted']) {
      for (let n = 0; n < 5; n++) {
        now = start + n * 1_000;
        await takeOne(relayId, 'ticket');
      }
      await createRelayStore(store.db).change(owner, relayId, { counting: within200Days }, now);
    }
    now = start + 91 * day;
    expect(await prune()).toMatchObject({ scans: 10 });
    for (const relayId of ['uncounted', 'counted']) {
      expect((await takeOne(relayId, 'ticket')).count).toMatchObject({ accepted: 5, admitted: 5 });
      expect((await takeOne(relayId, 'ticket')).count).toMatchObject({ accepted: 6, admitted: 6 });
      expect((await takeOne(relayId, 'ticket', [], { receivedAt: start + 200 * day + 2_000 })).count).toMatchObject({
        accepted: 7,
        admitted: 4,
      });
    }
  });

  it.each([
    ['a database', '{"judging":{"kind":"database","databaseIds":["1"]}}'],
    ['a list', '{"judging":{"kind":"list","values":["ABC"],"exact":false,"listed":"valid"}}'],
  ])(
    'a barcode’s counts survive pruning where %s treats spellings as one barcode, and for each spelling alone',
    async (_, settings) => {
      await addRelay('r', {}, settings);
      await takeOne('r', 'ABC');
      await takeOne('r', '123');
      await createRelayStore(store.db).change(owner, 'r', { counting: within200Days }, now);
      now += 91 * day;
      expect(await prune()).toMatchObject({ scans: 2 });
      const asOne = { sameAs: 'abc' };
      expect((await takeOne('r', 'abc')).count).toEqual({ seen: 0, accepted: 0, admitted: 0 });
      expect((await takeOne('r', 'ABC')).count).toMatchObject({ accepted: 1, lastAcceptedAt: start });
      now += 91 * day;
      expect(await prune()).toMatchObject({ scans: 2 });
      expect((await takeOne('r', 'abc', [], asOne)).count).toMatchObject({ accepted: 1, admitted: 1 });
      expect((await takeOne('r', 'Abc', [], asOne)).count).toMatchObject({ accepted: 2, admitted: 2 });
      expect((await takeOne('r', 'ABC', [], asOne)).count).toMatchObject({ accepted: 3, admitted: 3 });
      expect((await takeOne('r', '123')).count).toMatchObject({ accepted: 1 });
    },
  );

  it('pruning writes no counters for relays that count nothing, or that were removed', async () => {
    await addRelay('plain');
    await addRelay('removed', { value: {} });
    await takeOne('plain', 'T');
    await store.db.deleteFrom('counters').execute();
    await take([scanned({ relayId: 'removed' })]);
    await store.db.deleteFrom('counters').execute();
    await createRelayStore(store.db).remove(owner, 'removed', now);
    now += 91 * day;
    expect(await prune()).toMatchObject({ scans: 2 });
    expect(await store.db.selectFrom('counters').selectAll().execute()).toEqual([]);
  });

  it('pruning deletes a device’s old scans, and the device’s later scans are still found', async () => {
    await addRelay('r');
    const scans = createScanStore(store.db);
    const of = async () => (await scans.ofRelay(owner, 'r', { udid: 'device', limit: 99 })).scans.map(({ tid }) => tid);
    for (const tid of ['1', '2', '3']) {
      await takeOne('r', tid, [], { udid: 'device' });
    }
    await takeOne('r', 'of no device');
    expect(await of()).toEqual(['3', '2', '1']);
    now += 50 * day;
    await takeOne('r', '4', [], { udid: 'device' });
    expect(await of()).toEqual(['4', '3', '2', '1']);
    now += 41 * day;
    expect(await prune()).toMatchObject({ scans: 4 });
    expect(await of()).toEqual(['4']);
    now += 50 * day;
    expect(await prune()).toMatchObject({ scans: 1 });
    expect(await of()).toEqual([]);
    await takeOne('r', '5', [], { udid: 'device' });
    expect(await of()).toEqual(['5']);
    // Scan 5 counts as received just now and stays; scan 6, received long ago, is deleted.
    now += 91 * day;
    await store.db.updateTable('received_scans').set({ received_at: now }).where('tid', '=', '5').execute();
    const early = scanned({ relayId: 'r', tid: '6', udid: 'device', receivedAt: start });
    await take([{ ...early, id: early.id.replace(/^.{10}/, '0'.repeat(10)) }]);
    expect(await of()).toEqual(['5', '6']);
    expect(await prune()).toMatchObject({ scans: 1 });
    await takeOne('r', '7', [], { udid: 'device' });
    expect(await of()).toEqual(['7', '5']);
  });

  it('scans that arrive while old scans of their barcodes are deleted still count the earlier admissions', async () => {
    await addRelay('r', {});
    const tids = Array.from({ length: 300 }, (_, n) => `T-${n}`);
    await take(tids.map((tid) => scanned({ relayId: 'r', tid })));
    await createRelayStore(store.db).change(owner, 'r', { counting: { value: {} } }, now);
    now += 91 * day;
    const pruning = prune();
    const seen: Count[] = [];
    for (let from = 0; from < tids.length; from += 20) {
      seen.push(...(await take(tids.slice(from, from + 20).map((tid) => scanned({ relayId: 'r', tid })))));
    }
    expect(await pruning).toMatchObject({ scans: 300 });
    expect(seen.map(({ accepted }) => accepted)).toEqual(tids.map(() => 1));
  });
});
