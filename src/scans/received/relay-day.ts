/**
 * One relay's scans in the order they came, as little of each as counting needs, in slices that never hold the event
 * loop for long. Test scans are left out.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { leastId } from '../../database/ids.js';
import type { Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { Owner } from '../../ownership.js';
import { utcMoment } from './table.js';
import { isTestScan } from './test-scan.js';

export interface BriefReceivedScan {
  /** When it was scanned where the device said so, else when it came. */
  readonly at: number;
  readonly receivedAt: number;
  readonly valid: boolean;
  /** Result code; undefined for scans from before there were any. */
  readonly finding?: string;
  /** As it was validated before it came, with the text of that. */
  readonly givenStatus?: string;
  readonly givenText?: string;
  readonly serviceId?: string;
  readonly udid?: string;
}

const atOnce = 500;
const longestText = 200;
const property = z.array(z.object({ name: z.string(), value: z.string() }));

/** Those received from `from` until before `to`. */
export async function* scansOfRelay(
  db: Kysely<Schema>,
  { installation, team }: Owner,
  relayId: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<readonly BriefReceivedScan[], void> {
  for (let after = leastId(Math.max(0, from)); ; ) {
    const rows = await db
      .selectFrom('scans')
      .select(['id', 'received_at', 'scanned_at_utc', 'valid', 'finding', 'given_status', 'sid', 'udid'])
      .select(sql<string | null>`substr(given_text, 1, ${sql.lit(longestText)})`.as('given_text'))
      // Few barcodes begin so: the properties of all others stay unread.
      .select(sql<string | null>`case when tid like 'SCANDESK-TEST-%' then tid end`.as('test_tid'))
      .select(sql<string | null>`case when tid like 'SCANDESK-TEST-%' then properties end`.as('test_properties'))
      .where('relay_id', '=', relayId)
      .where('installation', '=', installation)
      .where('team', '=', team)
      .where('id', '>=', after)
      .where('id', '<', leastId(Math.max(0, to)))
      .orderBy('id')
      .limit(atOnce)
      .execute();
    yield rows
      .filter((row) => !isTest(row.test_tid, row.test_properties))
      .map((row) => ({
        at: utcMoment(row.scanned_at_utc ?? undefined) ?? row.received_at,
        receivedAt: row.received_at,
        valid: row.valid === 1,
        ...(row.finding === null ? {} : { finding: row.finding }),
        ...(row.given_status === null ? {} : { givenStatus: row.given_status }),
        ...(row.given_text === null ? {} : { givenText: row.given_text }),
        ...(row.sid === null ? {} : { serviceId: row.sid }),
        ...(row.udid === null ? {} : { udid: row.udid }),
      }));
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) {
      return;
    }
    // The least id that sorts behind it.
    after = `${last.id}0`;
    await nextTurn();
  }
}

function isTest(tid: string | null, properties: string | null): boolean {
  return tid !== null && properties !== null && isTestScan({ tid, properties: readJson(property, properties, 'scan') });
}

/** Scans received before that time may have been deleted; 0: none were. */
export async function prunedBefore(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('scans_pruned').select('before').executeTakeFirst();
  return row?.before ?? 0;
}
