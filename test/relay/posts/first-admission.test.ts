/** The first admission that the post of a scan that is not valid names, and the scans that it counts, of all relays and the account. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import { createFirstAdmission } from '../../../src/relay/posts/first-admission.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import { createAccountScans, dated } from '../../../src/scans/account/account-scan-rows.js';
import { createScanStore, type EarlierScans } from '../../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';
import { storeReceived } from '../../helpers/scans.js';

const noon = Date.UTC(2026, 2, 1, 12);
const minute = 60_000;
const connection = 7;
const round = 3;
const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const checking = JSON.stringify(relaySettingsSchema.parse({ judging: { kind: 'list', values: ['T'], exact: true } }));
const relayOf = { relay: 'there', open: 'open', stranger: 'else' } as const;

interface Admitted {
  /** The other relay, a relay that accepts whatever comes, a relay of another workspace, or the account's record. */
  readonly by: 'relay' | 'open' | 'account' | 'stranger';
  readonly at: number;
  readonly value?: string;
  readonly valid?: boolean;
  /** The last pass that met the account's scan. */
  readonly round?: number;
}

onEachDatabase('the post of a scan that is not valid', (databases) => {
  let store: Store;
  let n = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    for (const [id, whose] of [
      ['here', owner],
      ['there', owner],
      ['open', owner],
      ['else', stranger],
    ] as const) {
      const settings = id === 'open' ? {} : { settings: checking };
      await createRelayStore(store.db).add(relayRecord({ id, owner: whose, ...settings }), { id: `${id}-s`, hash: id });
    }
  });
  afterAll(() => store.close());

  async function admission(
    earlier: EarlierScans | undefined,
    history: (tid: string) => readonly Admitted[],
  ): Promise<EarlierScans | undefined> {
    n += 1;
    const tid = `TICKET-${n}`;
    const common = { tid, sid: '102', userid: '9', udid: 'phone' };
    for (const [place, { by, at, value = tid, valid = true, round: met = round }] of history(tid).entries()) {
      const id = `${n}-${place}`;
      if (by === 'account') {
        const scan = dated(
          {
            ...{ id, value, status: valid ? ('valid' as const) : ('invalid' as const), result: '', timestamp: utc(at) },
            ...{ service: { id: '201', name: 'Gate C' }, user: { id: '5', name: 'ana' }, device: { id: '', name: '' } },
            ...{ answers: [], properties: [] },
          },
          at,
        );
        await store.db.transaction().execute((trx) => createAccountScans(store).put(trx, connection, met, [scan]));
      } else {
        const whose = { ...(by === 'stranger' ? stranger : owner), relay_id: relayOf[by] };
        const fields = { ...common, tid: value, id, received_at: at, scanned_at_utc: utc(at), valid: valid ? 1 : 0 };
        await storeReceived(store, [{ ...fields, ...whose }]);
      }
    }
    const refused = { ...common, ...owner, id: `${n}-refused`, relay_id: 'here', received_at: noon, valid: 0 };
    const kept = earlier === undefined ? {} : { earlier: JSON.stringify(earlier) };
    await storeReceived(store, [{ ...refused, finding: 'duplicate', ...kept }]);
    const mirror = { scansCopy: async () => ({ connection, round, at: noon, fullAt: noon, since: 0, days: 90 }) };
    const scan = await createScanStore(store.db).find(refused.id);
    return (await createFirstAdmission({ store, mirror })(scan!)).earlier;
  }

  it('two scans of a barcode within a second are not both the third', async () => {
    const [tid, common] = ['TWICE', { sid: '102', userid: '9', udid: 'phone', valid: 0, ...owner }];
    const account = [1, 2].map((minutes) => {
      const at = noon - minutes * minute;
      const of = { id: `twice-${minutes}`, value: tid, status: 'invalid' as const, result: '', timestamp: utc(at) };
      const by = { service: { id: '201', name: 'C' }, user: { id: '5', name: 'a' }, device: { id: '', name: '' } };
      return dated({ ...of, ...by, answers: [], properties: [] }, at);
    });
    await store.db.transaction().execute((trx) => createAccountScans(store).put(trx, connection, round, account));
    const mirror = { scansCopy: async () => ({ connection, round, at: noon, fullAt: noon, since: 0, days: 90 }) };
    const counted: (number | undefined)[] = [];
    for (const [n, earlier] of [{ scans: 0 }, { scans: 1 }].entries()) {
      const at = { received_at: noon + 300 + 500 * n, scanned_at_utc: utc(noon), earlier: JSON.stringify(earlier) };
      await storeReceived(store, [{ ...common, ...at, tid, id: `twice-${n}`, relay_id: 'here' }]);
    }
    for (const id of ['twice-0', 'twice-1']) {
      const scan = await createScanStore(store.db).find(id);
      counted.push((await createFirstAdmission({ store, mirror })(scan!)).earlier?.scans);
    }
    expect(counted).toEqual([2, 3]);
  });

  it('a scan’s number is the least it can be, while the account’s scans are not copied', async () => {
    const common = { tid: 'EARLY', sid: '102', userid: '9', udid: 'phone', valid: 0, ...owner, relay_id: 'here' };
    await storeReceived(store, [
      { ...common, id: 'early-0', received_at: noon, earlier: JSON.stringify({ scans: 0, never: true }) },
      { ...common, id: 'early-1', received_at: noon + minute, earlier: JSON.stringify({ scans: 1, never: true }) },
    ]);
    const earlierOf = async (id: string, copied: boolean) => {
      const copy = { connection, round, at: noon, fullAt: noon, since: 0, days: 90 };
      const mirror = { scansCopy: async () => (copied ? copy : undefined) };
      const scan = await createScanStore(store.db).find(id);
      return (await createFirstAdmission({ store, mirror })(scan!)).earlier;
    };
    expect(await earlierOf('early-1', false)).toEqual({ scans: 1, atLeast: true, never: true });
    expect(await earlierOf('early-1', true)).toEqual({ scans: 1, never: true });
    // A first scan has no number.
    expect(await earlierOf('early-0', false)).toEqual({ scans: 0, never: true });
  });

  const before = noon - 9 * minute;
  const byRelay = { at: before, first: false, sid: '102', userid: '9', udid: 'phone' };
  const byAccount = { at: before, first: false, sid: '201', userid: '5', udid: undefined };
  const here = { at: noon - minute, first: true, sid: '101' };

  it.each<[string, EarlierScans | undefined, readonly Admitted[], EarlierScans | undefined]>([
    ['names an admission by another relay', undefined, [{ by: 'relay', at: before }], { scans: 1, accepted: byRelay }],
    [
      'names an admission that only the account recorded, and no longer says “never”',
      { scans: 2, never: true },
      [{ by: 'account', at: before }],
      { scans: 2, accepted: byAccount },
    ],
    [
      'names the first of several admissions',
      undefined,
      [
        { by: 'relay', at: before },
        { by: 'account', at: noon - 2 * minute },
      ],
      { scans: 2, accepted: byRelay },
    ],
    [
      'names another relay’s admission that came before the admission at its own relay',
      { scans: 1, accepted: here },
      [{ by: 'relay', at: before }],
      { scans: 1, accepted: byRelay },
    ],
    [
      'names its own relay’s admission where that admission came first',
      { scans: 1, accepted: { ...here, at: before - minute } },
      [{ by: 'relay', at: before }],
      { scans: 1, accepted: { ...here, at: before - minute } },
    ],
    [
      'counts an earlier scan that is not valid, and takes it for no admission',
      undefined,
      [{ by: 'relay', at: before, valid: false }],
      { scans: 1 },
    ],
    [
      'counts a scan of a relay that checks nothing, and takes it for no admission',
      undefined,
      [{ by: 'open', at: before }],
      { scans: 1 },
    ],
    ['takes no later scan for an admission', undefined, [{ by: 'relay', at: noon + minute }], undefined],
    ['names no admission of another barcode', undefined, [{ by: 'relay', at: before, value: 'ticket-x' }], undefined],
    [
      'names no admission by a scan that was deleted in the account',
      undefined,
      [{ by: 'account', at: before, round: 2 }],
      undefined,
    ],
    ['names no admission in another workspace', undefined, [{ by: 'stranger', at: before }], undefined],
  ])('the post of a scan that is not valid %s', async (_, earlier, history, expected) => {
    expect(await admission(earlier, () => history)).toEqual(expected);
  });

  it('the post of a scan that is not valid names no admission of the barcode in another case', async () => {
    expect(
      await admission(undefined, (tid) => [{ by: 'relay', at: before, value: tid.toLowerCase() }]),
    ).toBeUndefined();
  });
});
