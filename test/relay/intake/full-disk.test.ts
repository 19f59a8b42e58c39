import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import { createDelivery, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { type Channels, createChannels } from '../../helpers/channels.js';
import { openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import {
  type Answer,
  gate,
  outcomes,
  postScan,
  relaysOf,
  scanForm,
  startIntake,
  type TestIntake,
} from '../../helpers/relay.js';

describe('a database without room', () => {
  const databases = sqliteDatabases();
  let store: Store;
  let intake: TestIntake;
  let channels: Channels;
  let url: string;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    store = await openTestStore(await databases.fresh());
    channels = createChannels();
    const delivery = createDelivery({
      ...{ store, publisher: channels, clock: systemClock, random: systemRandom, log: silentLog },
      ...{ metrics: createMetrics(), intervalMs: 0, instanceId: 'worker', times: { pollMs: 50, pollGapMs: 2 } },
    });
    delivery.start();
    intake = await startIntake(store, { onPosts: delivery.notify });
    // A refused scan must not count: a barcode is valid once.
    const settings = relaySettingsSchema.parse({ duplicates: {} });
    const { path } = await relaysOf(store).create({ ...gate, settings });
    url = `${intake.url}${path}`;
    stop = () => delivery.stop();
  });
  afterEach(async () => {
    await makeRoom();
    await intake.close();
    await stop();
    await store.close();
  });

  const fill = () => sql`pragma max_page_count = 1`.execute(store.db);
  const makeRoom = () => sql`pragma max_page_count = 1000000`.execute(store.db);
  /** Long enough to need pages of its own. */
  const bigScan = (n: number) => scanForm({ tid: `SCAN-${n}`, note: 'x'.repeat(20_000) });
  const storedValues = async () => {
    const rows = await store.db.selectFrom('received_scans').select('tid').orderBy('id').execute();
    return rows.map(({ tid }) => tid);
  };
  const isRefused = ({ status, body, type }: Answer) => status === 503 && body === '' && type === null;

  it('a scan on a full database is refused with 503 and not stored, and counts as new once there is room', async () => {
    expect((await postScan(url, bigScan(0))).status).toBe(200);
    await fill();
    const form = bigScan(1);
    expect(await postScan(url, form)).toEqual({ status: 503, type: null, body: '' });
    expect(await outcomes(intake.metrics)).toMatchObject({ accepted: 1, full: 1 });
    expect(await storedValues()).toEqual(['SCAN-0']);
    for (const table of ['counters', 'outbox'] as const) {
      const rows = await store.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), `nothing of it among the ${table}`).not.toContain('SCAN-1');
      expect(rows.length).toBe(1);
    }
    expect((await store.db.selectFrom('relays').select('scans').executeTakeFirstOrThrow()).scans).toBe(1);

    await makeRoom();
    expect((await postScan(url, form)).body).toContain('<status>1</status>');
    expect((await postScan(url, scanForm({ tid: 'SCAN-1' }))).body).toContain('<status>0</status>');
    expect(await storedValues()).toEqual(['SCAN-0', 'SCAN-1', 'SCAN-1']);
    await expect.poll(() => channels.in('C0GATE')).toEqual(['SCAN-0', 'SCAN-1', 'SCAN-1']);
  });

  it('each of many scans on a full database gets its own response, and no accepted scan is lost', async () => {
    await fill();
    const forms = Array.from({ length: 30 }, (_, n) => bigScan(n));
    const send = () => Promise.all(forms.map((form) => postScan(url, form)));
    const answers = await send();
    expect(answers.filter(({ status }) => status !== 200).every(isRefused)).toBe(true);
    expect(answers.some(isRefused), 'the full disk was felt').toBe(true);
    const answered = forms.filter((_, n) => answers[n]!.status === 200).map(({ tid }) => tid);
    expect((await storedValues()).sort()).toEqual([...answered].sort());

    await makeRoom();
    const again = await send();
    expect(again.map(({ status, body }) => [status, /<status>(\d)/.exec(body)?.[1]])).toEqual(
      forms.map(() => [200, '1']),
    );
    expect((await storedValues()).sort()).toEqual(forms.map(({ tid }) => tid).sort());
  });

  it('stored posts are still sent while the database is full', async () => {
    await postScan(url, bigScan(0));
    await fill();
    await expect.poll(() => channels.in('C0GATE')).toEqual(['SCAN-0']);
    expect(isRefused(await postScan(url, bigScan(1)))).toBe(true);
    await makeRoom();
    await postScan(url, bigScan(2));
    await expect.poll(() => channels.in('C0GATE')).toEqual(['SCAN-0', 'SCAN-2']);
  });
});
