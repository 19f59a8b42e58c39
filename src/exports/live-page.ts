/**
 * A page of the account's scans by the time they were made, newest first, read from the account itself. The account's
 * offset cannot be trusted: the last second of a page may not be whole, so it is left out and begins the next page.
 */
import { DateTime } from 'luxon';
import { accountTime } from '../codereadr/account-time.js';
import { isShortPage, refuseShortPage } from '../codereadr/lists/short-page.js';
import { retrieveScans } from '../codereadr/operations/index.js';
import { utcZone } from '../codereadr/operations/zones.js';
import type { Account, RecordedScan } from '../codereadr/types.js';
import type { DatedScan, ScanWalk } from '../scans/index.js';
import { ever } from '../scans/walk.js';
import { backgroundCall } from './part.js';

const pageSize = 500;
/** The most scans of one second that a page can hold. */
const largestPage = 64 * pageSize;

/** Reads a page of the scans before `to`. `reached`: all of them that were made from this time on are in the page. */
export async function readLivePage(account: Account, { from, to, barcode }: ScanWalk, signal: AbortSignal) {
  const filter =
    barcode === undefined ? {} : barcode.match === 'is' ? { value: barcode.text } : { valuelike: barcode.text };
  for (let pageLimit = pageSize; ; pageLimit *= 4) {
    const { count, scans } = await account.client.call(
      retrieveScans,
      {
        ...filter,
        ...dateFilters(from, to),
        order_by: ['timestamp_desc', 'scan_id_desc'],
        showProperties: true,
        timezone: utcZone,
        limit: pageLimit,
      },
      { ...backgroundCall, signal },
    );
    const placed = placedScans(scans, to);
    // An answer shorter than asked is the last one only where it does not count more.
    const isCut = isShortPage({ count, length: scans.length, limit: pageLimit });
    if (scans.length === 0) {
      refuseShortPage({ count, length: 0, limit: pageLimit });
    }
    const last = scans.length < pageLimit && !isCut ? undefined : placed.at(-1);
    const reached = last ? last.at + 1_000 : from;
    if (reached < to) {
      return { reached, scans: placed.filter(({ at }) => at < to && at >= reached) };
    }
    // All scans of the page are of one second: only a larger page reads further.
    if (pageLimit >= largestPage) {
      throw new Error('too many scans of one second');
    }
  }
}

/** The page's scans with times. One whose time cannot be parsed gets that of the scan that it follows. */
function placedScans(scans: readonly RecordedScan[], until: number): readonly DatedScan[] {
  let before = until - 1;
  return scans.map((scan) => {
    before = accountTime(scan.timestamp) ?? before;
    return { at: before, scan, modifiedAt: 0 };
  });
}

/** The reference does not say whether the last second is part of the answer: it is requested, and dropped again. */
function dateFilters(from: number, to: number) {
  const last = DateTime.fromMillis(Math.ceil(to / 1_000) * 1_000, { zone: 'utc' });
  const first = DateTime.fromMillis(from, { zone: 'utc' });
  return {
    ...(from > 0 ? { start_date: first.toFormat('yyyy-MM-dd'), start_time: first.toFormat('HH:mm:ss') } : {}),
    ...(to < ever.to ? { end_date: last.toFormat('yyyy-MM-dd'), end_time: last.toFormat('HH:mm:ss') } : {}),
  };
}
