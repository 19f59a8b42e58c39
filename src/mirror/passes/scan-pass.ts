/**
 * Readings of an account's scans: changes since the last reading, by the times at which the account received and
 * changed scans, and full passes, which find deleted ones. A scan goes once two complete full passes did not meet it.
 */
import { DateTime } from 'luxon';
import type { Clock } from '../../clock.js';
import { PagesDoNotOverlap, readPages } from '../../codereadr/lists/read-pages.js';
import { retrieveScans } from '../../codereadr/operations/index.js';
import type { InputOf } from '../../codereadr/operations/operation.js';
import { utcZone } from '../../codereadr/operations/zones.js';
import type { Account, RecordedScan } from '../../codereadr/types.js';
import { inTurns } from '../../in-turns.js';
import { type DatedScan, dated } from '../../scans/account/account-scan-rows.js';
import type { CallShare } from '../call-share.js';
import { MirrorError, refuseUnsteadyPage } from '../errors.js';
import type { MirroredScans } from '../tables/scans.js';
import { isTooMuch } from './value-pass.js';

export interface ScanPass {
  readonly clock: Clock;
  readonly scans: MirroredScans;
  readonly share: CallShare;
  readonly account: Account;
  readonly mirrorId: number;
  /** The number that marks scans in answers to calls from now on. */
  readonly round: () => number;
  /** The time from which scans are kept; those made earlier are not. */
  readonly since: number;
}

const minPageSize = 200;
/** How far readings overlap, for scans that the account was still storing when it answered. */
const overlapMs = 2 * 60_000;

type Query = InputOf<typeof retrieveScans>;

/**
 * Reads changes from the cursor on, oldest first, so that a shortened page leaves only newer ones to the next reading.
 * @returns the new cursor: when the account changed the last scan that was read
 */
export async function readChanges(pass: ScanPass, cursorAt: number, pageSize: number): Promise<number> {
  const firstQuery = {
    ...dateFrom(cursorAt - overlapMs),
    timestamp_modified: '1',
    timestamp_received: '1',
    order_by: ['timestamp_modified', 'scan_id'],
  } as const;
  let cursor = cursorAt;
  await readScans(pass, firstQuery, 0, pageSize, () => async (page) => {
    cursor = page.reduce((latest, { modifiedAt }) => Math.max(latest, modifiedAt), cursor);
  });
  return cursor;
}

/** Reads all scans made since `pass.since`. @returns how many scans, and the calls that they took */
export async function readAll(
  pass: ScanPass,
  pageSize: number,
  progress: (read: number) => Promise<unknown>,
): Promise<{ size: number; calls: number }> {
  const firstQuery = {
    ...dateFrom(pass.since),
    timestamp_modified: '2',
    timestamp_received: '2',
    order_by: ['scan_id'],
  } as const;
  let size = 0;
  const calls = await readScans(pass, firstQuery, Number.POSITIVE_INFINITY, pageSize, () => {
    size = 0;
    return async (page) => {
      size += page.length;
      await progress(size);
    };
  });
  return { size, calls };
}

/** @param begin starts a reading: the first one, or one from the first page again with smaller pages */
async function readScans(
  pass: ScanPass,
  firstQuery: Query,
  expected: number,
  pageSize: number,
  begin: () => (page: readonly DatedScan[]) => Promise<void>,
): Promise<number> {
  let changesBefore = 0;
  let round = 0;
  for (let pageLimit = pageSize, calls = 0; ; pageLimit = Math.ceil(pageLimit / 4)) {
    const pages = readPages<RecordedScan>(
      {
        async read(limit, offset) {
          calls += 1;
          return pass.share.run(pass.account, async (options) => {
            changesBefore = await pass.scans.changeNumber(pass.mirrorId);
            round = pass.round();
            const query = { ...firstQuery, showProperties: true, timezone: utcZone, limit, offset };
            const answer = await pass.account.client.call(retrieveScans, query, options);
            refuseUnsteadyPage({ count: answer.count, length: answer.scans.length, limit, offset });
            return answer.scans;
          });
        },
        keyOf: ({ id }) => id,
        expected,
      },
      pageLimit,
    );
    const onPage = begin();
    try {
      for await (const page of pages) {
        const now = pass.clock.now();
        // Reading the times of a whole page at once would hold the event loop for half a second.
        const scans = await inTurns(page, (scan) => (scan.id === '' ? [] : dated(scan, now)));
        const recentScans = scans.filter(({ at }) => at >= pass.since);
        await pass.scans.put(pass.mirrorId, round, recentScans, changesBefore);
        await onPage(scans);
      }
      return calls;
    } catch (error) {
      if (error instanceof PagesDoNotOverlap) {
        throw new MirrorError('relay.database_unsteady', error.message, { cause: error });
      }
      if (!isTooMuch(error) || pageLimit <= minPageSize) {
        throw error;
      }
    }
  }
}

function dateFrom(at: number): { start_date: string; start_time: string } {
  const time = DateTime.fromMillis(at, { zone: 'utc' });
  return { start_date: time.toFormat('yyyy-MM-dd'), start_time: time.toFormat('HH:mm:ss') };
}
