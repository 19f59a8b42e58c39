import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createPageAccess } from '../../../src/pages/index.js';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, relaysOf, stranger } from '../../helpers/relay.js';
import { codeRejected } from '../../helpers/thrown.js';

onEachDatabase('concurrent changes of a relay', (databases) => {
  let stores: [Store, Store];
  beforeAll(async () => {
    const url = await databases.fresh();
    const store = await openTestStore(url);
    // A SQLite file is one process's: there, two people change it through one store.
    stores = [store, databases.kind === 'sqlite' ? store : await openTestStore(url)];
  });
  afterAll(() => Promise.all([...new Set(stores)].map((store) => store.close())));
  const both = () => stores.map((store) => relaysOf(store));

  const rule = (n: number) =>
    relaySettingsSchema.parse({ rules: [{ id: `rule-${n}`, when: { kind: 'every' }, channel: `C${n}` }] }).rules[0]!;

  it('concurrent changes of different settings of one relay are all saved', async () => {
    const relays = both();
    const { relay } = await relays[0]!.create(gate);
    await Promise.all([
      ...Array.from({ length: 12 }, (_, n) =>
        relays[n % 2]!.update(owner, relay.id, ({ settings }) => ({
          settings: { ...settings, rules: [...settings.rules, rule(n)] },
        })),
      ),
      relays[0]!.update(owner, relay.id, ({ settings }) => ({ settings: { ...settings, lateMinutes: 77 } })),
      relays[1]!.update(owner, relay.id, ({ serviceIds }) => ({ serviceIds: [...serviceIds, '101'] })),
      relays[0]!.update(owner, relay.id, ({ serviceIds }) => ({ serviceIds: [...serviceIds, '102'] })),
      relays[1]!.pause(owner, relay.id),
    ]);
    const kept = (await relays[1]!.get(owner, relay.id))!.relay;
    expect(kept.settings.rules.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 12 }, (_, n) => `rule-${n}`).sort(),
    );
    expect(kept.settings.lateMinutes).toBe(77);
    expect([...kept.serviceIds].sort()).toEqual(['101', '102']);
    expect(kept.paused?.why).toBe('person');
  });

  it('a change of a relay is applied to the relay as another process stored it, not to a cached state', async () => {
    const [one, other] = both();
    const { relay } = await one!.create(gate);
    await other!.update(owner, relay.id, () => ({ serviceName: 'Back gate' }));
    const kept = await one!.update(owner, relay.id, ({ serviceName }) => ({ channel: `C-${serviceName}` }));
    expect(kept).toEqual((await other!.get(owner, relay.id))!.relay);
    expect(kept.channel).toBe('C-Back gate');
  });

  it('a refused change of a relay writes nothing, and a change by another workspace is refused', async () => {
    const [one, other] = both();
    const { relay } = await one!.create(gate);
    const refused = one!.update(owner, relay.id, () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect((await other!.get(owner, relay.id))!.relay).toEqual(relay);
    expect(await codeRejected(other!.update(stranger, relay.id, () => ({ channel: 'C1' })))).toBe(
      'relay.no_such_relay',
    );
  });

  it('people who create page URLs of a relay at the same moment each get a working URL', async () => {
    const { relay } = await both()[0]!.create(gate);
    const access = stores.map((store) => createPageAccess({ store, clock: systemClock, random: systemRandom }));
    const made = await Promise.all(Array.from({ length: 8 }, (_, n) => access[n % 2]!.make(owner, relay.id)));
    const entered = await Promise.all(
      made.map(({ history }) => access[0]!.enter(relay.id, history.split('/').at(-2)!)),
    );
    expect(entered).toEqual(made.map(() => ({ owner, kind: 'history' })));
    expect(await access[1]!.end(owner, relay.id)).toBe(8);
    expect(await access[0]!.madeAt(owner, relay.id)).toEqual([]);
  });
});
