/**
 * Erasures of a workspace's data that people have asked for: recorded first, then carried out in the background by
 * steps that delete what is left, so that a process that stops in between loses none. The installation, the connection
 * and the settings stay.
 */
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { type Owner, ownerKey } from '../ownership.js';
import { createPoller, type Poller } from '../poller.js';
import type { Store } from './types.js';

export interface Erasure {
  /** Slack user id. */
  readonly who: string;
  /** What came later stays. */
  readonly at: number;
}

/** Deletes what there is of the owner from before `at`. Called again after an interruption. */
export type EraseStep = (owner: Owner, at: number, stopping: AbortSignal) => Promise<unknown>;

export interface Erasures extends Poller {
  /** Returns at once. */
  request(owner: Owner, erasure: Erasure): Promise<void>;
  /** The one under way. */
  of(owner: Owner): Promise<Erasure | undefined>;
}

const namespace = 'erasure';
const shape = z.object({ who: z.string(), at: z.number() });
const pollEveryMs = 60_000;

export function createErasures(deps: {
  readonly store: Pick<Store, 'keyv' | 'audit'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly steps: readonly EraseStep[];
  /** Tells the person that it is done. */
  readonly onErased: (owner: Owner, erasure: Erasure) => Promise<void>;
}): Erasures {
  const { store, clock, log, steps, onErased } = deps;
  const records = store.keyv<unknown>(namespace);

  const erase = async (owner: Owner, erasure: Erasure, stopping: AbortSignal): Promise<void> => {
    for (const step of steps) {
      await step(owner, erasure.at, stopping);
      if (stopping.aborted) {
        return;
      }
    }
    // Somebody may have asked again meanwhile, and another process may have finished it.
    const asked = shape.safeParse(await records.get(ownerKey(owner))).data;
    if (asked?.at !== erasure.at) {
      return;
    }
    await store.audit.add(owner, {
      ...{ at: clock.now(), who: erasure.who, where: 'home', what: 'workspace/erased', detail: {}, outcome: 'ok' },
    });
    if (await records.delete(ownerKey(owner))) {
      log.info({ ...owner }, 'the data of a workspace is erased');
      await onErased(owner, erasure).catch((error: unknown) =>
        log.warn({ err: error, code: codeOf(error) }, 'nobody could be told that the data is erased'),
      );
    }
  };

  const poller = createPoller({
    clock,
    everyMs: pollEveryMs,
    async poll(stopping) {
      for await (const [key, stored] of records.iterator?.({}) ?? []) {
        const [installation, team] = String(key).split(':');
        const erasure = shape.safeParse(stored).data;
        if (installation && team && erasure && !stopping.aborted) {
          await erase({ installation, team }, erasure, stopping);
        }
      }
    },
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'data could not be erased yet'),
  });

  return {
    ...poller,
    async request(owner, erasure) {
      await records.set(ownerKey(owner), erasure);
      poller.wake();
    },
    of: async (owner) => shape.safeParse(await records.get(ownerKey(owner))).data,
  };
}
