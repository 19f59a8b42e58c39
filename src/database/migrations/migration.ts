/** The type of a migration, which runs on either database. */
import type { Migration } from 'kysely';
import type { StoreKind } from '../types.js';

export type MigrationFor = (kind: StoreKind) => Migration;
