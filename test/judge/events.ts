/** What happens to Scandesk itself: it is restarted, killed, joined by a second process, or connected to another account. */
import { setValue } from './changes.js';
import { texts } from './history.js';
import { type DatabaseTruth, minuteMs } from './truth.js';
import type { World } from './world.js';

/** Gives the account the URL of the process that was started. */
async function started(world: World): Promise<void> {
  const postback = world.services.get('postback');
  if (postback) {
    await world.account.call('services', 'update', { service_id: postback.id, postback_url: world.postbackUrl() });
  }
  await world.settled();
}

export async function restart(world: World): Promise<void> {
  world.note('Scandesk is restarted');
  const at = world.apps.indexOf(world.app);
  await world.app.stop();
  world.apps[at] = await world.startApp();
  await started(world);
}

/** Kills a process: its store is closed at once, and the lease of its mirror expires by itself. */
export async function kill(world: World): Promise<void> {
  world.note('Scandesk is killed, and started');
  const killed = world.app;
  await killed.store.close();
  world.apps[world.apps.indexOf(killed)] = await world.startApp();
  await killed.stop().catch(() => undefined);
  await started(world);
}

/** Starts a second process on PostgreSQL, where several may work on one store; the judge asks them in turn. */
export async function startSecond(world: World): Promise<void> {
  if (world.apps.length > 1 || !world.url.startsWith('postgres')) {
    return;
  }
  world.note('a second process is started');
  world.apps.push(await world.startApp());
  await world.settled();
}

/** Connects another account: nothing of the one before may be seen again, whose databases relays still check. */
export async function connectAnother(world: World): Promise<void> {
  const { account, clock, owner, databases } = world;
  if (account.broken) {
    return;
  }
  world.note('another account is connected');
  const was = databases.map((database) => texts.filter((text) => database.holds(text) === true));
  await world.empty();
  const now = clock.now();
  for (const { account: kept } of world.scans) {
    if (kept && kept.to === undefined) {
      kept.to = now;
      kept.deletedHere = true;
    }
  }
  for (const [at, { ignoresCase }] of databases.entries()) {
    world.databases[at] = await world.createDatabase(`${at} again`, ignoresCase);
    world.search();
    for (const text of was[at] ?? []) {
      await setValue(world, world.databases[at] as DatabaseTruth, text, false, false);
    }
  }
  world.connection += 1;
  world.key = `another account ${world.number} ${world.connection}`.padEnd(32, '.');
  clock.advance(1_000);
  const { workspaces } = world.app.store;
  const { lookupDatabases } = await workspaces.settings(owner);
  await workspaces.connect(owner, world.key, { connectedBy: 'U1', connectedAt: clock.now() });
  await workspaces.change(owner, { lookupDatabases: lookupDatabases && world.searched.map(({ id }) => id) });
  world.app.mirror.wake();
  clock.advance(3_000);
  await world.settled();
}

/** Moves the clock to an hour and a half before the clocks of the zone change, as they do twice a year. */
export function goToClockChange(world: World): void {
  const format = new Intl.DateTimeFormat('en', { timeZone: world.zone, timeZoneName: 'shortOffset' });
  const offset = (at: number) => format.format(at).split(' ').at(-1);
  const hour = 60 * minuteMs;
  let at = Math.ceil(world.clock.now() / hour) * hour + 3 * hour;
  for (const now = offset(at); offset(at) === now; ) {
    at += hour;
  }
  world.clock.advance(at - 90 * minuteMs - world.clock.now());
}
