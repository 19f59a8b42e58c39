/** The type of a migration, which runs on either database; see `columns.ts` for the differences. */
import type { Migration } from 'kysely';
import type { StoreKind } from '../types.js';

export type MigrationFor = (kind: StoreKind) => Migration;
