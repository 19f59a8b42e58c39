import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { type Count, type Counting, type Counts, type Subject, subjects } from '../../src/counters/counters.js';
import { createIds } from '../../src/database/ids.js';
import { createScanCommit, type Decide, type IncomingScan } from '../../src/relay/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort, longIt } from '../helpers/effort.js';
import { owner, relayRecord } from '../helpers/relay.js';

const makeId = createIds(systemClock, systemRandom);

interface Taken {
  readonly scan: IncomingScan;
  readonly valid: boolean;
}

type Counted = Count & { readonly admitted: number };

/** The counts of a scan's subject among all earlier scans, without any counter. */
function model(before: readonly Taken[], subject: Subject, scan: IncomingScan, minutes: number): Counted {
  const of = (each: IncomingScan) =>
    ({ value: each.tid, device: each.udid, user: each.userid, service: each.sid, relay: '' })[subject];
  const same = of(scan) === undefined ? [] : before.filter((taken) => of(taken.scan) === of(scan));
  const accepted = same.filter(({ valid }) => valid).map((taken) => taken.scan.receivedAt);
  return {
    seen: same.length,
    accepted: accepted.length,
    admitted: accepted.filter((at) => scan.receivedAt - at < minutes * 60_000).length,
    ...(same.length > 0
      ? { firstAt: same[0]?.scan.receivedAt as number, lastAt: same.at(-1)?.scan.receivedAt as number }
      : {}),
    ...(accepted.length > 0 ? { lastAcceptedAt: accepted.at(-1) as number } : {}),
  };
}

function counted(counts: Counts, subject: Subject, scan: IncomingScan, minutes: number): Counted {
  return { ...counts.ofSubject(subject), admitted: counts.admitted(subject, scan.receivedAt, minutes) };
}

