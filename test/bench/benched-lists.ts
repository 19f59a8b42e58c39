/** The lists of the benchmark's workspace; every scan of the load is at the service where both count people in. */
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createPlaces, type Places, placeSettings } from '../../src/places/index.js';
import type { Store } from '../../src/workspaces/types.js';

export const benchedOwner = { installation: 'T0BENCH', team: 'T0BENCH' };

export function placesOf(store: Store): Places {
  return createPlaces({
    ...{ store, clock: systemClock, random: systemRandom, log: silentLog, instanceId: 'bench' },
    ...{ relays: { validators: async () => [] }, onPosts: () => undefined },
    ...{
      mirror: { view: async () => ({}), waitForWrites: async () => undefined } as never,
      open: async () => 'D0BENCH',
    },
  });
}

export async function addLists(store: Store): Promise<void> {
  const places = placesOf(store);
  const from = (id: string) => [{ kind: 'from', what: 'service', ids: [id] }];
  const settings = { in: from('1201'), out: from('1202'), refused: false, zone: 'UTC' };
  const alerts = { channel: 'C0BENCH', percents: [80, 95, 100], doubles: {} };
  // The day of Hall begins before the evening whose scans are counted.
  const hour = new Date(systemClock.now() - 6 * 60 * 60_000).getUTCHours();
  const hall = placeSettings.parse({ ...settings, hour, capacity: 1_000_000, alerts });
  const custody = { due: { by: 'time', minutes: 600 }, channel: 'C0BENCH' };
  await places.create(benchedOwner, { name: 'Hall', settings: hall }, 'U0BENCH');
  await places.create(
    benchedOwner,
    { name: 'Tools', settings: placeSettings.parse({ ...settings, custody }) },
    'U0BENCH',
  );
  const [list] = await places.lists(benchedOwner);
  await places.showBoard(list!.id, 'C0BENCH', 'U0BENCH');
}
