/** The index of received scans by their relay goes: it cost every scan as much as the row. See `scans/received/received-scan-rows.ts`. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const noRelayIndex: MigrationFor = () => ({
  async up(db): Promise<void> {
    await db.executeQuery(CompiledQuery.raw('drop index received_scans_relay'));
  },
});
