/** What becomes of the copy of an account while the account cannot be asked, or says less than it has. */
import { afterEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { DatabaseValidation } from '../../src/relay/validation/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { type DeskHarness, startDesk, xml } from '../lookup/harness.js';

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
  /** The account lists its databases but these. */
  const leaveOut = ({ account }: World, ids: readonly string[], count?: number) =>
    account.onWire(async ({ operation, variables }) => {
      if (operation !== 'databases/retrieve' || variables.has('direct')) {
        return undefined;
      }
      const all = new URLSearchParams([...variables, ['direct', '1']]);
      const body = await (await fetch(account.apiUrl, { method: 'POST', body: all })).text();
      const listed = body.match(/<database .*?<\/database>/gs) ?? [];
      const left = listed.filter((one) => !ids.some((id) => one.startsWith(`<database id="${id}"`)));
      return xml(`${count === undefined ? '' : `<count>${count}</count>`}${left.join('')}`);
    });

  wideIt('copied databases that one listing leaves out are kept, and still validate a relay’s scans', async () => {
    const world = await start();
    await filled(world, 3);
    const before = await world.values();
    const listed = world.listings();
    leaveOut(world, [tickets, '1022']);
    await world.pass(5);
    await expect.poll(world.listings).toBeGreaterThan(listed);
    world.account.onWire(() => undefined);
    await world.pass(30);
    await world.pass(30);
    expect(await world.copied()).toEqual(['1021', '1022', '1023']);
    expect(await world.values()).toBe(before);
    const { known } = await world.made.databaseLookup.ask(owner, judging, 'HLF-000001');
    expect(known).toMatchObject({ kind: 'known', valid: true });
  });

  wideIt('the copy of an account is kept if listings state that they leave out databases', async () => {
    const world = await start();
    await filled(world, 3);
    leaveOut(world, [tickets], 3);
    for (const minutes of [5, 11, 11, 60, 60]) {
      await world.pass(minutes);
    }
    expect(await world.copied()).toEqual(['1021', '1022', '1023']);
  });

  wideIt('the copy of a database is deleted once two listings at least 10 minutes apart leave it out', async () => {
    const world = await start();
    await filled(world, 3);
    leaveOut(world, [tickets]);
    for (const minutes of [5, 4.5, 4.5]) {
      const listed = world.listings();
      await world.pass(minutes);
      await expect.poll(world.listings).toBeGreaterThan(listed);
    }
    expect(await world.copied()).toContain(tickets);
    for (const minutes of [5, 5]) {
      await world.pass(minutes);
    }
    await expect.poll(world.copied).toEqual(['1022', '1023']);
    await expect.poll(world.values).toBeLessThan(1_200);
  });

  wideIt('the copy of a database is deleted once the database was not chosen for 10 minutes', async () => {
    const world = await start([tickets, '1022']);
    await filled(world, 2);
    await world.made.store.workspaces.change(owner, { lookupDatabases: ['1022'] });
    await world.pass(6);
    expect(await world.copied()).toContain(tickets);
    await world.pass(6);
    await world.pass(6);
    await expect.poll(world.copied).toEqual(['1022']);
  });

  it('the copy of a database is kept while the key cannot read the database, but is unsure then', async () => {
    const world = await start([tickets, '1022']);
    await filled(world, 2);
    const before = await world.values();
    const admits = async () => (await world.made.databaseLookup.ask(owner, judging, 'HLF-000001')).known;
    leaveOut(world, [tickets]);
    await world.pass(6);
    expect(await admits()).toMatchObject({ kind: 'known', valid: true });
    for (const minutes of [6, 6, 60, 1_440]) {
      await world.pass(minutes);
    }
    await expect
      .poll(async () => (await world.made.mirror.states(owner)).find(({ databaseId }) => databaseId === tickets))
      .toMatchObject({ lastCode: 'relay.database_gone', size: 1_200 });
    expect(await world.copied()).toEqual(['1021', '1022']);
    expect(await world.values()).toBe(before);
    // An outage makes nothing sure again.
    world.account.onWire(() => 'reset');
    for (const minutes of [31, 31]) {
      await world.pass(minutes);
    }
    await expect.poll(admits).toMatchObject({ kind: 'unknown' });
    world.account.onWire(() => undefined);
    await world.pass(60);
    await expect.poll(async () => (await world.made.mirror.states(owner)).every((one) => !one.lastCode)).toBe(true);
    await world.pass(1);
    expect(await admits()).toMatchObject({ kind: 'known', valid: true });
  });
});
