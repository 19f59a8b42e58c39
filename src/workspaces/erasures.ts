/**
 * Erasures of a workspace's data that people have asked for: each is recorded first, then done in the background by
 * steps that delete what is left, so that it survives a stop of the process. The installation, the connection and the
 * settings stay.
 */
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { type Owner, ownerKey } from '../ownership.js';
import { createPoller } from '../poller.js';
import type { Store } from './types.js';

export interface Erasure {
  /** Slack user id of the person who asked. */
  readonly who: string;
  /** When the erasure was requested; data of a later time stays. */
  readonly at: number;
}

/** Deletes the owner's data from before `at`. Called again after an interruption. */
export type EraseStep = (owner: Owner, at: number, stopping: AbortSignal) => Promise<unknown>;

const namespace = 'erasure';
/** A stored erasure. `erasedAt`: all is deleted, and the person is to be notified. */
const erasureSchema = z.object({ who: z.string(), at: z.number(), erasedAt: z.number().optional() });
const notifyForMs = 24 * 3_600_000;
const pollEveryMs = 60_000;

export function createErasures(deps: {
  readonly store: Pick<Store, 'keyv' | 'audit' | 'revise'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly steps: readonly EraseStep[];
  /** Notifies the person that the erasure is done. Where it rejects, it is called again for a day. */
  readonly onErased: (owner: Owner, erasure: Erasure) => Promise<void>;
}) {
  const { store, clock, log, steps, onErased } = deps;
  const records = store.keyv<unknown>(namespace);

  const erase = async (owner: Owner, erasure: Erasure, stopping: AbortSignal): Promise<void> => {
    for (const step of steps) {
      await step(owner, erasure.at, stopping);
      if (stopping.aborted) {
        return;
      }
    }
    // Somebody may have requested another erasure meanwhile, or another process may have finished this one.
    const isUnfinished = (stored: unknown) => {
      const { data } = erasureSchema.safeParse(stored);
      return data?.at === erasure.at && data.erasedAt === undefined;
    };
    if (!isUnfinished(await records.get(ownerKey(owner)))) {
      return;
    }
    const erasedAt = clock.now();
    await store.audit.add(owner, {
      at: erasedAt,
      who: erasure.who,
      where: 'home',
      what: 'workspace/erased',
      detail: {},
      outcome: 'ok',
    });
    let isOurs = false;
    await store.revise(namespace, ownerKey(owner), (before) => {
      isOurs = isUnfinished(before);
      return isOurs ? { ...erasure, erasedAt } : before;
    });
    if (isOurs) {
      log.info({ ...owner }, 'the data of a workspace is erased');
      await notifyPerson(owner, erasure, erasedAt);
    }
  };

  const notifyPerson = async (owner: Owner, { who, at }: Erasure, erasedAt: number): Promise<void> => {
    try {
      await onErased(owner, { who, at });
    } catch (error) {
      log.warn({ err: error, code: codeOf(error) }, 'nobody could be told yet that the data is erased');
      if (clock.now() - erasedAt < notifyForMs) {
        return;
      }
    }
    await store.revise(namespace, ownerKey(owner), (before) =>
      erasureSchema.safeParse(before).data?.at === at ? undefined : before,
    );
  };

  const poller = createPoller({
    clock,
    everyMs: pollEveryMs,
    async poll(stopping) {
      for await (const [key, stored] of records.iterator?.({}) ?? []) {
        const [installation, team] = String(key).split(':');
        const erasure = erasureSchema.safeParse(stored).data;
        if (!installation || !team || !erasure || stopping.aborted) {
          continue;
        }
        const owner = { installation, team };
        await (erasure.erasedAt === undefined
          ? erase(owner, erasure, stopping)
          : notifyPerson(owner, erasure, erasure.erasedAt));
      }
    },
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'data could not be erased yet'),
  });

  return {
    ...poller,
    /** Records an erasure, and returns at once. */
    async request(owner: Owner, erasure: Erasure): Promise<void> {
      await records.set(ownerKey(owner), erasure);
      poller.wake();
    },
    /** The owner's erasure under way; undefined where there is none, or its data is deleted. */
    async find(owner: Owner): Promise<Erasure | undefined> {
      const erasure = erasureSchema.safeParse(await records.get(ownerKey(owner))).data;
      return erasure?.erasedAt === undefined ? erasure : undefined;
    },
  };
}

export type Erasures = ReturnType<typeof createErasures>;
