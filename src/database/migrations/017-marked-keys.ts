/** Marks of several barcodes: a mark of one barcode, as they are stored, is a mark still. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const markedKeys: MigrationFor = () => ({
  async up(db): Promise<void> {
    await db.executeQuery(CompiledQuery.raw('alter table place_marks rename column key to keys'));
  },
});
