import { describe, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import { toValidator } from '../../../src/relay/relays/validator.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, relayRecord, relaysOf, stranger } from '../../helpers/relay.js';

const settings = (more: object) =>
  relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: ['1021'] }, ...more });

describe('what a lookup knows of a relay', () => {
  it.each([
    ['admits a valid barcode any number of times', {}, undefined],
    ['refuses duplicates for ever', { duplicates: {} }, {}],
    ['refuses duplicates for a while', { duplicates: { withinMinutes: 30 } }, { withinMinutes: 30 }],
    ['admits each barcode once', { atMost: { n: 1, of: 'value' } }, {}],
    ['admits each barcode once a day', { atMost: { n: 1, of: 'value', withinMinutes: 1440 } }, { withinMinutes: 1440 }],
    ['admits each barcode twice', { atMost: { n: 2, of: 'value' } }, undefined],
    [
      'refuses duplicates and has a limit, for the longer of the two times',
      { duplicates: { withinMinutes: 30 }, atMost: { n: 1, of: 'value', withinMinutes: 60 } },
      { withinMinutes: 60 },
    ],
    [
      'refuses duplicates for a while and admits each barcode once for ever',
      { duplicates: { withinMinutes: 30 }, atMost: { n: 1, of: 'value' } },
      {},
    ],
  ])('a lookup knows how long an admission excludes a second admission at a relay that %s', (_, more, once) => {
    const found = toValidator(relayRecord({ settings: JSON.stringify(settings(more)) }), false);
    expect(found).toMatchObject({ id: 'relay1', name: 'Main gate', databaseIds: ['1021'] });
    expect(found?.once).toEqual(once);
  });

  it('a lookup ignores a relay that accepts every scan', () => {
    expect(toValidator(relayRecord(), false)).toBeUndefined();
  });
});

onEachDatabase('the relays that a lookup hears of', (databases) => {
  it('a lookup considers the owner’s validating relays, and removed relays as relays that admit nobody', async () => {
    const store = await openTestStore(await databases.fresh());
    try {
      const relays = relaysOf(store);
      await relays.create(gate);
      const { relay: standing } = await relays.create({ ...gate, settings: settings({ duplicates: {} }) });
      const { relay: removed } = await relays.create({ ...gate, settings: settings({ duplicates: {} }) });
      const list = relaySettingsSchema.parse({ judging: { kind: 'list', values: ['A'] } });
      const { relay: listing } = await relays.create({ ...gate, settings: list });
      await relays.create({ ...gate, owner: stranger, settings: settings({}) });
      await relays.remove(owner, removed.id);
      const found = new Map((await relays.validators(owner)).map((each) => [each.id, each]));
      expect([...found.keys()].sort()).toEqual([standing.id, removed.id, listing.id].sort());
      expect(found.get(standing.id)).toMatchObject({ databaseIds: ['1021'], once: {} });
      expect(found.get(removed.id)).not.toHaveProperty('once');
      expect(found.get(listing.id)).toMatchObject({ databaseIds: [] });
    } finally {
      await store.close();
    }
  });
});
