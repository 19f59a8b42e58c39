/** The course of a history in a world: one step after the other, each answer judged as it comes. */

import { changeDatabase, changeNextDoor, changeRelay, changeService } from './admins.js';
import { changeValue, deleteScan, race, raceOfScan } from './changes.js';
import { connectAnother, kill, restart, startSecond } from './events.js';
import { type History, type Step, texts } from './history.js';
import { edit } from './more-surfaces.js';
import { scanAgain, scanAtGate, scanInAccount } from './scanning.js';
import { surfaces } from './surfaces.js';
import type { World } from './world.js';

export async function play(world: World, history: History): Promise<void> {
  try {
    await world.begin(history);
    for (const step of history.steps) {
      world.clock.advance(2_000);
      await world.settled(1);
      world.nextTurn();
      await take(world, step);
    }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\nwhat happened:\n${world.happened}`, {
      cause: error,
    });
  } finally {
    await world.end();
  }
}

async function take(world: World, step: Step): Promise<void> {
  switch (step.do) {
    case 'wait':
      world.note(`${step.minutes} minutes pass`);
      return await world.wait(step.minutes);
    case 'value':
      return await changeValue(
        world,
        step,
        step.here && world.hasCallsToday() && !world.isDown() && world.account.broken !== 'slow',
      );
    case 'race':
      return await race(world, step);
    case 'raceOfScan':
      return await raceOfScan(world, step.scan);
    case 'gate':
      return await scanAtGate(world, step);
    case 'again':
      return await scanAgain(world, step.scan);
    case 'scan':
      return await scanInAccount(world, step);
    case 'forget':
      return await deleteScan(world, step.scan, step.here && !world.account.broken);
    case 'fault':
      world.account.break(step.fault);
      world.note(`the account fails from now on: ${step.fault}; ${step.minutes} minutes pass`);
      return await world.wait(step.minutes);
    case 'mend':
      if (world.account.broken) {
        world.note('the account works again');
        world.account.mend();
        await world.settled();
      }
      return;
    case 'restart':
      return await restart(world);
    case 'kill':
      return await kill(world);
    case 'second':
      return await startSecond(world);
    case 'connect':
      return await connectAnother(world);
    case 'service':
      return await changeService(world, step);
    case 'database':
      return await changeDatabase(world, step);
    case 'relay':
      return await changeRelay(world, step);
    case 'nextDoor':
      return await changeNextDoor(world, step);
    case 'edit':
      return await edit(world, step);
    case 'ask':
      await surfaces[step.surface](world, texts[step.text] ?? '');
      return;
  }
}
