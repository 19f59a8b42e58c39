/** Readings of what has changed among an account's scans since its first full pass began, every few seconds. */
import { codeOf } from '../../errors.js';
import { readChanges } from '../passes/scan-pass.js';
import { mirrorSettings } from '../settings.js';
import { createBackoff, daysAgo, type MirrorStep, type MirrorStepDeps, openScanPass, rethrowIfOver } from './step.js';

export function createChangesStep(deps: MirrorStepDeps): MirrorStep {
  const { store, lease, clock, log, times } = deps;
  const backoff = createBackoff(clock, times);
  let dueAt = 0;
  return {
    untilDueMs: () => (dueAt > clock.now() ? dueAt - clock.now() : undefined),
    wake() {
      dueAt = 0;
      backoff.reset();
    },
    async poll() {
      const { scanDays } = mirrorSettings(await store.workspaces.settings(lease.mirror.owner));
      const { cursorAt, filled } = lease.mirror;
      // Until the first full pass is complete, no lookup reads the mirrored scans, and that pass needs the calls.
      if (scanDays === 0 || !filled || cursorAt === undefined || clock.now() < dueAt || backoff.waiting()) {
        return;
      }
      const startedAt = clock.now();
      try {
        const pass = await openScanPass(deps, daysAgo(clock, scanDays));
        const cursor = await readChanges(pass, cursorAt, deps.pageSize);
        await lease.update({ scans_at: startedAt, cursor_at: cursor, last_code: null });
        backoff.reset();
        dueAt = clock.now() + times.changesMs;
      } catch (error) {
        rethrowIfOver(deps, error);
        const code = codeOf(error);
        log.warn({ err: error, code }, 'changes of scans could not be read');
        await lease.update({ last_code: code });
        backoff.failed();
      }
    },
  };
}
