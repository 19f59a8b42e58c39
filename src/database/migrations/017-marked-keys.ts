/** Lets a mark name several barcodes; the stored marks of one barcode stay valid. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const markedKeys: MigrationFor = () => ({
  async up(db): Promise<void> {
    await db.executeQuery(CompiledQuery.raw('alter table place_marks rename column key to keys'));
  },
});
