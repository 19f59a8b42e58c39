/** What a preview says of changed validation settings is what a relay with those settings answers. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import {
  createDatabaseLookup,
  createRelayStatus,
  createRelays,
  relaySettingsSchema,
} from '../../../src/relay/index.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { effort } from '../../helpers/effort.js';
import { mirrorOf } from '../../helpers/mirror.js';
import { gate, owner, postScan, startIntake } from '../../helpers/relay.js';
import { type DeskHarness, startDesk } from '../../lookup/harness.js';

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
const tickets = '1021';
const byDatabase = (id: string) => ({ judging: { kind: 'database', databaseIds: [id] } });
const withDatabases = fc.oneof(
  anySettings,
  fc.record(
    {
      judging: fc.constantFrom(
        { kind: 'database', databaseIds: [tickets] },
        { kind: 'database', databaseIds: [tickets], unknown: 'reject' },
      ),
      duplicates: fc.constantFrom({}, { withinMinutes: 3 }),
      atMost: fc.constantFrom({ n: 2, of: 'value' }, { n: 2, of: 'relay' }),
    },
    { requiredKeys: ['judging'] },
  ),
);
const anyScan = fc.record(
  {
    tid: fc.constantFrom('a', 'A', 'b', 'B', '1'),
    status: fc.constantFrom('1', '0', '-1'),
    /** Made long before it came. */
    late: fc.constant(true),
    /** A second submit brings an answer. */
    answered: fc.constant(true),
  },
  { requiredKeys: ['tid'] },
);
/** A valid ticket in two spellings, one that is not valid, and one that no database has. */
const anyTicket = fc.record(
  { tid: fc.constantFrom('HLF-000001', 'hlf-000001', 'HLF-000002', 'NOWHERE'), late: fc.constant(true) },
  { requiredKeys: ['tid'] },
);
interface Posted {
  readonly tid: string;
  readonly status?: string;
  readonly late?: boolean;
  readonly answered?: boolean;
}

onEachDatabase('changed validation settings', (databases) => {
  let url: string;
  let account: DeskHarness;
  beforeAll(async () => {
    url = await databases.fresh();
    account = await startDesk({ callsPerMinute: 1_000_000 });
  });
  afterAll(() => account.close());

  it('a preview of changed validation settings equals the answers of a relay with those settings', {
    timeout: 180_000,
  }, async () => {
    const store = await openTestStore(url);
    let now = noon;
    const clock: Clock = { ...systemClock, now: () => now };
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    const { mirror } = mirrorOf(store, account.accounts, { times: { freshMs: 3_600_000 } });
    const shared = { store, clock, mirror, accounts: account.accounts, log: silentLog, metrics: createMetrics() };
    const databaseLookup = createDatabaseLookup(shared);
    const intake = await startIntake(store, { clock, databaseLookup });
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const status = createRelayStatus({ store, clock, databaseLookup, lateHours: 24 });

    let devices = 0;
    const scan = async (path: string, udid: string, { tid, status: given, late, answered }: Posted, at: number) => {
      now = noon + (at + 1) * 60_000;
      const made = new Date(now - (late ? 20 * 60_000 : 0)).toISOString().slice(0, 19).replace('T', ' ');
      const form = {
        ...{ tid, sid: '1', udid, userid: '7', scanned_at_utc: made },
        ...(given === undefined ? {} : { status: given }),
      };
      const submits = answered ? [form, { ...form, 'answers[1]': '3', 'questions[1]': 'How many?' }] : [form];
      for (const submit of submits) {
        expect((await postScan(`${intake.url}${path}`, submit)).status).toBe(200);
      }
    };
    const answered = async (settings: object, scans: readonly Posted[]) => {
      const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse(settings) });
      // A device of its own for each relay: what the intake knows of its clock is what these scans show.
      devices += 1;
      for (const [at, one] of scans.entries()) {
        await scan(path, `D${devices}`, one, at);
      }
      const rows = await store.db
        .selectFrom('received_scans')
        .select(['tid', 'finding'])
        .where('relay_id', '=', relay.id)
        .orderBy('id')
        .execute();
      return { id: relay.id, rows };
    };
    const agrees = async (before: object, after: object, scans: readonly Posted[]) => {
      const was = await answered(before, scans);
      const will = await answered(after, scans);
      const { relay } = (await relays.get(owner, was.id))!;
      const preview = await status.previewValidation(relay, relaySettingsSchema.parse(after));
      expect(preview).toMatchObject({ scans: scans.length, unsure: 0 });
      expect(preview.changed.map(({ scan, before, after }) => [scan.tid, before, after])).toEqual(
        was.rows.flatMap(({ tid, finding }, at) =>
          finding === will.rows[at]!.finding ? [] : [[tid, finding, will.rows[at]!.finding]],
        ),
      );
    };

    try {
      const numRuns = effort(databases.kind === 'sqlite' ? { short: 6, long: 60 } : { short: 2, long: 20 });
      const some = <One>(scan: fc.Arbitrary<One>) => fc.array(scan, { minLength: 1, maxLength: 10 });
      await fc.assert(fc.asyncProperty(anySettings, anySettings, some(anyScan), agrees), { numRuns });

      // A database that a relay validates against is mirrored.
      await relays.create({ ...gate, settings: relaySettingsSchema.parse(byDatabase(tickets)) });
      mirror.start();
      await expect
        .poll(async () => (await mirror.states(owner)).find(({ databaseId }) => databaseId === tickets)?.fetchedAt)
        .toBeDefined();
      await fc.assert(fc.asyncProperty(withDatabases, withDatabases, some(anyTicket), agrees), { numRuns });

      // The result by a database without a mirror is not sure.
      const { id } = await answered({}, [{ tid: 'HLF-000001' }, { tid: 'a', status: '0' }]);
      const { relay } = (await relays.get(owner, id))!;
      const calls = account.calls.length;
      const unmirrored = relaySettingsSchema.parse(byDatabase('9999'));
      expect(await status.previewValidation(relay, unmirrored)).toMatchObject({ scans: 2, changed: [], unsure: 1 });
      expect(account.calls.slice(calls).filter(({ variables }) => variables.has('value'))).toEqual([]);
    } finally {
      await intake.close();
      await mirror.stop();
      await store.close();
    }
  });
});
