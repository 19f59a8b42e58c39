/**
 * Invariants after any fault: every answered scan is stored as sent, every notable one is posted once and, within its
 * lane, in order of acceptance, and nothing was paused or became a dead letter.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from '../../../src/database/schema.js';
import { utcMoment } from '../../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import type { AnsweredScan } from './devices.js';
import type { FaultRoom, RoomRelay } from './room.js';

/** Waits until no post is pending; fails with the posts that are. */
export async function allPosted(room: FaultRoom, withinMs: number): Promise<void> {
  const store = await room.store();
  try {
    const until = performance.now() + withinMs;
    for (;;) {
      const open = await store.db
        .selectFrom('outbox')
        .select(['seq', 'channel', 'state', 'attempts', 'last_code', 'next_at', 'source_id'])
        .where('finished_at', 'is', null)
        .orderBy('seq')
        .execute();
      if (open.length === 0) {
        return;
      }
      if (performance.now() > until) {
        const queues = await store.db.selectFrom('channel_queues').selectAll().execute();
        throw new Error(
          `${open.length} posts are still on their way after ${withinMs} ms: ${JSON.stringify({ now: Date.now(), open: open.slice(0, 20), queues })}`,
        );
      }
      await wait(50);
    }
  } finally {
    await store.close();
  }
}

export interface Figures {
  /** Messages in the channels. */
  readonly posts: number;
  /** Scans included in digests. */
  readonly folded: number;
  /** Posts that were unconfirmed for a while: what the faults are meant to cause. */
  readonly doubted: number;
  /** Posts sent more than once, because the attempt before had no effect. */
  readonly repeated: number;
}

/**
 * Compares the records of devices, store and channels.
 * @param sent every scan for which a device got a response; no other scan may have been sent
 */
export async function expectPromisesKept(room: FaultRoom, sent: readonly AnsweredScan[]): Promise<Figures> {
  await room.expectFaultsReached();
  const store = await room.store();
  try {
    const stored = await expectStored(store, sent);
    const posts = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    const relays = await store.db.selectFrom('relays').selectAll().execute();

    expect(
      relays.filter(({ paused_at }) => paused_at !== null).map(({ id, paused_why }) => ({ id, paused_why })),
      'paused relays',
    ).toEqual([]);
    const done = new Map(posts.filter(({ state }) => state === 'delivered').map((post) => [post.key, post]));
    const folded = posts.filter(({ state }) => state === 'digested');
    expect(
      posts
        .filter(({ state }) => state !== 'delivered' && state !== 'digested')
        .map(({ seq, channel, state, last_code }) => ({ seq, channel, state, last_code })),
      'posts that did not go out',
    ).toEqual([]);
    expect(
      folded.filter(({ digest_key, channel }) => done.get(digest_key ?? '')?.channel !== channel),
      'what was folded is in a digest that went out',
    ).toEqual([]);

    const sentById = new Map(sent.map((scan) => [stored.get(scan.form.tid!)!.id, scan]));
    for (const channel of new Set(room.relays.map((relay) => relay.channel))) {
      const keys = await postedKeys(room, channel);
      const accepted = [...done.values()].filter((post) => post.channel === channel);
      expectOrderInLanes(channel, keys, accepted);
      const own = keys.filter((key) => sentById.has(key));
      const inDigests = folded.filter((post) => post.channel === channel).map(({ key }) => key);
      expect([...own, ...inDigests].sort(), `in ${channel}: what is notable, by itself or in a digest`).toEqual(
        notableKeys(room.relays, channel, sentById),
      );
      expectOrderOfAcceptance(own.map((key) => sentById.get(key)!));
    }
    return {
      posts: done.size,
      folded: folded.length,
      doubted: posts.filter(({ unconfirmed_at }) => unconfirmed_at !== null).length,
      repeated: posts.filter(({ attempts }) => attempts > 1).length,
    };
  } finally {
    await store.close();
  }
}

/** Checks that exactly the answered scans are stored, as sent. Returns the scans by barcode. */
export async function expectStored(
  store: Store,
  sent: readonly AnsweredScan[],
): Promise<ReadonlyMap<string, Selectable<Schema['received_scans']>>> {
  const scans = await store.db.selectFrom('received_scans').selectAll().orderBy('id').execute();
  const stored = new Map(scans.map((scan) => [scan.tid, scan]));
  expect(stored.size, 'a scan is stored once').toBe(scans.length);
  expect(
    sent.filter(({ form }) => !stored.has(form.tid!)).map(({ form }) => form),
    'answered, and not stored',
  ).toEqual([]);
  expect(scans.length, 'stored is what was sent').toBe(sent.length);
  for (const { form, relayId, valid, text } of sent) {
    const scan = stored.get(form.tid!)!;
    expect({ ...scan, raw: JSON.parse(scan.raw)[0] }).toMatchObject({
      relay_id: relayId,
      valid: valid ? 1 : 0,
      answer_text: text,
      udid: form.udid,
      raw: Object.entries(form),
    });
    expect(utcMoment(scan.scanned_at_utc ?? '')).toBe(utcMoment(form.scanned_at_utc));
  }
  return stored;
}

/** The keys in the metadata of the channel's posts, oldest first. */
export async function postedKeys(room: FaultRoom, channel: string): Promise<string[]> {
  return (await room.messages(channel)).flatMap(({ metadata }) =>
    metadata?.event_type === 'scandesk_scan' ? [String(metadata.event_payload.key)] : [],
  );
}

function notableKeys(
  relays: readonly RoomRelay[],
  channel: string,
  sentById: ReadonlyMap<string, AnsweredScan>,
): string[] {
  const here = new Map(relays.filter((relay) => relay.channel === channel).map((relay) => [relay.id, relay]));
  return [...sentById]
    .filter(([, { relayId, valid }]) => here.get(relayId)?.notable === 'all' || (here.has(relayId) && !valid))
    .map(([id]) => id)
    .sort();
}

/** A scan answered before another was first sent was accepted before it, so it must be posted first. */
function expectOrderOfAcceptance(inChannel: readonly AnsweredScan[]): void {
  let answeredBehind = Number.POSITIVE_INFINITY;
  for (const scan of inChannel.toReversed()) {
    expect(answeredBehind, `accepted later, posted earlier: ${scan.form.tid}`).toBeGreaterThanOrEqual(scan.firstSentAt);
    answeredBehind = Math.min(answeredBehind, scan.answeredAt);
  }
}

/** @param accepted the channel's delivered posts, in the order of acceptance */
export function expectOrderInLanes(
  channel: string,
  keys: readonly string[],
  accepted: readonly { readonly key: string; readonly lane: number }[],
): void {
  const laneOf = new Map(accepted.map(({ key, lane }) => [key, lane]));
  expect([...keys].sort(), `in ${channel}: each once`).toEqual([...laneOf.keys()].sort());
  for (const lane of new Set(laneOf.values())) {
    expect(
      keys.filter((key) => laneOf.get(key) === lane),
      `in ${channel}: lane ${lane} in the order of acceptance`,
    ).toEqual(accepted.filter((post) => post.lane === lane).map(({ key }) => key));
  }
}
