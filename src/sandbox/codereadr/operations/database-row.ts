/** A database's row, and how it compares its values. */
import { fold } from '../store/sqlite.js';

export interface DatabaseRow {
  readonly id: number;
  readonly name: string;
  readonly case_sensitive: number;
  readonly changed_at: number;
}

/** How a database compares its values: as they are, or without regard to case. */
export function keyOf(database: DatabaseRow, value: string): string {
  return database.case_sensitive ? value : fold(value);
}
