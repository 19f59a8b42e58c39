import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { leastId } from '../../../src/database/ids.js';
import { type CountedResult, createCountScans } from '../../../src/lookup/scans/counts.js';
import type { Owner } from '../../../src/ownership.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createScans } from '../../../src/scans/index.js';
import { scanKey } from '../../../src/scans/key.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';
import { storeReceived } from '../../helpers/scans.js';

const hourMs = 60 * 60_000;
const start = Date.UTC(2026, 2, 1, 23);
const now = start + 5 * hourMs + 12 * 60_000;
const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** A small generator: the same scans in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

interface Received {
  readonly relay: string;
  readonly owner: Owner;
  readonly at: number;
  readonly value: string;
  readonly finding: string | null;
  readonly valid: boolean;
  readonly given: string | null;
  readonly scanId: string | null;
  readonly service: string | null;
}

interface Mirrored {
  readonly mirror: number;
  readonly id: string;
  readonly at: number;
  readonly value: string;
  readonly status: 'valid' | 'invalid' | 'not_validated' | 'other';
  readonly service: string;
}

onEachDatabase('scans counted by hour and result', (databases) => {
  let store: Store;
  const received: Received[] = [];
  const mirrored: Mirrored[] = [];
  let time = now;
  const clock: Clock = { now: () => time, sleep: () => Promise.resolve() };
  const mirrors = new Map([
    [owner.team, 1],
    [stranger.team, 2],
  ]);

  const counter = () =>
    createCountScans({
      ...{ clock, scans: createScans(store.db) },
      relays: {
        validators: async () => [{ id: 'judge', name: 'Judge', databaseIds: [], serviceIds: [], relay: true } as never],
      },
      mirror: {
        scansCopy: async ({ team }) => ({
          ...{ connection: mirrors.get(team)!, round: 1, at: now, fullAt: now, since: 0, days: 90 },
        }),
      },
    });

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    const relays = createRelayStore(store.db);
    for (const [id, whose] of [
      ['plain', owner],
      ['judge', owner],
      ['other', stranger],
    ] as const) {
      await relays.add({ ...relayRecord({ id }), owner: whose }, { id: `s-${id}`, hash: id.padEnd(64, '0') });
    }
    const random = numbers(7);
    const pick = <T>(...items: readonly T[]): T => items[random(items.length)]!;
    for (let n = 0; n < 700; n += 1) {
      // Around both ends too; in whole seconds, as the account says them.
      const at = start - hourMs + random(6.2 * 3_600) * 1_000;
      const value = pick('HLF-1', 'hlf-1', '00123', `V-${random(40)}`, 'é'.repeat(210), 'x'.repeat(230));
      const whose = pick(owner, owner, stranger);
      const scan = { at, value, service: pick('10', '11') };
      if (random(3) > 0) {
        const finding = pick('valid', 'valid', 'invalid', 'duplicate', 'unknown_accepted', 'unknown_rejected', null);
        received.push({
          ...scan,
          relay: whose === stranger ? 'other' : pick('plain', 'judge'),
          owner: whose,
          finding,
          valid: finding === null ? pick(true, false) : finding === 'valid' || finding === 'unknown_accepted',
          given: pick('1', '0', '-1', null),
          scanId: pick(`${n}`, null),
          service: pick(scan.service, scan.service, null),
        });
      }
      if (random(3) > 0) {
        mirrored.push({
          ...scan,
          mirror: mirrors.get(whose.team)!,
          id: `${n}`,
          status: pick('valid', 'valid', 'invalid', 'not_validated', 'other'),
        });
      }
    }
    await storeReceived(
      store,
      received.map((scan, n) => ({
        ...{ id: leastId(scan.at + (n % 9)).slice(0, 10) + String(n).padStart(16, '0'), relay_id: scan.relay },
        ...{ ...scan.owner, received_at: scan.at + (n % 9), tid: scan.value, sid: scan.service },
        ...{ scanid: scan.scanId, given_status: scan.given, scanned_at_utc: utc(scan.at) },
        ...{ valid: scan.valid ? 1 : 0, finding: scan.finding, late: 0 },
      })),
    );
    await store.db
      .insertInto('account_scans')
      .values(
        mirrored.map(({ mirror, id, at, value, status, service }) => ({
          ...{ connection: mirror, scan_id: id, key: scanKey(value), at, scanned_at: at, service, user_id: '' },
          ...{ modified_at: at, round: 1 },
          record: JSON.stringify({
            ...{ id, value, status, result: '', service: { id: service, name: 'Gate' }, timestamp: utc(at) },
            ...{ device: { id: '', name: '' }, user: { id: '', name: '' }, answers: [], properties: [] },
          }),
        })),
      )
      .execute();
  });
  afterAll(() => store.close());

  const hourOf = (at: number) => Math.floor((at - start) / hourMs);

  /** As a person would count: each received scan, by the account's record where it has one, and the account's others. */
  function naive(whose: Owner): Record<CountedResult, number>[] {
    const hours = Array.from({ length: 6 }, () => ({ valid: 0, used: 0, invalid: 0, unchecked: 0 }));
    const count = (at: number, result: CountedResult) => {
      const hour = hours[hourOf(at)];
      if (hour) hour[result] += 1;
    };
    const counted = ({ status }: Mirrored) => (status === 'valid' || status === 'invalid' ? status : 'unchecked');
    const alone = new Set(mirrored.filter(({ mirror }) => mirror === mirrors.get(whose.team)));
    for (const scan of received.filter(({ owner: of }) => of === whose)) {
      const { at, finding, valid, given, relay } = scan;
      const same = [...alone].find(({ id, value, service, at: made }) =>
        scan.scanId === null ? value === scan.value && service === scan.service && made === at : id === scan.scanId,
      );
      if (same) alone.delete(same);
      const isUnchecked = finding === 'unknown_accepted' || (given === '-1' && relay !== 'judge');
      const answered = valid ? (isUnchecked ? 'unchecked' : 'valid') : 'invalid';
      const decided = relay === 'judge' && given !== '1' && given !== '0';
      const isRelays = !same || (decided && (same.status === 'not_validated' || finding === 'unknown_accepted'));
      count(at, finding === 'duplicate' ? 'used' : isRelays ? answered : counted(same));
    }
    for (const scan of alone) {
      count(scan.at, counted(scan));
    }
    return hours;
  }

  it.each([
    ['one workspace', owner],
    ['another workspace', stranger],
  ])('scans by hour and result equal a plain count of all scans, for %s', async (_, whose) => {
    const { hours } = await counter()(whose, start);
    expect(hours.map(({ from }) => from)).toEqual([0, 1, 2, 3, 4, 5].map((n) => start + n * hourMs));
    expect(hours.map(({ results }) => results)).toEqual(naive(whose));
  });

  it('scans by hour and result are counted once a minute, however often they are requested', async () => {
    let asked = 0;
    const { walk } = createScans(store.db);
    const count = createCountScans({
      clock,
      scans: {
        walk(...given) {
          asked += 1;
          return walk(...given);
        },
      },
    });
    await Promise.all([count(owner, start), count(owner, start)]);
    await count(owner, start);
    expect(asked).toBe(1);
    time = now + 61_000;
    await count(owner, start);
    expect(asked).toBe(2);
    time = now;
  });

  it('scans by hour and result of a newly connected account include no scans of the former account', async () => {
    let copy: number | undefined = mirrors.get(owner.team);
    const count = createCountScans({
      ...{ clock, scans: createScans(store.db) },
      mirror: {
        scansCopy: async () =>
          copy === undefined ? undefined : { connection: copy, round: 1, at: now, fullAt: now, since: 0, days: 90 },
      },
    });
    const total = async () =>
      (await count(owner, start)).hours.flatMap(({ results }) => Object.values(results)).reduce((a, b) => a + b);
    const before = await total();
    copy = undefined;
    const withoutCopy = await total();
    copy = 77;
    expect(withoutCopy).toBeLessThan(before);
    expect(await total()).toBe(withoutCopy);
  });

  it('scans by hour state the time of the copy, or no time where only relays’ scans were counted', async () => {
    expect(await counter()(owner, start)).toMatchObject({ askedAt: now, copy: { at: now, since: 0 } });
    const relaysOnly = await createCountScans({ clock, scans: createScans(store.db) })(owner, start);
    expect(relaysOnly).toMatchObject({ askedAt: now });
    expect(relaysOnly.copy).toBeUndefined();
  });

  it('a workspace without a relay and without a copy counts 0 scans in each hour', async () => {
    const scans = createScans(store.db);
    const { hours } = await createCountScans({ clock, scans })({ installation: 'T0EMPTY', team: 'T0EMPTY' }, start);
    expect(hours).toHaveLength(6);
    expect(hours.every(({ results }) => Object.values(results).every((count) => count === 0))).toBe(true);
  });
});
