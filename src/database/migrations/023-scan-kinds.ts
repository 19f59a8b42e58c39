/** Says of each received scan from now on what it was: a receipt, a refusal or an admission, checked or not. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const scanKinds: MigrationFor = () => ({
  async up(db): Promise<void> {
    await db.executeQuery(CompiledQuery.raw('alter table received_scans add column kind text'));
  },
});
