/**
 * Owns *more scans*: a barcode's scans page by page, newest first. A page is a number; what lies behind it is joined by
 * overlap and id, never by the service's idea of an offset.
 */
import { callsLeftNow } from './calls-left.js';
import type { Histories, Subject } from './histories.js';
import { mostScans } from './scan-reading.js';
import { summarise } from './summary.js';
import type { DeskCallsLeft, ScanSummary, SeenScan } from './types.js';

export const pageSize = 10;

export interface PageQuestion extends Subject {
  /** From 0. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ScanPage {
  readonly value: string;
  readonly page: number;
  readonly scans: readonly SeenScan[];
  /** Counted over everything read so far, not over this page alone. */
  readonly summary: ScanSummary;
  readonly older: boolean;
  /** There are older ones, further back than anybody pages. */
  readonly endless: boolean;
  readonly callsLeft: DeskCallsLeft;
}

/** @throws AccountError */
export type MoreScans = (question: PageQuestion) => Promise<ScanPage>;

export function createSearch(deps: { histories: Histories }): MoreScans {
  return async ({ signal, page, ...subject }) => {
    const from = page * pageSize;
    const history = await deps.histories.upTo(subject, from + pageSize + 1, {
      priority: 'person',
      ...(signal ? { signal } : {}),
    });
    const more = history.scans.length > from + pageSize;
    return {
      value: subject.value,
      page,
      scans: history.scans.slice(from, from + pageSize),
      summary: summarise(history.scans, history.complete, history.total),
      older: more,
      endless: !more && !history.complete && history.scans.length >= mostScans,
      callsLeft: callsLeftNow(subject.account.client.callsLeft()),
    };
  };
}
