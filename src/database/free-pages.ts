/**
 * The return of a SQLite file's free pages to the disk, a few at a time; a tenth of the file stays free for new scans.
 * A file created before auto_vacuum was set returns nothing until it is vacuumed once (see docs/operating.md).
 */
import { sql } from 'kysely';
import type { Pace } from './pace.js';

const freeShare = 0.1;
/** SQLite's number for `pragma auto_vacuum = incremental`. */
const incremental = 2;

export async function giveBackFreePages(pace: Pace): Promise<void> {
  await pace.repeat(async (trx, size) => {
    const { rows } = await sql<{ mode: number; free: number; pages: number }>`
      select auto_vacuum as mode, freelist_count as free, page_count as pages
      from pragma_auto_vacuum, pragma_freelist_count, pragma_page_count`.execute(trx);
    const file = rows[0];
    if (file?.mode !== incremental || file.free <= file.pages * freeShare) {
      return false;
    }
    await sql.raw(`pragma incremental_vacuum(${size})`).execute(trx);
    return true;
  });
}
