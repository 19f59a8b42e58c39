/** The states of a post: what each event does in each state, and the diagram of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PostState } from '../../src/database/schema.js';
import { applyEvent, beginnings, finalStates, type PostEvent, postEvents } from '../../src/posts/post-states.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost, clearOutbox } from '../helpers/outbox.js';
import { relayRecord } from '../helpers/relay.js';
import { expectWritten } from '../helpers/written-docs.js';

const states: readonly PostState[] = ['pending', 'sending', 'unconfirmed', 'delivered', 'digested', 'missed', 'dead'];

/** What becomes of a post: each event, from the states in which it may happen. */
const legal: readonly (readonly [PostEvent, readonly PostState[], PostState])[] = [
  ['attempt', ['pending'], 'sending'],
  ['deliver', ['sending', 'unconfirmed', 'pending', 'dead'], 'delivered'],
  ['fail', ['sending'], 'pending'],
  ['lose', ['sending'], 'unconfirmed'],
  ['defer', ['unconfirmed'], 'unconfirmed'],
  ['absent', ['unconfirmed'], 'pending'],
  ['digest', ['pending'], 'digested'],
  ['reject', ['pending', 'sending', 'unconfirmed'], 'dead'],
  ['miss', ['pending', 'sending'], 'missed'],
  ['withdraw', ['pending', 'sending', 'unconfirmed'], 'dead'],
  ['replay', ['dead'], 'pending'],
  ['replayUnconfirmed', ['dead'], 'unconfirmed'],
  ['repost', ['delivered'], 'pending'],
];

onEachDatabase('the states of a post', (databases) => {
  let store: Store;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'a' });
  });
  afterAll(() => store.close());
  beforeEach(() => clearOutbox(store));

  it.each(legal)('the event “%s” moves posts from the state %s only, to the state %s', async (event, from, to) => {
    for (const state of states) {
      await addPost(store, { relayId: 'r', channel: state, state });
    }
    const before = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    const moved = await applyEvent(store.db, event, 77).executeTakeFirst();
    expect(Number(moved.numUpdatedRows)).toBe(from.length);
    const after = await store.db.selectFrom('outbox').selectAll().orderBy('seq').execute();
    expect(after).toEqual(
      before.map((post) =>
        from.includes(post.state) ? { ...post, state: to, finished_at: finalStates.includes(to) ? 77 : null } : post,
      ),
    );
  });
});

/** The states as a mermaid diagram. */
function stateDiagram(): string {
  const moves = Object.values(postEvents).flatMap(({ to, from }) =>
    Object.entries(from).map(([state, when]) => `  ${state} --> ${to}: ${when}`),
  );
  const begins = Object.entries(beginnings).map(([state, when]) => `  [*] --> ${state}: ${when}`);
  return ['stateDiagram-v2', ...begins, ...moves].join('\n');
}

describe('the table of states', () => {
  it('the table of post states has exactly the events that are tested', () => {
    expect(Object.keys(postEvents).sort()).toEqual(legal.map(([event]) => event).sort());
  });

  it('the table of post states equals the diagram in docs/delivery.md', () => {
    expectWritten('docs/delivery.md', 'states', `\`\`\`mermaid\n${stateDiagram()}\n\`\`\`\n`);
  });
});