onEachDatabase('counting', (databases) => {
  let store: Store;
  let made = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  const newRelay = async (counting: Counting = {}) => {
    made += 1;
    const id = `relay${made}`;
    await createRelayStore(store.db).add(relayRecord({ id, counting }), { id: `${id}-secret`, hash: 'f'.repeat(64) });
    return id;
  };
  let at = 1_777_000_000_000;
  const incoming = (relayId: string, fields: Partial<IncomingScan>): IncomingScan => {
    at += 10_000;
    const told = { answers: [], properties: [], submit: [] };
    return { id: makeId(), relayId, secretId: `${relayId}-secret`, receivedAt: at, tid: 'T', ...told, ...fields };
  };

  longIt(
    'a barcode’s counters equal the counts of its earlier scans, also of scans before counting began',
    async () => {
      const few = (...words: string[]) => fc.constantFrom<(string | undefined)[]>(...words, undefined);
      const scan = fc.record({
        tid: fc.constantFrom('00123', '123', 'abc', 'ABC', 'x'.repeat(300)),
        udid: few('d1', 'd2'),
        userid: few('7', '8'),
        sid: few('101'),
        valid: fc.boolean(),
      });
      const batches = fc.array(fc.array(scan, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
      const minutes = fc.integer({ min: 1, max: 3 });
      await fc.assert(
        fc.asyncProperty(batches, batches, batches, minutes, async (uncounted, unlimited, limited, within) => {
          const relayId = await newRelay();
          const taken: Taken[] = [];
          const seen: [Counted, Counted][] = [];
          const play = async (given: typeof unlimited, counting: Counting) => {
            await createRelayStore(store.db).change(owner, relayId, { counting }, at);
            for (const batch of given) {
              const scans = batch.map(({ valid, udid, userid, sid, ...rest }) => ({
                valid,
                scan: incoming(relayId, {
                  ...rest,
                  ...(udid && { udid }),
                  ...(userid && { userid }),
                  ...(sid && { sid }),
                }),
              }));
              const decide: Decide = (one, _, { counts }) => {
                const { valid } = scans.find((each) => each.scan.id === one.id)!;
                if (counting.value?.within) {
                  seen.push([counted(counts, 'value', one, within), model(taken, 'value', one, within)]);
                }
                taken.push({ scan: one, valid });
                return { valid, text: '', posts: [] };
              };
              await createScanCommit(store).commit(
                scans.map((each) => each.scan),
                decide,
              );
            }
          };
          await play(uncounted, {});
          await play(unlimited, { value: {} });
          await play(limited, { value: { within: [within] } });
          for (const [told, expected] of seen) {
            expect(told).toEqual(expected);
          }
        }),
        { numRuns: effort(databases.kind === 'sqlite' ? { short: 15, long: 60 } : { short: 6, long: 25 }) },
      );
    },
  );

  it('counters of barcodes, devices, users, services and relays equal the counts of earlier scans', async () => {
    const counting = Object.fromEntries(subjects.map((subject) => [subject, { within: [1] }])) as Counting;
    const relayId = await newRelay(counting);
    const taken: Taken[] = [];
    const seen: [Counted, Counted][] = [];
    const decide: Decide = (scan, _, { counts }) => {
      for (const subject of subjects) {
        seen.push([counted(counts, subject, scan, 1), model(taken, subject, scan, 1)]);
      }
      taken.push({ scan, valid: true });
      return { valid: true, text: '', posts: [] };
    };
    const scans = Array.from({ length: 40 }, (_, n) =>
      incoming(relayId, {
        tid: `v${n % 7}`,
        ...(n % 3 > 0 && { udid: `d${n % 3}` }),
        ...(n % 5 > 0 && { userid: `u${n % 5}` }),
        ...(n % 2 > 0 && { sid: '101' }),
      }),
    );
    for (let from = 0; from < scans.length; from += 9) {
      await createScanCommit(store).commit(scans.slice(from, from + 9), decide);
    }
    expect(seen).toHaveLength(200);
    for (const [told, expected] of seen) {
      expect(told).toEqual(expected);
    }
  });

  it('counters return zero for a count that the relay does not keep', async () => {
    const relayId = await newRelay();
    const told: Count[] = [];
    const decide: Decide = (_, __, { counts }) => {
      told.push(...subjects.map((subject) => counts.ofSubject(subject)));
      return { valid: true, text: '', posts: [] };
    };
    await createScanCommit(store).commit([incoming(relayId, {}), incoming(relayId, {})], decide);
    expect(told).toEqual(Array.from({ length: 10 }, () => ({ seen: 0, accepted: 0 })));
  });

  it('counters treat two spellings as one barcode where the relay treats the spellings as equal', async () => {
    const relayId = await newRelay({ value: {} });
    const told: number[] = [];
    const decide: Decide = (_, __, { counts }) => {
      told.push(counts.ofSubject('value').accepted);
      return { valid: true, text: '', posts: [] };
    };
    const abc = (tid: string) => incoming(relayId, { tid, sameAs: 'abc' });
    await createScanCommit(store).commit([abc('abc'), abc('ABC')], decide);
    await createScanCommit(store).commit([abc('aBc'), incoming(relayId, { tid: 'ABC' })], decide);
    // The last scan counts by its own spelling alone, which only the second scan had.
    expect(told).toEqual([0, 1, 2, 1]);
  });

  it('counters find stored scans of other spellings that count as the same barcode', async () => {
    const relayId = await newRelay();
    const relays = createRelayStore(store.db);
    const told: Counted[] = [];
    const take = (tid: string, valid: boolean, sameAs?: string) => {
      const scan = incoming(relayId, { tid, ...(sameAs === undefined ? {} : { sameAs }) });
      const decide: Decide = (one, __, { counts }) => {
        told.push(counted(counts, 'value', one, 60));
        return { valid, text: '', posts: [] };
      };
      return createScanCommit(store).commit([scan], decide);
    };
    await take('TICKET-A', true);
    await take('ticket-a', true);
    const accepted = at;
    await take('TICKET-A', false);
    await relays.change(owner, relayId, { counting: { value: { within: [60] } } }, at);
    told.length = 0;
    await take('Ticket-A', false, 'ticket-a');
    await take('ticket-a', true, 'ticket-a');
    await take('TICKET-A', true, 'ticket-a');
    await take('TICKET-A', true);
    await take('ticket-a', true);
    expect(told[0]).toMatchObject({ seen: 3, accepted: 2, lastAcceptedAt: accepted, admitted: 2 });
    expect(told[1]).toMatchObject({ seen: 4, accepted: 2, admitted: 2 });
    expect(told[2]).toMatchObject({ seen: 5, accepted: 3, admitted: 3 });
    // Counted letter by letter again, each spelling has the count of its own scans.
    expect(told[3]).toMatchObject({ seen: 3, accepted: 2, admitted: 2 });
    expect(told[4]).toMatchObject({ seen: 2, accepted: 2, admitted: 2 });
  });

  it('a spelling keeps its count though some of its scans were counted for another spelling', async () => {
    const relayId = await newRelay({ value: {} });
    const told: number[] = [];
    const take = (valid: boolean, tid: string, sameAs?: string) => {
      const scan = incoming(relayId, { tid, ...(sameAs === undefined ? {} : { sameAs }) });
      const decide: Decide = (_, __, { counts }) => {
        told.push(counts.ofSubject('value').accepted);
        return { valid, text: '', posts: [] };
      };
      return createScanCommit(store).commit([scan], decide);
    };
    await take(false, 'abc');
    await take(true, 'ABC', 'abc');
    await take(true, 'ABC');
    await take(true, 'ABC', 'abc');
    await take(true, '123', '123');
    await take(true, '123');
    await take(true, 'abc', 'abc');
    expect(told).toEqual([0, 0, 1, 2, 0, 1, 2]);
  });

  it('counters leave out scans that are marked as uncounted', async () => {
    const relayId = await newRelay({ value: {} });
    const told: number[] = [];
    const decide: Decide = (_, __, { counts }) => {
      told.push(counts.ofSubject('value').seen);
      return { valid: true, text: '', posts: [], uncounted: true };
    };
    await createScanCommit(store).commit([incoming(relayId, {}), incoming(relayId, {})], decide);
    expect(told).toEqual([0, 0]);
  });

  it('a relay keeps counters of its earlier settings, with the times that its latest settings need', async () => {
    const relayId = await newRelay({ value: { within: [3] } });
    const relays = createRelayStore(store.db);
    await relays.change(owner, relayId, { counting: { device: {} } }, at);
    expect((await relays.get(owner, relayId))?.relay.counting).toEqual({ value: {}, device: {} });
    const changed = async (within: number[], now: number) => {
      await relays.change(owner, relayId, { counting: { value: { within } } }, now);
      return (await relays.get(owner, relayId))?.relay.counting;
    };
    expect(await changed([9], at)).toEqual({ value: { within: [9], since: at }, device: {} });
    expect(await changed([2, 9], at + 1)).toEqual({ value: { within: [2, 9], since: at }, device: {} });
    expect(await changed([2], at + 2)).toEqual({ value: { within: [2], since: at }, device: {} });
    expect(await changed([3], at + 3)).toEqual({ value: { within: [3], since: at + 3 }, device: {} });
  });
});
