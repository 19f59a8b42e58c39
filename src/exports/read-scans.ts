/**
 * The next part of an export of scans, newest first: a few thousand, or what a second of reading finds. A part ends
 * between two seconds, so that the next one begins where it ended, whatever was added meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.js';
import type { Account } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import { type FindScansDeps, findScans, walkOf } from '../search/find-scans.js';
import type { FoundScan } from '../search/merged-scans.js';
import { matches } from '../search/query.js';
import { scanColumns } from './columns.js';
import { csvRows } from './csv.js';
import { liveScans } from './live-scans.js';
import { ExportFailed, type ExportPart, type PartRequest } from './part.js';

const mostRows = 2_000;
const budgetMs = 1_000;
/** Rows written in one turn of the event loop. */
const atOnce = 250;

export interface ScanPartDeps extends FindScansDeps {
  readonly clock: Clock;
}

export function createScanReader(deps: ScanPartDeps) {
  const { clock, received, mirror } = deps;
  const passing = (): number => clock.steady?.() ?? clock.now();

  const isCopied = async (owner: Owner): Promise<boolean> =>
    (await mirror?.scanWalk(owner, { from: 0, to: 0 })) !== undefined;

  return async ({ record, account, signal }: PartRequest): Promise<ExportPart> => {
    const { owner, what, mode, position } = record;
    if (what.kind !== 'scans') {
      throw new ExportFailed('export.failed', 'not an export of scans');
    }
    const { query, zone, from } = what;
    const to = position.to ?? what.to;
    const source = position.source ?? ((await isCopied(owner)) ? 'copy' : 'account');
    const live = source === 'account' ? { scanWalk: walkLive(account, clock, signal) } : mirror;
    const walk = walkOf(query, from, to);
    const found = await findScans({ received, mirror: live }, { owner, account, walk, priority: 'background', signal });
    if (found.copy === undefined) {
      throw new ExportFailed('export.copy_gone', 'the copy that it was read from is gone');
    }
    const columns = scanColumns(zone);
    const began = passing();
    let text = '';
    let rows = 0;
    let next: number | undefined;
    for await (const { reached, scans } of found.slices) {
      const own: readonly FoundScan[] = scans.filter(
        ({ at, searched }) => at < to && matches(query, { from, to: what.to }, searched),
      );
      // On SQLite nothing else gives way to other work.
      await nextTurn();
      for (let row = 0; row < own.length; row += atOnce) {
        text += csvRows(columns, own.slice(row, row + atOnce), mode);
        await nextTurn();
      }
      rows += own.length;
      signal.throwIfAborted();
      const isEnough = rows >= mostRows || passing() - began >= budgetMs || source === 'account';
      const end = (Math.floor(reached / 1_000) + 1) * 1_000;
      if (Number.isFinite(reached) && end < to && isEnough) {
        next = end;
        break;
      }
    }
    const { at, since } = found.copy;
    const asOf = { source, asOf: position.asOf ?? at, ...(source === 'copy' ? { since } : {}) };
    return {
      ...{ text, rows, isLast: next === undefined, costsCalls: source === 'account' },
      position: { ...asOf, ...(next === undefined ? {} : { to: next }) },
    };
  };
}

/** In place of the copy, where the account's scans are not kept here. */
function walkLive(
  account: Account,
  clock: Clock,
  signal: AbortSignal,
): NonNullable<FindScansDeps['mirror']>['scanWalk'] {
  return async (_owner, walk) => ({
    scans: liveScans(account, walk, signal),
    withIds: async () => [],
    ...{ at: clock.now(), since: 0 },
  });
}
