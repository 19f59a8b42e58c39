/**
 * A barcode's scans page by page, newest first: from the copy kept here for as long as it reaches, else from the account.
 * A page is a number; pieces are joined by overlap and id, never by the service's offset.
 */
import type { Mirror } from '../../mirror/index.js';
import type { SeenScan } from '../../scans/seen-scan.js';
import { callsLeftNow } from '../calls-left.js';
import { summarise } from '../summary.js';
import type { RemainingCalls, ScanSummary } from '../types.js';
import type { BarcodeQuery, Histories, Stream } from './histories.js';
import { mostScans } from './scan-reading.js';

export const pageSize = 10;

export interface PageRequest extends BarcodeQuery {
  /** The page, from 0. */
  readonly page: number;
  /** Other spellings whose scans count for the barcode, as a lookup reported them. */
  readonly spellings?: readonly string[] | undefined;
  /** The time as of which the account's scans must be known at least: a card's. */
  readonly notBefore?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ScanPage {
  readonly value: string;
  readonly page: number;
  readonly scans: readonly SeenScan[];
  /** The summary of all scans read so far, not of this page alone. */
  readonly summary: ScanSummary;
  readonly older: boolean;
  /** Whether there are older scans than people can page to. */
  readonly endless: boolean;
  /** The time as of which the account's scans are known. */
  readonly asOf: number;
  readonly callsLeft: RemainingCalls;
}

export function createSearch(deps: {
  readonly histories: Histories;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}) {
  const { histories, mirror } = deps;

  /** The newest scans. The copy ends at a day; for older scans, the account is asked. */
  async function newestScans(
    { signal, notBefore = 0, spellings = [], page: _page, ...subject }: PageRequest,
    wantedCount: number,
  ): Promise<{ readonly history: Stream; readonly asOf: number }> {
    const options = { priority: 'person', signal } as const;
    const allSpellings = { ...subject, spellings: [subject.value, ...spellings] };
    const copy = await mirror?.scansCopy(subject.owner);
    const copied = copy && copy.at >= notBefore && (await histories.copied(allSpellings, copy, options, wantedCount));
    if (copy && copied && copied.scans.length >= wantedCount) {
      return { history: { ...copied, complete: false }, asOf: copy.at };
    }
    const read = await Promise.all(
      allSpellings.spellings.map((value) =>
        histories.readAtLeast({ ...subject, value }, wantedCount, options, notBefore),
      ),
    );
    const readings = read.map(({ reading }) => reading);
    const history = await histories.answered(allSpellings, readings, Math.min(wantedCount, mostScans), options);
    return { history, asOf: Math.min(...read.map(({ at }) => at)) };
  }

  return async (request: PageRequest): Promise<ScanPage> => {
    const { page, value, account } = request;
    const firstIndex = page * pageSize;
    const { history, asOf } = await newestScans(request, firstIndex + pageSize + 1);
    const hasMore = history.scans.length > firstIndex + pageSize;
    return {
      value,
      page,
      scans: history.scans.slice(firstIndex, firstIndex + pageSize),
      summary: summarise(history.scans, history.complete, history.total),
      older: hasMore,
      endless: !hasMore && !history.complete && history.scans.length >= mostScans,
      asOf,
      callsLeft: callsLeftNow(account.client.callsLeft()),
    };
  };
}
