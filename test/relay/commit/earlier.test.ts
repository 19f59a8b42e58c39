/** The summary of earlier scans that is stored with a scan that is not valid. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import { createPrune } from '../../../src/relay/retention/retention.js';
import { createScanStore, type EarlierScans } from '../../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import {
  gate,
  owner,
  postScan,
  type RelayInput,
  relaysOf,
  scanForm,
  startIntake,
  stranger,
} from '../../helpers/relay.js';

const duplicates = relaySettingsSchema.parse({ duplicates: {} });
const never = new AbortController().signal;

onEachDatabase('a scan that is not valid', (databases) => {
  interface Stage {
    readonly store: Store;
    readonly relayId: string;
    scan(fields: Record<string, string>): Promise<void>;
    /** The summaries of the relay's scans, the oldest scan first. */
    earlier(): Promise<readonly (EarlierScans | undefined)[]>;
  }

  async function onStage(more: Partial<RelayInput>, work: (stage: Stage) => Promise<void>): Promise<void> {
    const store = await openTestStore(await databases.fresh());
    const intake = await startIntake(store);
    try {
      const { relay, path } = await relaysOf(store).create({ ...gate, ...more });
      await work({
        store,
        relayId: relay.id,
        scan: async (fields) => {
          expect(await postScan(intake.url + path, scanForm(fields))).toMatchObject({ status: 200 });
        },
        earlier: async () =>
          (await createScanStore(store.db).ofRelay(owner, relay.id, { limit: 1_000 })).scans
            .map(({ earlier }) => earlier)
            .reverse(),
      });
    } finally {
      await intake.close();
      await store.close();
    }
  }

  const first = {
    tid: 'T',
    status: '1',
    scanned_at_utc: '2026-05-01 09:41:00',
    udid: 'phone',
    userid: '7',
    sid: '101',
  };
  const accepted = { at: Date.UTC(2026, 4, 1, 9, 41), first: true, udid: 'phone', userid: '7', sid: '101' };

  it('a scan that the account finds not valid states when, where and by whom its barcode was admitted', async () => {
    await onStage({}, async ({ scan, earlier }) => {
      await scan(first);
      await scan({ tid: 'T', status: '0', udid: 'other' });
      await scan({ tid: 'U', status: '0' });
      await scan({ tid: 'T', status: '0' });
      expect(await earlier()).toEqual([
        undefined,
        { scans: 1, accepted },
        { scans: 0, never: true },
        { scans: 2, accepted },
      ]);
    });
  });

  it('a duplicate states the earlier scans of its barcode where the relay finds duplicates itself', async () => {
    const { status: _, ...unjudged } = first;
    await onStage({ settings: duplicates }, async ({ scan, earlier }) => {
      await scan(unjudged);
      await scan({ tid: 'T' });
      await scan({ tid: 'T', udid: 'other' });
      expect(await earlier()).toEqual([undefined, { scans: 1, accepted }, { scans: 2, accepted }]);
    });
  });

  it('a scan that is not valid states that its barcode was never admitted', async () => {
    await onStage({}, async ({ scan, earlier }) => {
      await scan({ tid: 'T', status: '0' });
      await scan({ tid: 'T', status: '0' });
      expect((await earlier())[1]).toEqual({ scans: 1, never: true });
    });
  });

  it('a scan that is not valid counts as one earlier scan, though its device repeats and completes it', async () => {
    await onStage({}, async ({ scan, earlier }) => {
      await scan(first);
      const again = scanForm({ tid: 'T', status: '0', scanid: '77' });
      await scan(again);
      await scan(again);
      await scan({ ...again, 'answers[5]': 'Yes' });
      await scan({ tid: 'T', status: '0' });
      expect(await earlier()).toEqual([undefined, { scans: 1, accepted }, { scans: 2, accepted }]);
    });
  });

  it('a duplicate states earlier scans in every spelling of the barcode that its relay treats as equal', async () => {
    const settings = relaySettingsSchema.parse({
      judging: { kind: 'list', values: ['abc'], exact: false },
      duplicates: {},
    });
    const { status: _, ...unjudged } = first;
    await onStage({ settings }, async ({ scan, earlier }) => {
      await scan({ ...unjudged, tid: 'abc' });
      await scan({ tid: 'ABC' });
      expect((await earlier())[1]).toEqual({ scans: 1, accepted });
    });
  });

  it('a scan that is not valid ignores scans of its barcode at other relays, in any workspace', async () => {
    await onStage({}, async ({ store, scan, earlier }) => {
      const intake = await startIntake(store);
      for (const of of [owner, stranger]) {
        const { path } = await relaysOf(store).create({ ...gate, owner: of });
        await postScan(intake.url + path, scanForm(first));
      }
      await intake.close();
      await scan({ tid: 'T', status: '0' });
      expect(await earlier()).toEqual([{ scans: 0, never: true }]);
    });
  });

  it.each([
    ['the relay validates', duplicates, {}],
    ['the account validates', undefined, { status: '0' }],
  ])('scans that two instances commit at once count once each as an earlier scan: %s', async (_, settings, judged) => {
    await onStage(settings ? { settings } : {}, async ({ store, relayId, scan, earlier }) => {
      await scan(settings ? { tid: 'T' } : { tid: 'T', status: '1' });
      const { path } = await relaysOf(store).addSecret(owner, relayId);
      const intakes = [await startIntake(store), await startIntake(store)];
      await Promise.all(
        Array.from({ length: 40 }, async (_each, n) => {
          const answer = await postScan(intakes[n % 2]!.url + path, scanForm({ tid: 'T', ...judged }));
          expect(answer.body).toContain('<status>0</status>');
        }),
      );
      await Promise.all(intakes.map((intake) => intake.close()));
      const told = (await earlier()).flatMap((each) => each ?? []);
      expect(told.map(({ scans }) => scans).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 40 }, (_each, n) => n + 1),
      );
      expect(new Set(told.map((each) => JSON.stringify(each.accepted))).size).toBe(1);
    });
  });

  describe('earlier scans after pruning', () => {
    const prune = async (store: Store) => {
      const dropped = await createPrune(store, systemClock)(Date.now() + 1_000, never);
      expect(dropped.scans).toBeGreaterThan(0);
    };
    const settled = async (store: Store) => {
      // A post that is yet to be sent keeps its scan.
      await store.db.deleteFrom('outbox').execute();
    };

    it('a duplicate’s number of earlier scans is exact after pruning where the relay counts barcodes', async () => {
      await onStage({ settings: duplicates }, async ({ store, scan, earlier }) => {
        await scan({ tid: 'T' });
        await scan({ tid: 'T' });
        await settled(store);
        await prune(store);
        await scan({ tid: 'T' });
        expect(await earlier()).toEqual([{ scans: 2, lastAcceptedAt: expect.any(Number) }]);
      });
    });

    it('the number of earlier scans is a minimum after pruning where the relay counts no barcodes', async () => {
      await onStage({}, async ({ store, scan, earlier }) => {
        await scan(first);
        await settled(store);
        await prune(store);
        await scan({ tid: 'T', status: '0' });
        await scan({ ...first, scanned_at_utc: '2026-05-02 09:41:00' });
        await scan({ tid: 'T', status: '0' });
        const kept = { ...accepted, at: Date.UTC(2026, 4, 2, 9, 41), first: false };
        expect(await earlier()).toEqual([
          { scans: 0, atLeast: true },
          undefined,
          { scans: 2, atLeast: true, accepted: kept },
        ]);
      });
    });
  });

  it('the summary of a scan that is not valid counts 100 earlier scans, and says that there may be more', async () => {
    await onStage({}, async ({ store, scan, earlier }) => {
      await scan(first);
      const row = await store.db.selectFrom('received_scans').selectAll().executeTakeFirstOrThrow();
      const many = Array.from({ length: 120 }, (_, n) => ({
        ...row,
        id: `${row.id}${String(n).padStart(3, '0')}`,
        valid: 0,
        repeat_key: null,
      }));
      await store.db.insertInto('received_scans').values(many).execute();
      await scan({ tid: 'T', status: '0' });
      const [latest] = (await earlier()).slice(-1);
      expect(latest).toEqual({ scans: 100, atLeast: true, accepted });
    });
  });
});
