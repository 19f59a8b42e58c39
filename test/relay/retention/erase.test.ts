import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import type { Count } from '../../../src/counters/counters.js';
import { createIds, type MakeId } from '../../../src/database/ids.js';
import { createOutbox } from '../../../src/posts/outbox/outbox.js';
import { createScanCommit, type DecidedPost, type IncomingScan } from '../../../src/relay/commit/index.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createScanErasure } from '../../../src/relay/retention/erase.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { setPosts } from '../../helpers/outbox.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';

const start = Date.UTC(2026, 0, 1);
const never = new AbortController().signal;
const unpaused: Clock = { ...systemClock, sleep: async () => void (await setImmediate()) };

onEachDatabase('received scans that are erased', ({ fresh }) => {
  let store: Store;
  let now: number;
  let makeId: MakeId;

  beforeEach(async () => {
    now = start;
    makeId = createIds({ now: () => now, sleep: () => Promise.resolve() }, systemRandom);
    store = await openTestStore(await fresh());
    for (const [id, whose] of [
      ['r', owner],
      ['second', owner],
      ['other', stranger],
    ] as const) {
      await createRelayStore(store.db).add(
        relayRecord({ id, owner: whose, counting: { value: { within: [60] }, relay: {} } }),
        { id: `${id}-s`, hash: 'f'.repeat(64) },
      );
    }
  });
  afterEach(() => store.close());

  const take = async (relayId: string, tids: readonly string[], posts: readonly DecidedPost[] = []) => {
    const known: Count[] = [];
    const scans = tids.map((tid): IncomingScan => {
      const submit = [['tid', tid]] as const;
      return {
        id: makeId(),
        relayId,
        secretId: `${relayId}-s`,
        receivedAt: now,
        tid,
        submit,
        answers: [],
        properties: [],
      };
    });
    const rules = {
      needs: () => ({ memories: false, digests: true }),
      countsAround: (_: unknown, { receivedAt }: IncomingScan) => receivedAt,
      revise: () => ({ posts: [], muted: [] }),
    };
    await createScanCommit(store, rules).commit(scans, (_, __, { counts }) => {
      known.push(counts.ofSubject('value'));
      return { valid: true, text: '', posts };
    });
    return known;
  };
  const post = (more: Partial<DecidedPost> = {}): DecidedPost => ({ channel: 'C0GATE', rule: 'rule', ...more });
  const erasure = () => createScanErasure(store, unpaused);
  const values = async () =>
    (await store.db.selectFrom('received_scans').select(['relay_id', 'tid']).orderBy('id').execute()).map(
      ({ relay_id, tid }) => `${relay_id} ${tid}`,
    );
  const keys = async (table: 'counters' | 'admissions') =>
    (await store.db.selectFrom(table).select(['relay_id', 'key']).execute()).map((row) => `${row.relay_id} ${row.key}`);
  const posts = async () =>
    (await store.db.selectFrom('outbox').select(['source_id', 'kind']).orderBy('seq').execute()).map(
      ({ source_id, kind }) => `${source_id} ${kind}`,
    );
  const head = () => createOutbox(store).head({ ...owner, channel: 'C0GATE' });

  it('erasing a barcode’s received scans deletes its scans with their posts, and no other barcode’s scan', async () => {
    const long = `${'x'.repeat(250)}1`;
    await take('r', ['A 01', 'A 01', 'a 01', 'A 1', long, `${'x'.repeat(250)}2`], [post()]);
    await take('second', ['A 01'], [post({ channel: 'C0SECOND' })]);
    await take('other', ['A 01'], [post()]);
    expect(await erasure().countOf(owner, 'A 01')).toEqual({ scans: 3, posts: 3 });
    expect(await erasure().forget(owner, 'A 01', { keepCounts: true }, never)).toEqual({ scans: 3, posts: 3 });
    expect(await values()).toEqual(['r a 01', 'r A 1', `r ${long}`, `r ${'x'.repeat(250)}2`, 'other A 01']);
    expect(await posts()).toEqual([...Array(4).fill('r scan'), 'other scan']);
    expect((await head())?.state).toBe('pending');
    expect(await erasure().forget(owner, long, { keepCounts: true }, never)).toEqual({ scans: 1, posts: 1 });
    expect(await erasure().forget(owner, 'A 01', { keepCounts: true }, never)).toEqual({ scans: 0, posts: 0 });
  });

  it('erasing a barcode’s received scans keeps the barcode’s counts, or deletes these too, as asked', async () => {
    await take('r', ['T', 'T', 'U']);
    await erasure().forget(owner, 'T', { keepCounts: true }, never);
    expect((await take('r', ['T']))[0]).toMatchObject({ seen: 2, accepted: 2 });
    await erasure().forget(owner, 'T', { keepCounts: false }, never);
    expect((await take('r', ['T']))[0]).toMatchObject({ seen: 0, accepted: 0 });
    expect((await take('r', ['U']))[0]).toMatchObject({ seen: 1 });
  });

  it('erasing received scans deletes a digest only where it contains no other scan', async () => {
    const collect = { until: now + 60_000, detail: '{}' };
    await take('r', ['T'], [post({ channel: 'C0ONE', collect })]);
    await take('r', ['T', 'U'], [post({ channel: 'C0TWO', collect })]);
    const open = async () =>
      (await store.db.selectFrom('digests').select('channel').execute()).map((row) => row.channel);
    expect((await open()).sort()).toEqual(['C0ONE', 'C0TWO']);
    await erasure().forget(owner, 'T', { keepCounts: true }, never);
    expect(await open()).toEqual(['C0TWO']);
  });

  it('erasing a workspace’s received scans deletes each scan before a moment, whatever its posts’ state', async () => {
    await take(
      'r',
      Array.from({ length: 300 }, (_, n) => `T${n}`),
      [post()],
    );
    await take('second', ['S'], [post({ channel: 'C0SECOND', collect: { until: now, detail: '{}' } })]);
    await take('other', ['O'], [post()]);
    await setPosts(store, { state: 'delivered', finished_at: now, ts: '1.1' })
      .where('seq', '<', 100)
      .where('source_id', '=', 'r')
      .execute();
    expect(await erasure().count(owner, 1_000)).toEqual({ scans: 301, posts: 201 });
    expect(await erasure().count(owner, 50)).toEqual({ scans: 50, posts: 50 });
    now += 1_000;
    await take('r', ['later'], [post()]);
    await erasure().eraseAll(owner, now, never);
    expect(await values()).toEqual(['other O', 'r later']);
    expect((await posts()).sort()).toEqual(['other scan', 'r scan']);
    expect(await keys('admissions')).toEqual(['other =O']);
    expect((await keys('counters')).every((key) => key.startsWith('other '))).toBe(true);
    expect(await store.db.selectFrom('digests').selectAll().execute()).toEqual([]);
    const relays = createRelayStore(store.db);
    expect((await relays.get(owner, 'r'))?.scans).toBe(0);
    expect((await relays.get(stranger, 'other'))?.scans).toBe(1);
    expect((await take('r', ['T1']))[0]).toMatchObject({ seen: 0 });
  });

  it('an interrupted erasure of received scans is completed by a second erasure', async () => {
    await take(
      'r',
      Array.from({ length: 300 }, (_, n) => `T${n}`),
      [post()],
    );
    const stop = new AbortController();
    const once = erasure().eraseAll(owner, now + 1, stop.signal);
    stop.abort();
    await once;
    expect((await values()).length).toBeGreaterThan(0);
    await erasure().eraseAll(owner, now + 1, never);
    expect(await values()).toEqual([]);
    expect(await posts()).toEqual([]);
  });
});
