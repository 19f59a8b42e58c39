/**
 * A barcode's scans page by page, newest first: from the copy kept here for as long as it reaches, else from the account.
 * A page is a number; pieces are joined by overlap and id, never by the service's offset.
 */

import type { CallOptions } from '../../codereadr/types.js';
import type { Mirror, ScansCopy } from '../../mirror/index.js';
import type { SeenScan } from '../../scans/seen-scan.js';
import { callsLeftNow } from '../calls-left.js';
import { summarise } from '../summary.js';
import type { RemainingCalls, ScanSummary } from '../types.js';
import type { BarcodeQuery, Histories } from './histories.js';
import { mostScans } from './scan-reading.js';
import { merge, type Stream } from './streams.js';

export const pageSize = 10;

export interface PageRequest extends BarcodeQuery {
  /** From 0. */
  readonly page: number;
  /** Other spellings whose scans belong here too, as a lookup reported them. */
  readonly spellings?: readonly string[] | undefined;
  /** The account's scans are shown as of then or later: no older than on a card. */
  readonly notBefore?: number | undefined;
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
  /** The account's scans are known as they were then. */
  readonly asOf: number;
  readonly callsLeft: RemainingCalls;
}

/** @throws AccountError */
export type MoreScans = (request: PageRequest) => Promise<ScanPage>;

export function createSearch(deps: {
  readonly histories: Histories;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}): MoreScans {
  const { histories, mirror } = deps;

  /** The copy has no scans before a day: where it ends, the account is asked. */
  async function newest(
    subject: BarcodeQuery,
    wanted: number,
    copy: ScansCopy | undefined,
    { notBefore, ...options }: CallOptions & { readonly notBefore: number | undefined },
  ): Promise<{ readonly stream: Stream; readonly at: number }> {
    const copied = copy && copy.at >= (notBefore ?? 0) && (await histories.copied(subject, copy, options, wanted));
    return copy && copied && copied.scans.length >= wanted
      ? { stream: { ...copied, complete: false }, at: copy.at }
      : await histories.upTo(subject, wanted, options, notBefore);
  }

  return async ({ signal, page, spellings = [], notBefore, ...subject }) => {
    const from = page * pageSize;
    const wanted = from + pageSize + 1;
    const options = { priority: 'person', notBefore, ...(signal ? { signal } : {}) } as const;
    const copy = await mirror?.scansCopy(subject.owner);
    const read = await Promise.all(
      [subject.value, ...spellings].map((value) => newest({ ...subject, value }, wanted, copy, options)),
    );
    const history = merge(read.map(({ stream }) => stream));
    const more = history.scans.length > from + pageSize;
    return {
      value: subject.value,
      page,
      scans: history.scans.slice(from, from + pageSize),
      summary: summarise(history.scans, history.complete, history.total),
      older: more,
      endless: !more && !history.complete && history.scans.length >= mostScans,
      asOf: Math.min(...read.map(({ at }) => at)),
      callsLeft: callsLeftNow(subject.account.client.callsLeft()),
    };
  };
}
