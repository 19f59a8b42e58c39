/** A relay whose scans are committed in given batches, at given times. */
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { createIds } from '../../../src/database/ids.js';
import { createScanCommit } from '../../../src/relay/commit/index.js';
import { createRelayStatus, createRelays, type RelaySettings } from '../../../src/relay/index.js';
import { createCompiledRelays, createDecide, createRulesPort } from '../../../src/relay/intake/decide.js';
import type { Store } from '../../../src/workspaces/types.js';
import { gate, owner } from '../../helpers/relay.js';
import { type ArrivedScan, lateHours, minute, type ScheduledScan } from './admission-model.js';

const begin = Date.UTC(2026, 4, 1, 12);

export type RelayAtGate = Awaited<ReturnType<typeof createRelayAtGate>>;

export async function createRelayAtGate(first: Store, settings: RelaySettings) {
  let store = first;
  let now = begin;
  const clock: Clock = { ...systemClock, now: () => now, sleep: async () => undefined };
  const makeId = createIds(clock, systemRandom);
  const compiledRelays = createCompiledRelays({ databaseLookup: undefined, names: undefined, lateHours });
  const decide = createDecide(compiledRelays);
  const relays = () => createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
  const { relay } = await relays().create({ ...gate, settings });
  const { id: secretId } = await store.db
    .selectFrom('relay_secrets')
    .select('id')
    .where('relay_id', '=', relay.id)
    .executeTakeFirstOrThrow();
  const current = async () => (await relays().get(owner, relay.id))!.relay;

  return {
    id: relay.id,
    clock,
    pass: (ms: number) => {
      now += ms;
    },
    reopen: (reopened: Store) => {
      store = reopened;
    },
    change: (changed: RelaySettings) => relays().change(owner, relay.id, { settings: changed }),
    /** Result codes, in the order of the batch. */
    async take(batch: readonly ScheduledScan[], taken: (scan: ArrivedScan) => void): Promise<(string | undefined)[]> {
      const compiled = compiledRelays.compile(relay.id, JSON.stringify((await current()).settings));
      const scans = [];
      for (const scan of batch) {
        now += scan.after;
        const madeAt = Math.floor((now - scan.lag * minute) / 1_000) * 1_000;
        taken({ ...scan, receivedAt: now, madeAt });
        const parsed = {
          ...{ tid: scan.tid, userid: scan.userid, sid: '101', udid: 'D1', answers: [], properties: [] },
          scannedAtUtc: new Date(madeAt).toISOString().slice(0, 19).replace('T', ' '),
          ...(scan.status === undefined ? {} : { givenStatus: scan.status }),
        };
        const ahead = await compiled.prefetch(owner, parsed, now);
        scans.push({ id: makeId(), relayId: relay.id, secretId, receivedAt: now, submit: [], ...parsed, ...ahead });
      }
      const commit = createScanCommit(store, createRulesPort(compiledRelays));
      const results = await commit.commit(scans, decide);
      return results.map((result) => (result.kind === 'stored' ? result.scan.finding : result.kind));
    },
    /** The result codes that a preview says these settings would give the relay's scans. */
    async preview(after: RelaySettings): Promise<readonly string[]> {
      const status = createRelayStatus({ store, clock, lateHours });
      const before = { ...after, duplicates: undefined, atMost: undefined };
      const { changed } = await status.previewValidation({ ...(await current()), settings: before }, after, {
        span: { most: 1_000 },
      });
      const scans = await store.db
        .selectFrom('received_scans')
        .select(['id', 'given_status'])
        .where('relay_id', '=', relay.id)
        .orderBy('id')
        .execute();
      const unchanged = (given: string | null) => (given === '0' ? 'invalid' : 'valid');
      return scans.map(
        ({ id, given_status }) => changed.find(({ scan }) => scan.id === id)?.after ?? unchanged(given_status),
      );
    },
  };
}
