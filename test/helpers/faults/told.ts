/**
 * Invariants of posts made by rules, after any fault: each scan is posted once, on its own or in one digest, replies
 * are in their parent's thread, and the counts of digests and parents match.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import type { AnsweredScan } from './devices.js';
import { expectOrderInLanes, expectStored, type Figures } from './promises.js';
import type { FaultRoom } from './room.js';

/** Waits until no post, digest or message update is pending. */
export async function allTold(room: FaultRoom, withinMs: number): Promise<void> {
  const store = await room.store();
  try {
    const until = performance.now() + withinMs;
    for (;;) {
      const open = await store.db
        .selectFrom('outbox')
        .leftJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
        .select(['key', 'kind', 'channel', 'state', 'attempts', 'last_code', 'due_at', 'failures'])
        .where((eb) => eb.or([eb('finished_at', 'is', null), eb('due_at', 'is not', null)]))
        .execute();
      const digests = await store.db.selectFrom('digests').select(['key', 'due_at']).execute();
      if (open.length === 0 && digests.length === 0) {
        return;
      }
      if (performance.now() > until) {
        throw new Error(`not told after ${withinMs} ms: ${JSON.stringify({ open: open.slice(0, 20), digests })}`);
      }
      await wait(50);
    }
  } finally {
    await store.close();
  }
}

export interface ToldFigures extends Figures {
  readonly cards: number;
  /** Replies about a single scan. */
  readonly replies: number;
  /** The number of digests by trigger. */
  readonly digests: Readonly<Record<string, number>>;
  readonly bursts: number;
}

/**
 * @param sent every scan for which a device got a response
 * @param isTold whether the relay's rules post it, once
 */
export async function expectToldOnce(
  room: FaultRoom,
  sent: readonly AnsweredScan[],
  isTold: (scan: AnsweredScan) => boolean,
): Promise<ToldFigures> {
  const store = await room.store();
  try {
    const stored = await expectStored(store, sent);
    const rows = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const done = rows.filter(({ state }) => state === 'delivered');
    const folded = rows.filter(({ state }) => state === 'digested');
    expect(rows.length - done.length - folded.length, 'posts that did not go out').toBe(0);

    const told = rows.filter(({ kind }) => kind === 'scan').map(({ scan_id }) => scan_id);
    const notable = sent.filter(isTold).map(({ form }) => stored.get(form.tid!)!.id);
    expect([...told].sort(), 'each notable scan has one post or one place in a digest').toEqual([...notable].sort());
    expect(
      folded.filter(({ digest_key }) => byKey.get(digest_key ?? '')?.state !== 'delivered').map(({ key }) => key),
      'what was folded is in a digest that went out',
    ).toEqual([]);

    const messages = new Map<string, ShownMessage>();
    for (const channel of new Set(room.relays.map((relay) => relay.channel))) {
      const own = (await room.messages(channel)).filter(({ metadata }) => metadata?.event_type === 'scandesk_scan');
      const keys = own
        .sort((a, b) => (a.ts < b.ts ? -1 : 1))
        .map(({ metadata }) => String(metadata?.event_payload.key));
      const accepted = done.filter((row) => row.channel === channel);
      expectOrderInLanes(channel, keys, accepted);
      for (const [n, key] of keys.entries()) {
        messages.set(key, own[n]!);
      }
    }
    for (const { key, kind, parent_key: card } of done) {
      const message = messages.get(key)!;
      expect(message.thread_ts, `${kind} ${key} stands under its card`).toBe(
        card === null ? undefined : messages.get(card)!.ts,
      );
    }
    const digests = done.filter(({ kind }) => kind === 'digest');
    for (const { key } of digests) {
      const inIt = folded.filter((row) => row.digest_key === key).length;
      expect(numberIn(/📦 ([\d,]+) scan/, messages.get(key)!.text), `the count of digest ${key}`).toBe(inIt);
    }
    const cards = done.filter(({ kind }) => kind === 'card');
    for (const { key } of cards) {
      const under = rows.filter((row) => row.parent_key === key && row.kind === 'scan').length;
      expect(numberIn(/: ([\d,]+)$/, messages.get(key)!.text), `the count of card ${key}`).toBe(under);
      expect(JSON.stringify(messages.get(key)!.blocks)).toMatch(
        new RegExp(`"${under.toLocaleString('en-US')} scans? so far`),
      );
    }
    return {
      posts: done.length,
      folded: folded.length,
      doubted: done.filter(({ unconfirmed_at }) => unconfirmed_at !== null).length,
      repeated: done.filter(({ attempts }) => attempts > 1).length,
      cards: cards.length,
      replies: done.filter(({ kind, parent_key }) => kind === 'scan' && parent_key !== null).length,
      digests: countsOf(digests.map(({ detail }) => String(JSON.parse(detail ?? '{}').digest?.why))),
      bursts: done.filter(({ kind }) => kind === 'burst').length,
    };
  } finally {
    await store.close();
  }
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);
}

function countsOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) {
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
