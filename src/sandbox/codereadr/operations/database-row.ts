/** A database's row, and how it compares its values. */
import { fold } from '../store/sqlite.js';

export interface DatabaseRow {
  readonly id: number;
  readonly name: string;
  readonly case_sensitive: number;
  readonly changed_at: number;
}

/** The key by which a database compares its values: the value itself, or case-folded. */
export function keyOf(database: DatabaseRow, value: string): string {
  return database.case_sensitive ? value : fold(value);
}
