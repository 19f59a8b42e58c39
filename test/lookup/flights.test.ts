/** Lookups at the same time as a change through Scandesk. */
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { databases } from '../../src/codereadr/operations/index.js';
import { createLookups, headlineOf } from '../../src/lookup/index.js';
import { type DeskHarness, owner, startDesk } from './harness.js';

let harness: DeskHarness;
afterEach(() => harness?.close());

it.each([[false], [true]])(
  'a lookup joins none that began before a change through Scandesk (asking the account for everything: %s)',
  async (live) => {
    harness = await startDesk();
    const { client } = harness.account;
    await client.call(databases.addvalue, { database_id: '1021', value: 'F-1' });
    const desk = createLookups({ clock: systemClock, scans: harness.scans });
    const look = () => desk.lookup({ owner, account: harness.account, value: 'F-1', databaseIds: ['1021'], live });
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    harness.onWire(async ({ operation }) => {
      if (operation === 'scans/retrieve') await held;
      return undefined;
    });
    const colleague = look();
    await expect.poll(() => harness.answered()).toBeGreaterThan(2);
    await new Promise((done) => setTimeout(done, 300));
    await client.call(databases.editvalue, {
      database_id: '1021',
      value: 'F-1',
      validity: false,
      response: 'Refunded',
    });
    const mine = look();
    setTimeout(release, 200);
    const { kind } = headlineOf(await mine);
    await colleague;
    expect(kind).toBe('not_valid');
  },
);
