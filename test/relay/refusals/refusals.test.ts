import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/log.js';
import { createRefusalNotices } from '../../../src/relay/posts/refusal-notices.js';
import { createRefusalCounts } from '../../../src/relay/refusals/count.js';
import { createRefusalPurge, readRefusals } from '../../../src/relay/refusals/refusal-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake } from '../../helpers/relay.js';
import { createMovableClock, type MovableClock } from '../../judge/clock.js';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 5, 1, 12);

onEachDatabase('the scans that a relay refused', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  const newRelay = async () => (await relaysOf(store).create(gate)).relay.id;
  const refusedBy = async (id: string) => (await readRefusals(store.db, [id])).get(id) ?? [];

  /** Counts `times` refusals of each sender, and writes them. */
  async function refuse(id: string, clock: MovableClock, senders: readonly string[], times = 1): Promise<void> {
    const counts = createRefusalCounts({ store, clock, log: silentLog });
    counts.start();
    for (const sender of senders.flatMap((one) => Array<string>(times).fill(one))) {
      counts.count(id, 'relay.no_barcode', sender);
    }
    await counts.stop();
  }

  it('refused scans are counted by reason and sender, over restarts and instances', async () => {
    const id = await newRelay();
    const clock = createMovableClock(start);
    await refuse(id, clock, ['192.0.2.1', '192.0.2.2'], 3);
    clock.advance(hour);
    await refuse(id, clock, ['192.0.2.1']);
    expect(await refusedBy(id)).toEqual([
      {
        ...{ code: 'relay.no_barcode', scans: 7, senders: ['192.0.2.1', '192.0.2.2'] },
        ...{ firstAt: start, lastAt: start + hour },
      },
    ]);
    const [state] = (await relaysOf(store).list(owner)).filter(({ relay }) => relay.id === id);
    expect(state?.refused.map(({ scans }) => scans)).toEqual([7]);
  });

  it('the count of refused scans begins anew once none was refused for a day', async () => {
    const id = await newRelay();
    const clock = createMovableClock(start);
    await refuse(id, clock, ['192.0.2.1'], 5);
    clock.advance(24 * hour + minute);
    await refuse(id, clock, ['192.0.2.1']);
    expect(await refusedBy(id)).toMatchObject([{ scans: 1, firstAt: clock.now() }]);
  });

  it('the count of refused scans goes a day after the last refusal, and not before', async () => {
    const id = await newRelay();
    const clock = createMovableClock(start);
    await refuse(id, clock, ['192.0.2.1']);
    const purge = createRefusalPurge(store, clock);
    clock.advance(24 * hour);
    await purge(new AbortController().signal);
    expect(await refusedBy(id)).toHaveLength(1);
    clock.advance(minute);
    await purge(new AbortController().signal);
    expect(await refusedBy(id)).toEqual([]);
  });

  it('a thousand senders take no more rows than twenty, and every refused scan is counted', async () => {
    const id = await newRelay();
    const clock = createMovableClock(start);
    await refuse(
      id,
      clock,
      Array.from({ length: 1_000 }, (_, at) => `2001:db8::${at}`),
    );
    const [reason] = await refusedBy(id);
    expect(reason?.scans).toBe(1_000);
    expect(reason?.senders).toHaveLength(21);
    expect(reason?.senders).toContain('others');
  });

  it('requests to relays that do not exist are counted nowhere', async () => {
    await refuse('no-such-relay', createMovableClock(start), ['192.0.2.1']);
    expect(await refusedBy('no-such-relay')).toEqual([]);
  });

  it('counts that could not be written are written with the next ones', async () => {
    const id = await newRelay();
    const clock = createMovableClock(start);
    const broken = { db: store.db.withSchema('no_such_schema') };
    const used = { db: broken.db };
    const counts = createRefusalCounts({
      store: {
        get db() {
          return used.db;
        },
      },
      clock,
      log: silentLog,
    });
    counts.count(id, 'relay.proof', '192.0.2.1');
    counts.start();
    await expect.poll(() => clock.next()).toBeDefined();
    used.db = store.db;
    counts.count(id, 'relay.proof', '192.0.2.1');
    await counts.stop();
    expect(await refusedBy(id)).toMatchObject([{ code: 'relay.proof', scans: 2 }]);
  });

  describe('the notice of refused scans', () => {
    it('the creator of a relay is notified once, five minutes after the first refusal, and of others a day later', async () => {
      const id = await newRelay();
      const clock = createMovableClock(start);
      const notices = createRefusalNotices(store.db);
      const due = async () => (await notices.due(clock.now())).filter(({ relay }) => relay.id === id);
      await refuse(id, clock, ['192.0.2.1']);
      clock.advance(4 * minute);
      expect(await due()).toEqual([]);
      clock.advance(minute);
      const [first] = await due();
      expect(first).toBeDefined();
      await notices.sent(first!, clock.now());
      await refuse(id, clock, ['192.0.2.1', '192.0.2.9']);
      clock.advance(20 * hour);
      await refuse(id, clock, ['192.0.2.1', '192.0.2.9']);
      expect(await due()).toEqual([]);
      clock.advance(5 * hour);
      expect(await due()).toHaveLength(0);
      await refuse(id, clock, ['192.0.2.77']);
      clock.advance(5 * minute);
      expect(await due()).toHaveLength(1);
    });
  });

  it('the intake counts what it refuses: a wrong secret and a missing barcode, not a stored scan', async () => {
    const { relay, path } = await relaysOf(store).create(gate);
    const clock = createMovableClock(start);
    const counts = createRefusalCounts({ store, clock, log: silentLog });
    const intake = await startIntake(store, { countRefusal: counts.count });
    expect((await postScan(intake.url + path, scanForm())).status).toBe(200);
    expect((await postScan(`${intake.url}${path}x`, scanForm())).status).toBe(404);
    expect((await postScan(intake.url + path, scanForm({ tid: '' }))).status).toBe(400);
    expect((await postScan(intake.url + path, { sid: '1' })).status).toBe(400);
    counts.start();
    await counts.stop();
    await intake.close();
    expect((await refusedBy(relay.id)).map(({ code, scans, senders }) => [code, scans, senders])).toEqual([
      ['relay.no_barcode', 2, ['127.0.0.1']],
      ['relay.secret', 1, ['127.0.0.1']],
    ]);
  });
});
