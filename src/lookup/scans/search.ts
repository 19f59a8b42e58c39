/**
 * A barcode's scans page by page, newest first. A page is a number; pieces are joined by overlap and id, never by the
 * service's offset.
 */

import type { SeenScan } from '../../scans/seen-scan.js';
import { callsLeftNow } from '../calls-left.js';
import { summarise } from '../summary.js';
import type { RemainingCalls, ScanSummary } from '../types.js';
import type { BarcodeQuery, Histories } from './histories.js';
import { mostScans } from './scan-reading.js';
import { merge } from './streams.js';

export const pageSize = 10;

export interface PageRequest extends BarcodeQuery {
  /** From 0. */
  readonly page: number;
  /** Other spellings whose scans belong here too, as a lookup reported them. */
  readonly spellings?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ScanPage {
  readonly value: string;
  readonly page: number;
  readonly scans: readonly SeenScan[];
  /** Over everything read so far, not this page alone. */
  readonly summary: ScanSummary;
  readonly older: boolean;
  /** There are older scans than can be paged to. */
  readonly endless: boolean;
  readonly callsLeft: RemainingCalls;
}

/** @throws AccountError */
export type MoreScans = (request: PageRequest) => Promise<ScanPage>;

export function createSearch(deps: { histories: Histories }): MoreScans {
  return async ({ signal, page, spellings = [], ...subject }) => {
    const from = page * pageSize;
    const options = { priority: 'person', ...(signal ? { signal } : {}) } as const;
    const values = [subject.value, ...spellings];
    const streams = await Promise.all(
      values.map((value) => deps.histories.upTo({ ...subject, value }, from + pageSize + 1, options)),
    );
    const history = merge(streams);
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
