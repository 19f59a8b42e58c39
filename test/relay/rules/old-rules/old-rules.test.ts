/**
 * Rules that earlier versions stored do what they did there. The fixtures hold the stored rows, the scans and what came
 * of them. They were recorded by `replay` in a worktree at the commit that they name, with that version's own intake,
 * store and timers; 44d1ba6 and 3e1bd41 gave the same for `one-condition.json` as 7d7a7d5. They are never recorded
 * again: a difference is a broken promise.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../../src/clock.js';
import { countingOf } from '../../../../src/database/migrations/022-admissions.js';
import type { SilencesTable } from '../../../../src/database/schema.js';
import { silentLog } from '../../../../src/log.js';
import { createRelays } from '../../../../src/relay/index.js';
import { createTimers } from '../../../../src/relay/rules/timers/timers.js';
import { onEachDatabase, openTestStore } from '../../../helpers/databases.js';
import { gate, owner, postScan, startIntake } from '../../../helpers/relay.js';
import { type Replayed, replay, type Scan } from './replay.js';

interface Fixture {
  readonly from: number;
  readonly minutes: number;
  readonly watched: { readonly value: string; readonly channel: string; readonly who: string };
  readonly scans: readonly Scan[];
  readonly relays: readonly OldRelay[];
}

interface OldRelay extends Replayed {
  readonly name: string;
  readonly stored: { readonly settings: string; readonly counting: string; readonly notable: string };
  readonly silences: readonly Omit<SilencesTable, 'relay_id'>[];
}

const read = (name: string): Fixture => JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8'));

onEachDatabase('rules that an earlier version stored', (databases) => {
  let url: string;
  beforeAll(async () => {
    url = await databases.fresh();
  });

  it.each([
    ['one condition', 'one-condition'],
    ['several conditions', 'combined'],
  ])('do what they did, with %s', { timeout: 180_000 }, async (_, name) => {
    const fixture = read(name);
    const { from, minutes, scans, watched } = fixture;
    let now = from - 60_000;
    const clock: Clock = { ...systemClock, now: () => now };
    const store = await openTestStore(url, { clock });
    const intake = await startIntake(store, { clock });
    try {
      const { db } = store;
      const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
      const timers = createTimers({ store, clock, log: silentLog });
      await relays.watches.watch(owner, { ...watched, forMs: 86_400_000 });

      const paths: string[] = [];
      const numbers = new Map<string, number>();
      for (const { stored, silences } of fixture.relays) {
        const { relay, path } = await relays.create(gate);
        // As the migration leaves it that counts by moments.
        const counting = JSON.stringify(countingOf(JSON.parse(stored.settings), JSON.parse(stored.counting), null));
        await db
          .updateTable('relays')
          .set({ ...stored, counting })
          .where('id', '=', relay.id)
          .execute();
        for (const silence of silences) {
          await db
            .insertInto('silences')
            .values({ relay_id: relay.id, ...silence })
            .execute();
        }
        numbers.set(relay.id, paths.length);
        paths.push(`${intake.url}${path}`);
      }

      const replayed = await replay(
        {
          setNow: (at) => {
            now = at;
          },
          async send(form) {
            const answers = await Promise.all(paths.map((path) => postScan(path, { ...form })));
            expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
          },
          pollTimers: () => timers.poll(),
          async posts(after) {
            const rows = await db
              .selectFrom('outbox')
              .selectAll()
              .where('seq', '>', after)
              .where('kind', 'in', ['scan', 'digest', 'card', 'burst', 'silence'])
              .orderBy('seq')
              .execute();
            return rows.flatMap((row) => {
              const relay = numbers.get(row.relay_id);
              // Replies in an alarm's thread came with incidents.
              return relay === undefined || row.kind === 'incident'
                ? []
                : [
                    {
                      ...{
                        seq: Number(row.seq),
                        relay,
                        key: row.key,
                        scanId: row.scan_id,
                        kind: row.kind,
                        channel: row.channel,
                      },
                      ...{ detail: row.detail, inThread: row.parent_key !== null, digestKey: row.digest_key },
                    },
                  ];
            });
          },
          async scans() {
            const rows = await db.selectFrom('scans').select(['id', 'relay_id', 'received_at', 'finding']).execute();
            return rows.flatMap(({ id, relay_id, received_at: receivedAt, finding }) => {
              const relay = numbers.get(relay_id);
              return relay === undefined ? [] : [{ relay, id, receivedAt, finding }];
            });
          },
        },
        scans,
        { from, minutes, relays: paths.length },
      );
      const then = fixture.relays.map(({ name: relay, results, posts }) => ({ relay, results, posts }));
      expect(replayed.map((now, at) => ({ relay: then[at]!.relay, ...now }))).toEqual(then);
    } finally {
      await intake.close();
      await store.close();
    }
  });
});
