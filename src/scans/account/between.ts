/** The mirrored scans of a time, in pages that never block the event loop for long. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { RecordedScan } from '../../codereadr/types.js';
import type { Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';

export type BriefScan = Pick<RecordedScan, 'id' | 'value' | 'status' | 'service' | 'timestamp'>;

/** Rows at once: each is about a kilobyte. */
const pageSize = 100;

const countedShape = z.object({
  id: z.string(),
  value: z.string(),
  status: z.enum(['valid', 'invalid', 'not_validated', 'other']),
  service: z.object({ id: z.string(), name: z.string() }),
  timestamp: z.string(),
});

export function readBrief(record: string): BriefScan {
  return readJson(countedShape, record, 'scan');
}

/** Made from `from` until before `to`. */
export async function* scansBetween(
  db: Kysely<Schema>,
  mirrorId: number,
  from: number,
  to: number,
): AsyncGenerator<readonly BriefScan[]> {
  let last = { at: from, scan_id: '' };
  for (;;) {
    const rows = await db
      .selectFrom('mirrored_scans')
      .select(['at', 'scan_id', 'record'])
      .where('mirror_id', '=', mirrorId)
      .where((eb) => eb(eb.refTuple('at', 'scan_id'), '>', eb.tuple(last.at, last.scan_id)))
      .where('at', '<', to)
      .orderBy('at')
      .orderBy('scan_id')
      .limit(pageSize)
      .execute();
    yield rows.map(({ record }) => readBrief(record));
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) {
      return;
    }
    last = end;
    await nextTurn();
  }
}
