/** A migration of either database: nearly all of it is the same, see `columns.ts` for what is not. */
import type { Migration } from 'kysely';
import type { StoreKind } from '../types.js';

export type MigrationFor = (kind: StoreKind) => Migration;
