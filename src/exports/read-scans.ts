/**
 * The next part of an export of scans, newest first: about 2,000, what a second of reading finds, or a page of the
 * account's. It ends between two moments, so that the next part begins there, whatever scans were added meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, steadyNow } from '../clock.js';
import { type FindScansDeps, readFoundScans, walkOf } from '../search/find-scans.js';
import { matches } from '../search/query.js';
import { cellsOf, scanColumns } from './columns.js';
import { readLivePage } from './live-page.js';
import { ExportFailed, type ExportPart, type PartRequest } from './part.js';

const mostRows = 2_000;
const budgetMs = 1_000;
/** The most rows that are written in one turn of the event loop. */
const rowsPerTurn = 250;

export function createScanReader(deps: FindScansDeps & { readonly clock: Clock }) {
  const { clock, mirror } = deps;
  return async ({ record, account, signal }: PartRequest): Promise<ExportPart> => {
    const { owner, what, position } = record;
    if (what.kind !== 'scans') {
      throw new ExportFailed('export.failed', 'not an export of scans');
    }
    const { query, zone } = what;
    const copy = await mirror?.scansCopy(owner);
    const source = position.source ?? (copy ? 'copy' : 'account');
    if (source === 'copy' && !copy) {
      throw new ExportFailed('export.copy_gone', 'the copy that it was read from is gone');
    }
    const walk = walkOf(query, what.from, position.to ?? what.to);
    // Where the mirror does not keep the account's scans, each part is a page of the account's own.
    const page = source === 'account' ? await readLivePage(account, walk, signal) : undefined;
    const walkLeft = page ? { ...walk, from: page.reached } : walk;
    const request = { owner, account, walk: walkLeft, priority: 'background', signal } as const;
    const slices = readFoundScans(deps, request, page ? { live: page.scans } : copy);
    const columns = scanColumns(zone);
    const startedAt = steadyNow(clock);
    const rows: string[][] = [];
    let nextFrom = page && page.reached > what.from ? page.reached : undefined;
    for await (const { reached, scans } of slices) {
      const wantedScans = scans.filter(
        ({ at, searched }) => at < walk.to && matches(query, { from: what.from, to: what.to }, searched),
      );
      // Other work gets a turn, for which SQLite's reads leave no time.
      await nextTurn();
      for (let row = 0; row < wantedScans.length; row += rowsPerTurn) {
        rows.push(...cellsOf(columns, wantedScans.slice(row, row + rowsPerTurn)));
        await nextTurn();
      }
      signal.throwIfAborted();
      const isEnough = !page && (rows.length >= mostRows || steadyNow(clock) - startedAt >= budgetMs);
      if (Number.isFinite(reached) && reached + 1 < walk.to && isEnough) {
        nextFrom = reached + 1;
        break;
      }
    }
    const asOf = {
      source,
      asOf: position.asOf ?? copy?.at ?? clock.now(),
      ...(copy && !page ? { since: copy.since, fullAt: position.fullAt ?? copy.fullAt } : {}),
    };
    return {
      rows,
      isLast: nextFrom === undefined,
      costsCalls: page !== undefined,
      position: { ...asOf, ...(nextFrom === undefined ? {} : { to: nextFrom }) },
    };
  };
}
