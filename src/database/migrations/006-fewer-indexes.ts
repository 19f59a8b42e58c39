/**
 * Two indexes of received scans go: each had an order of its own, so that every scan wrote a page of it, which together
 * cost more than the row. A repeat is found by its barcode and moment; by its key only where the device's clock was wrong.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const fewerIndexes: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      'drop index received_scans_device',
      'drop index received_scans_repeat',
      `create unique index received_scans_repeat on received_scans (relay_id, repeat_key)
        where repeat_key is not null and (scanned_at is null or at <> scanned_at)`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
