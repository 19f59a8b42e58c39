/** Trigger ids: each lets the app open one modal for a person within three seconds. */
import type { Clock, Random } from '../../../clock.js';
import { SlackRefusal } from '../refusal.js';

export interface Trigger {
  readonly team: string;
  readonly user: string;
  /** The id of the modal in which the person acted; views.push needs it. */
  readonly view?: string;
  /** The channel that the person had open. */
  readonly channel?: string;
}

export interface Triggers {
  make(trigger: Trigger): string;
  /** Uses up a trigger id. @throws SlackRefusal invalid_trigger_id, expired_trigger_id, exchanged_trigger_id */
  exchange(id: string, team: string): Trigger;
}

const keepMs = 60_000;

export function createTriggers(deps: { clock: Clock; random: Random; lifeMs: () => number }): Triggers {
  const { clock, random, lifeMs } = deps;
  const issuedTriggers = new Map<string, Trigger & { at: number; used: boolean }>();
  return {
    make(trigger) {
      const now = clock.now();
      for (const [id, { at }] of issuedTriggers) {
        if (now - at <= keepMs) {
          break;
        }
        issuedTriggers.delete(id);
      }
      const number = random.bytes(6).readUIntBE(0, 6);
      const id = `${number}.${Math.floor(now)}.${random.bytes(16).toString('hex')}`;
      issuedTriggers.set(id, { ...trigger, at: now, used: false });
      return id;
    },
    exchange(id, team) {
      const issuedTrigger = issuedTriggers.get(id);
      if (!issuedTrigger || issuedTrigger.team !== team) {
        throw new SlackRefusal('invalid_trigger_id');
      }
      if (issuedTrigger.used) {
        throw new SlackRefusal('exchanged_trigger_id');
      }
      if (clock.now() - issuedTrigger.at > lifeMs()) {
        throw new SlackRefusal('expired_trigger_id');
      }
      issuedTrigger.used = true;
      return issuedTrigger;
    },
  };
}
