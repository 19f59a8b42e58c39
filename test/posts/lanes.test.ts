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

  /** What is posted, with the times by a clock that only waiting moves, where an alert comes while the nth post is sent. */
  const posted = async (digestAbove: number, nth: number, most: number) => {
    const store = await openTestStore(await databases.fresh());
    let now = 1_000_000;
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
          posts: keys.map((key) => ({
            ...{ key, queue, source: { kind: 'relay' as const, id: 'r1' }, at: now, kind },
          })),
        }),
      );
    await add(
      'scan',
      Array.from({ length: waiting }, (_, n) => `scan-${n}`),
    );
    const sent: { readonly key: string; readonly at: number }[] = [];
    const publisher: Publisher = {
      async post({ key }: AnyPost) {
        sent.push({ key, at: now });
        if (sent.length === nth) {
          await add('burst', ['alert']);
        }
        return { outcome: 'delivered', ts: `${sent.length}.000000` };
      },
      find: async () => ({ outcome: 'absent' }),
      open: async () => undefined,
      admins: async () => [],
      edit: async () => ({ outcome: 'edited' }),
    };
    const outbox = createOutbox(store);
    const worker = createChannelWorker({
      ...{ outbox, publisher, clock, intervalMs, worker: 'w', random: systemRandom, log: silentLog },
      ...{ maker: { of: async (post) => post, gone: async () => 'reject' }, metrics: createMetrics() },
      backlog: { detailOf: () => '{}', scansOf: async () => new Map() },
      ...{ times: { ...usualTimes, digestAbove }, onBlocked: () => undefined },
    });
    const [claimed] = await outbox.claim('w', now, 1);
    await worker.drain(claimed!, () => sent.length < most, new AbortController().signal);
    await store.close();
    return sent;
  };

  it('goes right after the post that is on its way, though the scans are posted one by one', async () => {
    const sent = await posted(waiting, 2, 4);
    expect(sent.map(({ key }) => key)).toEqual(['scan-0', 'scan-1', 'alert', 'scan-2']);
    expect(sent[2]!.at - sent[1]!.at).toBe(intervalMs);
  });

  it('goes right after the digest of the scans, where the channel is far behind', async () => {
    const sent = await posted(usualTimes.digestAbove, 1, 9);
    expect(sent.map(({ key }) => key)).toEqual(['scan-0.f', 'alert']);
  });
});
