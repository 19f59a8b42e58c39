/** Limits within a time count admissions by the moment that counts, in whatever order their scans come. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, postScan, relaysOf, scanForm, startIntake, type TestIntake } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import {
  anyLimits,
  createAdmissionModel,
  holdsMoreThan,
  lateHours,
  schedule,
  settingsWith,
  valueLimits,
} from './admission-model.js';
import { createRelayAtGate } from './relay-at-gate.js';

onEachDatabase('limits within a time', (databases) => {
  let store: Store;
  let intake: TestIntake;
  let now = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store, { clock: { ...systemClock, now: () => now }, lateHours });
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  const newRelay = async (settings: object) => {
    const { path } = await relaysOf(store).create({ ...gate, settings: relaySettingsSchema.parse(settings) });
    return async (tid: string, cameAt: string, madeAt = cameAt) => {
      now = Date.parse(`${cameAt.length > 8 ? cameAt : `2026-03-02T${cameAt}`}Z`);
      const made = madeAt.length > 8 ? madeAt.replace('T', ' ') : `2026-03-02 ${madeAt}`;
      const { body } = await postScan(`${intake.url}${path}`, scanForm({ tid, scanned_at_utc: made }));
      return /<text>([^<]*)</.exec(body)?.[1];
    };
  };

  it('a limit of 1 for each barcode counts a late scan at its own time, beside later admissions', async () => {
    const scan = await newRelay({ atMost: { n: 1, of: 'value', withinMinutes: 60 } });
    expect(await scan('T', '12:00:00')).toBe('Received');
    expect(await scan('T', '12:05:00', '08:00:00')).toBe('Received');
    expect(await scan('T', '12:06:00')).toBe('Limit reached');
    expect(await scan('T', '12:07:00', '08:59:59')).toBe('Limit reached');
    expect(await scan('T', '12:08:00', '09:00:00')).toBe('Received');
    expect(await scan('T', '13:00:00')).toBe('Received');
  });

  it('a limit of 2 for the relay admits no third timely scan, even if late scans arrive in between', async () => {
    const scan = await newRelay({ atMost: { n: 2, of: 'relay', withinMinutes: 60 } });
    const came = [
      await scan('A', '12:00:00'),
      await scan('B', '12:01:00'),
      await scan('C', '12:02:00'),
      await scan('D', '12:05:00', '08:00:00'),
      await scan('E', '12:05:10', '08:00:10'),
      await scan('F', '12:06:00'),
      await scan('G', '12:07:00'),
      await scan('H', '12:08:00', '08:30:00'),
    ];
    expect(came.map((text) => text === 'Received')).toEqual([true, true, false, true, true, false, false, false]);
  });

  it('a late scan is a duplicate of an admission near its own time, though later admissions exist', async () => {
    const scan = await newRelay({ duplicates: { withinMinutes: 60 } });
    expect(await scan('T', '08:10:00')).toBe('Received');
    expect(await scan('T', '12:00:00')).toBe('Received');
    for (const made of ['08:05:00', '08:06:00', '08:07:00', '12:59:59']) {
      expect(await scan('T', '13:20:00', made)).toBe('Already scanned');
    }
    expect(await scan('T', '13:21:00', '09:10:00')).toBe('Received');
  });

  it('a scan over a day late is never admitted by a limit within a time, but by a limit for ever', async () => {
    const dayLate = ['2026-03-03T12:00:00', '2026-03-02T12:00:00'] as const;
    const later = ['2026-03-03T12:00:03', '2026-03-02T12:00:01'] as const;
    const within = await newRelay({ duplicates: { withinMinutes: 60 } });
    expect(await within('T', ...dayLate)).toBe('Received');
    expect(await within('U', ...later)).toBe('Late, can’t be counted');
    const both = await newRelay({ duplicates: { withinMinutes: 60 }, atMost: { n: 1, of: 'value' } });
    expect(await both('T', ...dayLate)).toBe('Received');
    expect(await both('T', ...later)).toBe('Limit reached');
    const ever = await newRelay({ duplicates: {} });
    expect(await ever('T', ...later)).toBe('Received');
    expect(await ever('T', '2026-03-03T12:00:03', '2026-03-02T12:00:02')).toBe('Already scanned');
  });

  wideIt(
    'a relay and its preview give each scan the result of a model that keeps every admission',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyLimits, schedule, async (limits, batches) => {
          const settings = settingsWith(limits);
          const relay = await createRelayAtGate(store, settings);
          const model = createAdmissionModel(settings);
          const [found, expected]: (string | undefined)[][] = [[], []];
          for (const batch of batches) {
            found!.push(...(await relay.take(batch, (scan) => expected!.push(model.take(scan)))));
          }
          expect(found).toEqual(expected);
          expect(await relay.preview(settings)).toEqual(expected);
          const { atMost } = settings;
          const judged = batches.flat().every(({ status }) => status === undefined || status === '-1');
          if (judged && atMost?.of === 'relay' && atMost.withinMinutes !== undefined) {
            const moments = model.admitted.map(({ at }) => at);
            expect(holdsMoreThan(atMost.n, atMost.withinMinutes, moments)).toBe(false);
          }
        }),
        { numRuns: databases.kind === 'sqlite' ? 40 : 15 },
      );
    },
    180_000,
  );

  wideIt(
    'a limit for each barcode that is set or lengthened later counts earlier admissions',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(valueLimits, schedule), { minLength: 2, maxLength: 3 }), async (parts) => {
          const relay = await createRelayAtGate(store, settingsWith({}));
          const model = createAdmissionModel(settingsWith({}));
          for (const [limits, batches] of parts) {
            const settings = settingsWith(limits);
            await relay.change(settings);
            model.settings = settings;
            for (const batch of batches) {
              const expected: string[] = [];
              expect(await relay.take(batch, (scan) => expected.push(model.take(scan)))).toEqual(expected);
            }
          }
        }),
        { numRuns: databases.kind === 'sqlite' ? 20 : 8 },
      );
    },
    180_000,
  );
});
