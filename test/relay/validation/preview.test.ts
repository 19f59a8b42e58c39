/** What a preview says of changed validation settings is what a relay with those settings answers. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { createRelayStatus, createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, postScan, startIntake } from '../../helpers/relay.js';

/** A Friday. */
const noon = Date.UTC(2026, 4, 1, 12);
const anySettings = fc.record(
  {
    judging: fc.constantFrom(
      { kind: 'accept' },
      { kind: 'list', values: ['a', 'B'], exact: false },
      { kind: 'list', values: ['a'], listed: 'invalid' },
      { kind: 'pattern', pattern: '^[a-z]$' },
    ),
    duplicates: fc.constantFrom({}, { withinMinutes: 3 }),
    atMost: fc.constantFrom({ n: 2, of: 'value' }, { n: 3, of: 'relay' }, { n: 2, of: 'relay', withinMinutes: 4 }),
    hours: fc.constant({ zone: 'UTC', days: [5], from: '08:00', to: '12:06' }),
  },
  { requiredKeys: [] },
);
const anyScan = fc.record(
  { tid: fc.constantFrom('a', 'A', 'b', 'B', '1'), status: fc.constantFrom('1', '0', '-1') },
  { requiredKeys: ['tid'] },
);

onEachDatabase('changed validation settings', (databases) => {
  let url: string;
  beforeAll(async () => {
    url = await databases.fresh();
  });

  it('are previewed as a relay that has them answers', async () => {
    const store = await openTestStore(url);
    let now = noon;
    const clock: Clock = { ...systemClock, now: () => now };
    const intake = await startIntake(store, { clock });
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const status = createRelayStatus({ store, clock });
    try {
      await fc.assert(
        fc.asyncProperty(
          anySettings,
          anySettings,
          fc.array(anyScan, { minLength: 1, maxLength: 10 }),
          async (before, after, forms) => {
            const answered = async (settings: object) => {
              const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse(settings) });
              for (const [at, form] of forms.entries()) {
                now = noon + (at + 1) * 60_000;
                await postScan(`${intake.url}${path}`, form as Record<string, string>);
              }
              const rows = await store.db
                .selectFrom('scans')
                .select(['tid', 'finding'])
                .where('relay_id', '=', relay.id)
                .orderBy('id')
                .execute();
              return { id: relay.id, rows };
            };
            const was = await answered(before);
            const will = await answered(after);
            const { relay } = (await relays.get(owner, was.id))!;
            const { changed, scans } = await status.previewValidation(relay, relaySettingsSchema.parse(after));
            expect(scans).toBe(forms.length);
            expect(changed.map(({ scan, before, after }) => [scan.tid, before, after])).toEqual(
              was.rows.flatMap(({ tid, finding }, at) =>
                finding === will.rows[at]!.finding ? [] : [[tid, finding, will.rows[at]!.finding]],
              ),
            );
          },
        ),
        { numRuns: databases.kind === 'sqlite' ? 60 : 20 },
      );
    } finally {
      await intake.close();
      await store.close();
    }
  }, 120_000);
});
