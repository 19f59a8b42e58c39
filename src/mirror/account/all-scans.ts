/** Full passes over an account's scans: the first fills the mirror, later ones find deleted scans. */
import { codeOf } from '../../errors.js';
import { readAll } from '../passes/scan-pass.js';
import { mirrorSettings } from '../settings.js';
import { createBackoff, daysAgo, type MirrorStep, type MirrorStepDeps, openScanPass, rethrowIfOver } from './step.js';

/** How far clocks may differ: changes that the account dates before the first pass are read again. */
const clocksDifferMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

export function createAllScansStep(deps: MirrorStepDeps): MirrorStep {
  const { store, scans, lease, lastPass, clock, log, times } = deps;
  const { id } = lease.mirror;
  const backoff = createBackoff(clock, times);

  /** Deletes the mirrored scans, when they are no longer wanted. */
  const forgetScans = async (): Promise<void> => {
    if (lease.mirror.scansSince !== undefined) {
      const none = { scans_since: null, scans_at: null, cursor_at: null, full_at: null };
      await lease.update({ ...none, filled: 0, scans: 0, read: 0, full_due_at: 0 });
      await scans.deleteAll(id);
    }
  };

  /**
   * Whether a full pass is due. A span longer than before needs older scans; for a shorter one, the next pass deletes
   * scans at its end.
   */
  const isDue = (since: number): boolean => {
    const { scansSince, fullDueAt } = lease.mirror;
    const further = scansSince !== undefined && since < scansSince - dayMs;
    return clock.now() >= fullDueAt || further;
  };

  const readAllScans = async (since: number): Promise<void> => {
    const startedAt = clock.now();
    const { cursorAt, scansSince, round, fullAt, connectedAt } = lease.mirror;
    // The number of a pass is its time: scans met by a failed pass do not count as met by the next one.
    lastPass.round = Math.max(startedAt, lastPass.round + 1);
    await lease.update({
      cursor_at: cursorAt ?? startedAt - clocksDifferMs,
      scans_since: scansSince ?? since,
      read: 0,
    });
    const changesBefore = await scans.changeNumber(id);
    const pass = await openScanPass(deps, since);
    const { size, calls } = await readAll(pass, deps.pageSize, (read) => lease.update({ read }));
    await scans.deleteStale(id, round);
    await scans.deleteBefore(id, since);
    // A listing may have been short: a scan that it lacked is deleted only if the next pass, which is soon, misses it.
    const isUnsure = await scans.hasStale(id, lastPass.round);
    await scans.settle(id, changesBefore);
    await lease.update({
      round: lastPass.round,
      filled: 1,
      scans: size,
      read: 0,
      scans_since: since,
      scans_at: lease.mirror.scansAt ?? startedAt,
      full_at: isUnsure ? (fullAt ?? connectedAt) : startedAt,
      full_due_at: clock.now() + Math.max(isUnsure ? times.freshMs : times.fullMs, calls * times.perCallMs),
    });
    log.info({ size, calls }, 'an account’s scans were mirrored');
  };

  return {
    wake: backoff.reset,
    async poll() {
      const { scanDays } = mirrorSettings(await store.workspaces.settings(lease.mirror.owner));
      if (scanDays === 0) {
        await forgetScans();
        return;
      }
      const scansSince = daysAgo(clock, scanDays);
      if (!isDue(scansSince) || backoff.waiting()) {
        return;
      }
      try {
        await readAllScans(scansSince);
        backoff.reset();
      } catch (error) {
        rethrowIfOver(deps, error);
        const code = codeOf(error);
        log.warn({ err: error, code }, 'an account’s scans could not be mirrored');
        await lease.update({ last_code: code });
        backoff.failed();
      }
    },
  };
}
