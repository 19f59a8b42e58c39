import { afterAll, beforeAll, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../src/relay/index.js';
import type { DatabaseValidation } from '../../../src/relay/validation/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { effort } from '../../helpers/effort.js';
import { mirrorOf, type TestMirror } from '../../helpers/mirror.js';
import { gate, owner, relaysOf } from '../../helpers/relay.js';
import { type DeskHarness, startDesk } from '../../lookup/harness.js';

const many = effort({ short: 12_000, long: 100_000 });
const spelled = (n: number) => `Ticket-${String(n).padStart(6, '0')}`;

onEachDatabase('a copy of a large database', (databases) => {
  let account: DeskHarness;
  let store: Store;
  let made: TestMirror;
  let databaseId = '';

  const call = async (body: URLSearchParams | FormData) =>
    (await fetch(account.apiUrl, { method: 'POST', body })).text();

  beforeAll(async () => {
    account = await startDesk({ callsPerMinute: 1_000_000 });
    const common = { section: 'databases', api_key: account.apiKey };
    const created = await call(new URLSearchParams({ ...common, action: 'create', database_name: 'Stadium' }));
    databaseId = /<id>(\d+)<\/id>/.exec(created)?.[1] ?? '';
    const rows = Array.from({ length: many }, (_, n) => `${spelled(n)},Row ${n % 90},${n % 10 === 9 ? 0 : 1}`);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...common, action: 'upload', database_id: databaseId })) {
      form.set(name, value);
    }
    form.set('csvfile', new Blob([rows.join('\n')]), 'stadium.csv');
    expect(await call(form)).toContain('<status>1</status>');

    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [databaseId] });
    made = mirrorOf(store, account.accounts);
    const settings = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [databaseId] } });
    await relaysOf(store).create({ ...gate, settings });
    made.mirror.start();
  }, 120_000);
  afterAll(async () => {
    await made.mirror.stop();
    await store.close();
    await account.close();
  });

  it('a copy of a large database is fetched completely in a few API calls, and validates barcodes', async () => {
    await expect
      .poll(async () => (await made.mirror.states(owner))[0]?.fetchedAt, { timeout: 90_000, interval: 100 })
      .toBeDefined();
    expect((await made.mirror.states(owner))[0]).toMatchObject({ name: 'Stadium', size: many });
    // The pages, and a search for each control character that answers lose.
    expect(account.countOf('databases/showvalues')).toBeLessThanOrEqual(12 + 5);

    const judging = relaySettingsSchema.parse({
      judging: { kind: 'database', databaseIds: [databaseId], liveShare: 0 },
    }).judging as DatabaseValidation;
    for (const n of [0, 1, 9, 9_999, 10_000, 10_001, 0.5 * many, 0.9 * many - 1, many - 1]) {
      const value = n % 2 === 0 ? spelled(n) : spelled(n).toUpperCase();
      expect((await made.databaseLookup.ask(owner, judging, value)).known).toMatchObject({
        kind: 'known',
        valid: n % 10 !== 9,
        response: `Row ${n % 90}`,
      });
    }
    expect((await made.databaseLookup.ask(owner, judging, spelled(many))).known).toMatchObject({ kind: 'unknown' });
  }, 120_000);
});
