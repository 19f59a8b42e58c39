/**
 * The keeper of one account's mirror, while it holds the lease: passes over its databases, changes of its scans, full
 * passes over its scans. The three take turns at the account's calls (`call-share.ts`).
 */
import { codeOf } from '../../errors.js';
import { createPoller, type Poller } from '../../poller.js';
import { createCallShare } from '../call-share.js';
import { LeaseLost } from '../errors.js';
import type { AccountMirror, AccountMirrors } from '../tables/accounts.js';
import { createAllScansStep } from './all-scans.js';
import { createLease, type LeaseDeps } from './lease.js';
import { createChangesStep } from './scan-changes.js';
import type { MirrorStep, MirrorStepDeps } from './step.js';
import { createValueStep } from './values.js';

export interface KeepDeps extends LeaseDeps, Omit<MirrorStepDeps, 'lease' | 'share' | 'lastPass' | 'signal'> {
  readonly mirrors: AccountMirrors;
  /** The part of the account's calls that the mirror may use, from 0 to 1. */
  readonly share: number;
}

export interface Keeping {
  /** Resolves when the process stops, or the lease or the connection is lost. */
  readonly ended: Promise<void>;
  /** Polls at once, as something may be due. */
  wake(): void;
}

export function keepMirror(deps: KeepDeps, accountMirror: AccountMirror, stopping: AbortSignal): Keeping {
  const { mirrors, clock, log, metrics, worker, times } = deps;
  const leaseLost = new AbortController();
  const signal = AbortSignal.any([stopping, leaseLost.signal]);
  const lease = createLease(deps, accountMirror);
  const share = createCallShare({
    clock,
    share: deps.share,
    state: accountMirror.share,
    signal,
    onCall: () => metrics.mirrorCalls.inc(),
    save: async ({ nextCallAt, budget, budgetAt }) =>
      (await mirrors.update(worker, accountMirror.id, { next_call_at: nextCallAt, budget, budget_at: budgetAt })) !==
      undefined,
  });
  const stepDeps: MirrorStepDeps = { ...deps, lease, share, signal, lastPass: { round: accountMirror.round } };

  const pollerOf = ({ poll, untilDueMs }: MirrorStep, everyMs = times.pollMs): Poller =>
    createPoller({
      clock,
      everyMs,
      poll,
      untilDue: async () => untilDueMs?.(),
      onFailure(error) {
        if (error instanceof LeaseLost) {
          leaseLost.abort();
        } else if (!signal.aborted) {
          log.error({ err: error, code: codeOf(error) }, 'a step of the mirror failed');
        }
      },
    });

  const steps = [createValueStep(stepDeps), createChangesStep(stepDeps), createAllScansStep(stepDeps)];
  const heartbeat = pollerOf({ poll: () => lease.update({}) }, times.leaseMs / 3);
  const pollers = [...steps.map((step) => pollerOf(step)), heartbeat];

  const runPollers = async (): Promise<void> => {
    for (const poller of pollers) {
      poller.start();
    }
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    await Promise.all(pollers.map((poller) => poller.stop()));
    await lease.release();
  };

  return {
    ended: runPollers(),
    wake() {
      for (const step of steps) {
        step.wake?.();
      }
      for (const poller of pollers) {
        poller.wake();
      }
    },
  };
}
