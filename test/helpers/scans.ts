/** Scans in a test's store: written as a commit writes them, and read by barcode. */

import type { Owner } from '../../src/ownership.js';
import { scanKey } from '../../src/scans/key.js';
import { readingMoment } from '../../src/scans/moment.js';
import { ensureOwner, findOwner } from '../../src/scans/owners.js';
import { type ScanRecord, toScan, utcMoment } from '../../src/scans/received/received-scan-rows.js';
import { testProperty } from '../../src/scans/received/test-scan.js';
import type { Store } from '../../src/workspaces/types.js';

/** Columns of a received scan, with its owner; what is left out is as of a valid scan without answers. */
export interface ReceivedRow extends Owner {
  readonly id: string;
  readonly relay_id: string;
  readonly received_at: number;
  readonly tid: string;
  readonly [column: string]: unknown;
}

export async function storeReceived({ db }: Pick<Store, 'db'>, rows: readonly ReceivedRow[]): Promise<void> {
  const numbers = new Map<string, number>();
  const stored = [];
  for (const { installation, team, ...row } of rows) {
    const name = JSON.stringify([installation, team]);
    const owner = numbers.get(name) ?? (await ensureOwner(db, { installation, team }));
    numbers.set(name, owner);
    const scannedAt = utcMoment((row.scanned_at_utc as string | null | undefined) ?? undefined);
    stored.push({
      ...{ valid: 1, answer_text: '', answers: '[]', properties: '[]', raw: '[]' },
      ...row,
      ...{ owner, key: scanKey(row.tid), at: readingMoment(scannedAt, row.received_at), scanned_at: scannedAt ?? null },
      test: String(row.properties ?? '').includes(testProperty) ? 1 : 0,
    });
  }
  for (let from = 0; from < stored.length; from += 500) {
    await db
      .insertInto('received_scans')
      .values(stored.slice(from, from + 500) as never)
      .execute();
  }
}

/** The owner's scans of exactly this value, newest first. */
export async function receivedOf(
  { db }: Pick<Store, 'db'>,
  owner: Owner,
  value: string,
  limit = 100,
): Promise<readonly ScanRecord[]> {
  const rows = await db
    .selectFrom('received_scans')
    .selectAll()
    .where('owner', '=', (await findOwner(db, owner)) ?? 0)
    .where('tid', '=', value)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => toScan(row, owner));
}
