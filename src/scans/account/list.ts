/**
 * The account's scans as a paged list, newest first: all scans, or those of a service, user, device or upload, or of
 * barcodes that contain a text. One call per page.
 */
import { type JoinedPage, joinPage, listPageSize, type PageEnd, rangeAfter } from '../../codereadr/lists/page-join.js';
import { retrieveScans, uploads } from '../../codereadr/operations/index.js';
import type { Upload } from '../../codereadr/operations/uploads.js';
import { utcZone } from '../../codereadr/operations/zones.js';
import type { Account } from '../../codereadr/types.js';
import { fromAccount, type SeenScan } from '../seen-scan.js';

/** The filter: ids of the account; `holds`: a part of the barcode, to the letter. */
export interface ScanFilter {
  readonly holds?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly userId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly uploadId?: string | undefined;
}

const only = (id: string | undefined) => (id === undefined ? undefined : [id]);

const idParams = ({ serviceId, userId, deviceId }: ScanFilter) => ({
  service_id: only(serviceId),
  user_id: only(userId),
  device_id: only(deviceId),
});

/** A page of scans. @throws AccountError */
export async function listScans(
  account: Account,
  filter: ScanFilter,
  pageEnd: PageEnd | undefined,
): Promise<JoinedPage<SeenScan>> {
  const { scans, count } = await account.client.call(retrieveScans, {
    valuelike: filter.holds,
    ...idParams(filter),
    upload_id: only(filter.uploadId),
    order_by: ['timestamp_desc', 'scan_id_desc'],
    showProperties: true,
    timezone: utcZone,
    ...rangeAfter(pageEnd, listPageSize),
  });
  return joinPage(
    scans.map((scan) => fromAccount(scan)),
    pageEnd,
    listPageSize,
    count,
  );
}

/** The newest scans, all in one call; `most`: at most 500, so that parsing them does not block. @throws AccountError */
export async function lastScans(
  account: Account,
  { serviceId }: Pick<ScanFilter, 'serviceId'>,
  most: number,
): Promise<readonly SeenScan[]> {
  const { scans } = await account.client.call(retrieveScans, {
    service_id: only(serviceId),
    order_by: ['timestamp_desc', 'scan_id_desc'],
    timezone: utcZone,
    limit: most,
  });
  return scans.slice(0, most).map((scan) => fromAccount(scan));
}

/** One scan; undefined where the account has no scan with the id. @throws AccountError */
export async function scanById(account: Account, id: string): Promise<SeenScan | undefined> {
  const { scans } = await account.client.call(retrieveScans, { scan_id: [id], limit: 1, timezone: utcZone });
  return scans.map((scan) => fromAccount(scan)).find((scan) => scan.id === id);
}

/** The account's uploads, in its own order. @throws AccountError */
export async function listUploads(
  account: Account,
  filter: Pick<ScanFilter, 'serviceId' | 'userId' | 'deviceId'>,
  pageEnd: PageEnd | undefined,
): Promise<JoinedPage<Upload>> {
  const answer = await account.client.call(uploads.retrieve, {
    ...idParams(filter),
    ...rangeAfter(pageEnd, listPageSize),
  });
  return joinPage(answer.uploads, pageEnd, listPageSize);
}
