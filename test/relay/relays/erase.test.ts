import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createIds } from '../../../src/database/ids.js';
import { enqueueOnce } from '../../../src/posts/outbox/enqueue.js';
import { createScanCommit, type DecidedPost } from '../../../src/relay/commit/index.js';
import { withdrawUninstalledPosts } from '../../../src/relay/relays/erase.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createRuleTimers } from '../../../src/relay/rules/timers/timer-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';

const makeId = createIds(systemClock, systemRandom);

onEachDatabase('relays of an app that was uninstalled', ({ fresh }) => {
  let store: Store;
  const now = 1_777_000_000_000;

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    for (const [id, whose] of [
      ['r', owner],
      ['other', stranger],
    ] as const) {
      await createRelayStore(store.db).add(
        relayRecord({ id, owner: whose }),
        { id: `${id}-s`, hash: 'f'.repeat(64) },
        { silences: [{ ruleId: 'rule', subject: 'relay', subjectId: '' }] },
      );
    }
  });
  afterEach(() => store.close());

  const scan = async (relayId: string, more: Partial<DecidedPost> = {}) => {
    const id = makeId();
    const incoming = { id, relayId, secretId: `${relayId}-s`, receivedAt: now, tid: 'T', submit: [] };
    const posts = [{ channel: 'C0GATE', rule: 'rule', ...more }];
    const [result] = await createScanCommit(store).commit([{ ...incoming, answers: [], properties: [] }], () => ({
      ...{ valid: true, text: '', posts },
    }));
    expect(result?.kind).toBe('stored');
    return id;
  };
  const states = async (relayId: string) =>
    (
      await store.db
        .selectFrom('outbox')
        .select(['kind', 'state', 'last_code'])
        .where('source_id', '=', relayId)
        .orderBy('seq')
        .execute()
    ).map(({ kind, state, last_code }) => [kind, state, last_code]);

  it('an uninstalled app’s relays accept scans, whose posts are dead letters until the relay is resumed', async () => {
    const collect = { until: now + 60_000, detail: '{}' };
    await scan('r');
    await scan('r', { channel: 'C0DIGEST', collect });
    await scan('other');
    await store.eraseInstallation(owner.installation);
    const aside = ['dead', 'relay.uninstalled'];
    expect(await states('r')).toEqual([
      ['scan', ...aside],
      ['scan', 'digested', null],
    ]);
    await scan('r');
    await createRuleTimers(store).closeDigests(now + 60_000);
    for (const [id, whose] of [
      ['r', owner],
      ['other', stranger],
    ] as const) {
      await store.db.transaction().execute((trx) =>
        enqueueOnce(trx, {
          ...{ key: `silence.${id}`, queue: { ...whose, channel: 'C0GATE' }, source: { kind: 'relay', id } },
          ...{ kind: 'silence', at: now + 60_000 },
        }),
      );
    }
    expect(await withdrawUninstalledPosts(store, now + 60_000)).toBe(1);
    expect(await withdrawUninstalledPosts(store, now + 60_000)).toBe(0);
    expect(await states('r')).toEqual([
      ['scan', ...aside],
      ['scan', 'digested', null],
      ['scan', ...aside],
      ['digest', ...aside],
      ['silence', ...aside],
    ]);
    expect(await states('other')).toEqual([
      ['scan', 'pending', null],
      ['silence', 'pending', null],
    ]);
    const relays = createRelayStore(store.db);
    await relays.resume(owner, 'r', now + 120_000);
    await scan('r');
    expect(await withdrawUninstalledPosts(store, now + 120_000)).toBe(0);
    expect((await states('r')).at(-1)).toEqual(['scan', 'pending', null]);
    expect(await relays.replay(owner, 'r', now + 120_000)).toBe(4);
  });
});
