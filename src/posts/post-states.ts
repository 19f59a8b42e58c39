/**
 * The states of a post: what happens to it, and which state that leads to. Every write of a state goes through
 * `applyEvent` (or `enqueue`, where a post begins); a post that the event does not apply to stays as it is.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { PostState, Schema } from '../database/schema.js';

interface Event {
  readonly to: PostState;
  /** The states that the event applies to, each with a text that describes the change. */
  readonly from: Partial<Record<PostState, string>>;
}

/** The states in which a post begins, each with a text. */
export const beginnings = {
  pending: 'accepted with its scan; a due digest, an alarm, a thread parent',
  digested: 'accepted into a digest that is collecting',
} as const;

export const postEvents = {
  attempt: { to: 'sending', from: { pending: 'recorded before it leaves' } },
  deliver: {
    to: 'delivered',
    from: {
      sending: 'Slack returned its ts',
      unconfirmed: 'found in the channel',
      pending: 'confirmed late',
      dead: 'confirmed late',
    },
  },
  fail: { to: 'pending', from: { sending: 'surely not posted, tried again later' } },
  lose: { to: 'unconfirmed', from: { sending: 'nobody knows, or its worker died' } },
  defer: { to: 'unconfirmed', from: { unconfirmed: 'could not be searched, or not late enough' } },
  absent: { to: 'pending', from: { unconfirmed: 'not in the channel, searched at least 15 s after the attempt' } },
  digest: { to: 'digested', from: { pending: 'never sent, and its channel is far behind' } },
  reject: {
    to: 'dead',
    from: {
      pending: 'a day has passed',
      sending: 'refused as it is, not to be drawn, or a day has passed',
      unconfirmed: 'it can never be found out, or a day has passed',
    },
  },
  miss: {
    to: 'missed',
    from: { pending: 'not sent in its time, where its kind has one', sending: 'it had nothing to say any more' },
  },
  withdraw: {
    to: 'dead',
    from: {
      pending: 'its source was deleted',
      sending: 'its source was deleted',
      unconfirmed: 'its source was deleted',
    },
  },
  replay: { to: 'pending', from: { dead: 'replayed by a person, as a new sending' } },
  replayUnconfirmed: { to: 'unconfirmed', from: { dead: 'replayed, and it may have been posted before' } },
  repost: { to: 'pending', from: { delivered: 'a thread parent whose message somebody deleted' } },
} as const satisfies Record<string, Event>;

export type PostEvent = keyof typeof postEvents;

/** The states in which no worker has anything left to do. */
export const finalStates: readonly PostState[] = ['delivered', 'digested', 'missed', 'dead'];

/**
 * An update of the posts that the event applies to: add fields and conditions. States are literals, since SQLite uses a
 * partial index only where it sees the condition.
 */
export function applyEvent(db: Kysely<Schema> | Transaction<Schema>, event: PostEvent, now: number) {
  const { to, from }: Event = postEvents[event];
  const states = (Object.keys(from) as PostState[]).map((state) => sql.lit(state));
  const [only, second] = states;
  // The type of the two columns lets no other code set them.
  const set = { state: to, finished_at: finalStates.includes(to) ? now : null } as object;
  return db
    .updateTable('outbox')
    .set(set)
    .where((eb) => (only && second === undefined ? eb('outbox.state', '=', only) : eb('outbox.state', 'in', states)));
}
