/**
 * The account's scans by the time they were made, newest first, read from the account itself: a page a call, each from
 * the second on in which the last one ended, since its offset cannot be trusted.
 */
import { DateTime } from 'luxon';
import { accountTime } from '../codereadr/account-time.js';
import { retrieveScans } from '../codereadr/operations/index.js';
import { utcZone } from '../codereadr/operations/zones.js';
import type { Account, RecordedScan } from '../codereadr/types.js';
import type { ScanSlice, ScanWalk, WalkedScan } from '../mirror/index.js';
import { ever } from '../search/find-scans.js';
import { backgroundCall } from './part.js';

const pageSize = 1_000;
/** Of scans in one second. */
const largestPage = 64 * pageSize;
const everything = Number.NEGATIVE_INFINITY;

export async function* liveScans(
  account: Account,
  { from, to, barcode }: ScanWalk,
  signal: AbortSignal,
): AsyncGenerator<ScanSlice, void> {
  const filter =
    barcode === undefined ? {} : barcode.match === 'is' ? { value: barcode.text } : { valuelike: barcode.text };
  const seen = new Set<string>();
  let until = to;
  for (let limit = pageSize; ; ) {
    const { scans } = await account.client.call(
      retrieveScans,
      {
        ...filter,
        ...span(from, until),
        order_by: ['timestamp_desc', 'scan_id_desc'],
        showProperties: true,
        timezone: utcZone,
        limit,
      },
      { ...backgroundCall, signal },
    );
    const walked = placed(scans, until);
    const fresh = walked.filter(({ at, scan }) => at < to && at >= from && !seen.has(scan.id));
    const last = scans.length < limit ? undefined : walked.at(-1);
    yield { reached: last?.at ?? everything, scans: fresh };
    if (!last) {
      return;
    }
    for (const { scan } of fresh) {
      seen.add(scan.id);
    }
    // All of one second: only a larger page leads on.
    const leadsOn = last.at + 1_000 < until;
    if (!leadsOn && limit >= largestPage) {
      throw new Error('too many scans of one second');
    }
    limit = leadsOn ? pageSize : limit * 4;
    until = Math.min(until, last.at + 1_000);
  }
}

/** One whose time cannot be read stays behind the one it follows. */
function placed(scans: readonly RecordedScan[], until: number): readonly WalkedScan[] {
  let before = until - 1;
  return scans.map((scan) => {
    before = accountTime(scan.timestamp) ?? before;
    return { at: before, scan };
  });
}

/** Whether the last second is part of it, the reference does not say: it is asked for, and dropped again. */
function span(from: number, to: number) {
  const last = DateTime.fromMillis(Math.ceil(to / 1_000) * 1_000, { zone: 'utc' });
  const first = DateTime.fromMillis(from, { zone: 'utc' });
  return {
    ...(from > 0 ? { start_date: first.toFormat('yyyy-MM-dd'), start_time: first.toFormat('HH:mm:ss') } : {}),
    ...(to < ever.to ? { end_date: last.toFormat('yyyy-MM-dd'), end_time: last.toFormat('HH:mm:ss') } : {}),
  };
}
