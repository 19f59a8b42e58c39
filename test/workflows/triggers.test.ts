import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createWorkflowTriggers, sealedTriggers } from '../../src/workflows/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, stranger } from '../helpers/relay.js';
import { type Receiver, startReceiver } from './receiver.js';

const oldKey = Buffer.alloc(32, 'o');
const newKey = Buffer.alloc(32, 'n');

onEachDatabase('triggers of workflows', ({ fresh }) => {
  let receiver: Receiver;
  const { signal } = new AbortController();
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());
  const triggersOf = (store: Store) => createWorkflowTriggers({ store, clock: systemClock, apiUrl: receiver.apiUrl });
  const rows = (store: Store) => store.db.selectFrom('keyv').selectAll().where('namespace', '=', 'workflow-triggers');

  it('a stored trigger is sealed for its workspace alone, and still works with a changed sealing key', async () => {
    const url = await fresh();
    const before = await openTestStore(url, { secretKeys: [oldKey] });
    const triggers = triggersOf(before);
    const id = triggers.idOf(receiver.url('canary'))!;
    await triggers.storeUrl(owner, receiver.url('canary'));
    await triggers.storeUrl(owner, 'https://example.com/triggers/T1/1/canary');
    const stored = await rows(before).execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect(await triggers.start(stranger, id, {}, signal)).toEqual({ outcome: 'refused', code: 'workflow.no_url' });
    await before.close();

    await (await openTestStore(url, { secretKeys: [newKey, oldKey], sealed: [sealedTriggers] })).close();
    const after = await openTestStore(url, { secretKeys: [newKey] });
    expect(await triggersOf(after).start(owner, id, { a: '1' }, signal)).toEqual({ outcome: 'delivered' });
    expect(receiver.received.at(-1)).toMatchObject({ name: 'canary', body: '{"a":"1"}' });

    await after.eraseInstallation(owner.installation);
    expect(await rows(after).execute()).toEqual([]);
    expect(await triggersOf(after).start(owner, id, {}, signal)).toMatchObject({ code: 'workflow.no_url' });
    await after.close();
  });

  it('a stored trigger that cannot be unsealed starts no workflow, as if its URL were not stored', async () => {
    const store = await openTestStore(await fresh());
    const triggers = triggersOf(store);
    await triggers.storeUrl(owner, receiver.url('canary'));
    const id = triggers.idOf(receiver.url('canary'))!;
    await store.db
      .updateTable('keyv')
      .set({ value: '{"value":{"sealed":"x.1.y"}}' })
      .where('namespace', '=', 'workflow-triggers')
      .execute();
    expect(await triggers.start(owner, id, {}, signal)).toEqual({ outcome: 'refused', code: 'workflow.no_url' });
    await store.close();
  });
});
