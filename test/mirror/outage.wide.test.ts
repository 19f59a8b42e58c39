/** What becomes of the copy of an account while the account cannot be asked, or says less than it has. */
import { afterEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { DatabaseValidation } from '../../src/relay/validation/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, startDesk, xmlError } from '../lookup/harness.js';

const minuteMs = 60_000;
const tickets = '1021';
const judging = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [tickets] } })
  .judging as DatabaseValidation;

onEachDatabase('the copy of an account', (databases) => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) {
      await close();
    }
  });

  interface World {
    readonly account: DeskHarness;
    readonly made: TestMirror;
    /** Time goes on for the mirror, which is woken. */
    pass(minutes: number): Promise<void>;
    /** The ids of the databases that are copied completely. */
    copied(): Promise<readonly string[]>;
    values(): Promise<number>;
    listings(): number;
  }

  const start = async (chosen?: readonly string[], pageSize = 10_000): Promise<World> => {
    let offset = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
    const account = await startDesk({ callsPerMinute: 1_000_000, clock });
    open.push(account.close);
    const store = await openTestStore(await databases.fresh(), { clock });
    open.push(() => store.close());
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await (chosen && store.workspaces.change(owner, { lookupDatabases: chosen }));
    const made = mirrorOf(store, account.accounts, { clock, pageSize, times: { pollMs: 20 } });
    open.push(made.mirror.stop);
    made.mirror.start();
    return {
      ...{ account, made },
      async pass(minutes) {
        offset += minutes * minuteMs;
        made.mirror.wake();
        // The worker polls a few times meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 150));
      },
      copied: async () =>
        (await made.mirror.states(owner)).flatMap((one) => (one.fetchedAt === undefined ? [] : one.databaseId)).sort(),
      async values() {
        const { rows } = (await store.db
          .selectFrom('mirrored_values')
          .select(store.db.fn.countAll().as('rows'))
          .executeTakeFirst()) as { rows: number };
        return Number(rows);
      },
      listings: () => account.countOf('databases/retrieve'),
    };
  };
  const filled = async ({ copied }: World, count: number) => {
    await expect.poll(async () => (await copied()).length).toBe(count);
  };

  it.each([
    { chosen: undefined, answer: 'reset', does: 'breaks each connection' },
    { chosen: undefined, answer: xmlError('113', 'day limit used up'), does: 'has no calls left' },
    { chosen: [tickets], answer: xmlError('100', 'no such key'), does: 'refuses the key' },
  ])('the copy of an account stays complete through 3 days in which the account $does', async ({ chosen, answer }) => {
    const world = await start(chosen);
    await filled(world, chosen ? 1 : 3);
    const before = await world.values();
    world.account.onWire(() => answer);
    for (const minutes of [1, 5, 30, 40, 60, 600, 1_440, 2_160]) {
      await world.pass(minutes);
    }
    expect(await world.copied()).toHaveLength(chosen ? 1 : 3);
    expect(await world.values()).toBe(before);
    const { known } = await world.made.databaseLookup.ask(owner, judging, 'HLF-000001');
    expect(known).toMatchObject({ kind: 'known', valid: true });
  });

  it('the copy of an account is completed by a pass that takes longer than an hour', async () => {
    const world = await start([tickets], 200);
    let pages = 0;
    world.account.onWire(async ({ operation, variables }) => {
      if (operation === 'databases/showvalues' && variables.has('limit') && !variables.has('valuelike')) {
        pages += 1;
        await world.pass(14);
      }
      return undefined;
    });
    await filled(world, 1);
    expect(pages).toBeGreaterThan(5);
    expect(await world.values()).toBe(1_200);
  });
});
