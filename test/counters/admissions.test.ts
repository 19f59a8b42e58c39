/** Admissions stay counted as long as a scan that may still come counts them, whatever becomes of their scans. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdmissionPurge } from '../../src/counters/admissions.js';
import { createScanErasure } from '../../src/relay/retention/erase.js';
import { createPrune } from '../../src/relay/retention/retention.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort, longIt } from '../helpers/effort.js';
import { owner } from '../helpers/relay.js';
import {
  createAdmissionModel,
  hour,
  lateHours,
  minute,
  type ScheduledScan,
  schedule,
  settingsWith,
  valueLimits,
} from '../relay/validation/admission-model.js';
import { createRelayAtGate, type RelayAtGate } from '../relay/validation/relay-at-gate.js';

const never = new AbortController().signal;
const day = 24 * hour;
const deed = fc.constantFrom('forget 00123', 'forget abc', 'forget ABC', 'prune', 'delete old', 'wait', 'none');

onEachDatabase('admissions', (databases) => {
  let url: string;
  let store: Store;

  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url);
  });
  afterAll(() => store.close());

  const admissionsOf = async ({ id }: RelayAtGate) =>
    (await store.db.selectFrom('admissions').selectAll().where('relay_id', '=', id).orderBy('at').execute()).map(
      ({ key, at }) => ({ key, at }),
    );
  const forget = ({ clock }: RelayAtGate, value: string) =>
    createScanErasure(store, clock).forget(owner, value, { keepCounts: true }, never);
  const deleteOld = ({ clock }: RelayAtGate) => createAdmissionPurge(store, clock, { lateHours })(never);
  const scan = (tid: string, after = 0, lag = 0): ScheduledScan => ({
    ...{ tid, userid: '7', after, lag },
    status: undefined,
  });
  const taking = async (relay: RelayAtGate, ...scans: ScheduledScan[]) => relay.take(scans, () => undefined);

  it('a late scan is a duplicate of a nearby admission whose scan was erased with its counts kept', async () => {
    for (const begins of [{}, { duplicates: { withinMinutes: 60 } }]) {
      const relay = await createRelayAtGate(store, settingsWith(begins));
      await taking(relay, scan('123'), scan('123', 5 * hour));
      await relay.change(settingsWith({ duplicates: { withinMinutes: 60 } }));
      await forget(relay, '123');
      const late = (minutes: number) => scan('123', 0, 5 * 60 + minutes);
      expect(await taking(relay, late(-59), late(59), late(60), scan('123', 59 * minute), scan('123', minute))).toEqual(
        ['duplicate', 'duplicate', 'valid', 'duplicate', 'valid'],
      );
    }
  });

  longIt(
    'admissions are counted as in a model that keeps all of them, though scans are forgotten and pruned',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          schedule,
          valueLimits,
          fc.array(fc.tuple(deed, schedule), { maxLength: 4 }),
          async (before, limits, parts) => {
            const relay = await createRelayAtGate(store, settingsWith({}));
            const model = createAdmissionModel(settingsWith({}));
            const take = async (batches: typeof before) => {
              for (const batch of batches) {
                const expected: string[] = [];
                expect(await relay.take(batch, (one) => expected.push(model.take(one)))).toEqual(expected);
              }
            };
            await take(before);
            model.settings = settingsWith(limits);
            await relay.change(model.settings);
            for (const [what, batches] of parts) {
              if (what === 'prune') {
                await createPrune(store, relay.clock)(relay.clock.now() - day, never);
              } else if (what === 'delete old') {
                await deleteOld(relay);
              } else if (what === 'wait') {
                relay.pass(20 * hour);
              } else if (what !== 'none') {
                await forget(relay, what.slice('forget '.length));
              }
              await take(batches);
            }
          },
        ),
        { numRuns: effort(databases.kind === 'sqlite' ? { short: 8, long: 25 } : { short: 3, long: 8 }) },
      );
    },
    180_000,
  );

  it('admissions are deleted once no late scan can count them, by each relay’s own time limit', async () => {
    const short = await createRelayAtGate(store, settingsWith({ duplicates: { withinMinutes: 1 } }));
    const long = await createRelayAtGate(store, settingsWith({ duplicates: { withinMinutes: 300 } }));
    for (const relay of [short, long]) {
      await taking(relay, ...Array.from({ length: 300 }, (_, n) => scan(n % 2 ? '123' : '00123', 2 * minute)));
    }
    const counts = async () => [(await admissionsOf(short)).length, (await admissionsOf(long)).length];
    expect(await counts()).toEqual([300, 4]);
    await deleteOld(short);
    expect(await counts()).toEqual([300, 4]);
    short.pass(20 * hour);
    await deleteOld(short);
    const latest = short.clock.now() - lateHours * hour - minute;
    const kept = await admissionsOf(short);
    expect(kept.every(({ at }) => at > latest - hour)).toBe(true);
    expect(kept.filter(({ at }) => at > latest)).toHaveLength(kept.length - 30);
    expect((await counts())[1]).toBe(4);
    short.pass(10 * day);
    await deleteOld(short);
    expect(await counts()).toEqual([0, 0]);
  });
});
