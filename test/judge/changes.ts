/** Changes in the account, by other clients or through Scandesk, which must know its own at once. */
import type { JudgedAccount } from './account.js';
import { texts } from './history.js';
import { type DatabaseTruth, minuteMs, timeText } from './truth.js';
import type { World } from './world.js';

export async function setValue(
  world: World,
  database: DatabaseTruth,
  text: string,
  held: boolean | undefined,
  here: boolean,
): Promise<void> {
  const before = database.holds(text);
  const { account } = world;
  const input = { database_id: database.id, value: text };
  const validity = held ? '1' : '0';
  const action = held === undefined ? 'deletevalue' : before === undefined ? 'addvalue' : 'editvalue';
  const more: Record<string, string> =
    held === undefined ? {} : action === 'addvalue' ? { validity, trim_value: '0' } : { validity };
  if (held === undefined && before === undefined) {
    return;
  }
  const answer = await account.call('databases', action, { ...input, ...more });
  if (!answer.includes('<status>1')) {
    throw new Error(`databases/${action}: ${answer}`);
  }
  database.set(text, held, world.nextMoment(), here);
  if (here) {
    const { mirror, accounts } = world.app;
    const change = { section: 'databases', action, input: { ...input, ...more } };
    await world.answered(mirror.noteChange(world.owner, accounts.open(world.key), change));
  }
}

export async function changeValue(
  world: World,
  { database, text, held }: { database: number; text: number; held: boolean | null },
  here: boolean,
) {
  const of = world.databases[database] as DatabaseTruth;
  if (of.removedAt !== undefined) {
    return;
  }
  world.note(
    `${JSON.stringify(texts[text])} is ${held === null ? 'taken out of' : held ? 'valid in' : 'not valid in'} ${world.nameOf(of)} from now on${here ? ', by Scandesk' : ''}`,
  );
  await setValue(world, of, texts[text] ?? '', held ?? undefined, here);
}

export async function race(
  world: World,
  step: { database: number; text: number; held: boolean | null },
): Promise<void> {
  const of = world.databases[step.database]?.id;
  if (world.databases[step.database]?.removedAt !== undefined) {
    return;
  }
  await whileOnItsWay(
    world,
    ({ operation, variables }) =>
      operation === 'databases/showvalues' && variables.get('database_id') === of && !variables.has('value'),
    () => changeValue(world, step, true),
  );
}

export async function raceOfScan(world: World, scan: number): Promise<void> {
  await whileOnItsWay(
    world,
    ({ operation, variables }) => operation === 'scans/retrieve' && !variables.has('value'),
    () => deleteScan(world, scan, true),
  );
}

/** Does the work while the pages of a pass, which the account has answered, are held back. */
export async function whileOnItsWay(
  world: World,
  isPage: Parameters<JudgedAccount['hold']>[0],
  work: () => Promise<void>,
): Promise<void> {
  if (world.account.broken) {
    return;
  }
  world.account.hold(isPage);
  world.clock.advance(7 * minuteMs);
  // A slow database begins its pass late; where no pass is due none comes.
  for (let tries = 0; tries < 40 && world.account.held === 0; tries += 1) {
    await world.settled(1);
  }
  world.note(`pages of a pass are on their way: ${world.account.held}`);
  await work();
  world.account.release();
  await world.settled(4);
  world.note('the pages have come');
}

export async function deleteScan(world: World, which: number, here: boolean): Promise<void> {
  const kept = world.scans.filter(({ account }) => account && account.to === undefined);
  const scan = kept[which % Math.max(1, kept.length)];
  if (!scan?.account) {
    return;
  }
  await world.account.deleteScans([scan.account.id]);
  scan.account.to = world.nextMoment();
  scan.account.deletedHere = here;
  world.note(`the scan of ${timeText(scan.made)} is deleted in the account${here ? ', by Scandesk' : ''}`);
  if (here) {
    const { mirror, accounts } = world.app;
    const change = { section: 'scans', action: 'delete', input: { scan_id: [scan.account.id] } };
    await world.answered(mirror.noteChange(world.owner, accounts.open(world.key), change));
  }
}
