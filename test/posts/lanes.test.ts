import { expect, it } from 'vitest';
import { type Clock, systemRandom } from '../../src/clock.js';
import type { PostKind } from '../../src/database/schema.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createChannelWorker } from '../../src/posts/channel-worker.js';
import { usualTimes } from '../../src/posts/delivery-times.js';
import type { AnyPost, Publisher } from '../../src/posts/index.js';
import { enqueue } from '../../src/posts/outbox/enqueue.js';
import { createOutbox } from '../../src/posts/outbox/outbox.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';

const waiting = 5_000;
const intervalMs = 1_000;

onEachDatabase('an alert in a channel where 5,000 scans wait', (databases) => {
  const queue = { ...owner, channel: 'C0GATE' };

  it('an alert is sent right after the scan or digest in flight, before thousands of waiting scans', async () => {
    const store = await openTestStore(await databases.fresh());
    let now = 1_000_000;
    // Only waiting moves the clock.
    const clock: Clock = {
      now: () => now,
      async sleep(ms) {
        if (ms >= usualTimes.postTimeoutMs) {
          await new Promise(() => undefined);
        }
        now += ms;
      },
    };
    const add = (kind: PostKind, keys: readonly string[]) =>
      store.db.transaction().execute((trx) =>
        enqueue(trx, {
          posts: keys.map((key) => ({ key, queue, source: { kind: 'relay', id: 'r1' }, at: now, kind })),
        }),
      );
    const keys = Array.from({ length: waiting }, (_, n) => `scan-${n}`);
    await add('scan', keys);
    let sent: { readonly key: string; readonly at: number }[] = [];
    let comes = '';
    const publisher: Publisher = {
      async post({ key }: AnyPost) {
        sent.push({ key, at: now });
        if (sent.length === 1) {
          await add('burst', [comes]);
        }
        return { outcome: 'delivered', ts: '1.000000' };
      },
      find: async () => ({ outcome: 'absent' }),
      open: async () => undefined,
      admins: async () => [],
      edit: async () => ({ outcome: 'edited' }),
    };
    const outbox = createOutbox(store);
    const [claimed] = await outbox.claim('w', now, 1);
    /** The keys of the posts sent from now on; an alert comes while the first of them is sent. */
    const posted = async (alert: string, digestAbove: number, most: number) => {
      sent = [];
      comes = alert;
      const worker = createChannelWorker({
        ...{ outbox, publisher, clock, intervalMs, worker: 'w', random: systemRandom, log: silentLog },
        ...{ maker: { of: async (post) => post, gone: async () => 'reject' }, metrics: createMetrics() },
        backlog: { detailOf: () => '{}', scansOf: async () => new Map() },
        ...{ times: { ...usualTimes, digestAbove }, onBlocked: () => undefined },
      });
      await worker.drain(claimed!, () => sent.length < most, new AbortController().signal);
      return sent.map(({ key }) => key);
    };
    expect(await posted('first alert', waiting, 3)).toEqual(['scan-0', 'first alert', 'scan-1']);
    expect(sent[1]!.at - sent[0]!.at).toBe(intervalMs);
    expect(await posted('second alert', usualTimes.digestAbove, 9)).toEqual(['scan-2.f', 'second alert']);
    expect(sent[1]!.at - sent[0]!.at).toBe(intervalMs);
    await store.close();
  });

  it('while a failed scan waits for a retry, its channel’s next scan waits too, but an alert does not', async () => {
    const store = await openTestStore(await databases.fresh());
    const outbox = createOutbox(store);
    const [now, retryAt] = [1_000_000, 2_000_000];
    const add = (key: string, kind: PostKind) =>
      store.db
        .transaction()
        .execute((trx) =>
          enqueue(trx, { posts: [{ key, queue, source: { kind: 'relay', id: 'r1' }, at: now, kind }] }),
        );
    await add('failed scan', 'scan');
    const [claimed] = await outbox.claim('w', now, 1);
    const begun = await outbox.begin('w', (await outbox.head(claimed!))!, now);
    await outbox.later(begun!, 'fail', retryAt, 'slack.http');
    await outbox.release('w', claimed!, now, intervalMs);
    await add('next scan', 'scan');
    expect(await outbox.claim('w', now + intervalMs, 1)).toEqual([]);
    await add('alert', 'burst');
    expect(await outbox.claim('w', now + intervalMs, 1)).toHaveLength(1);
    expect((await outbox.head(claimed!))?.key).toBe('alert');
    await store.close();
  });
});
