/** What a database already has of the values in a file: by the copy of the account, or read from the account. */
import type { Clock } from '../../../clock.js';
import { fold } from '../../../codereadr/barcode-equality.js';
import { listValues } from '../../../codereadr/lists/value-list.js';
import type { Account, DatabaseValue } from '../../../codereadr/types.js';
import type { Mirror } from '../../../mirror/index.js';
import type { Owner } from '../../../ownership.js';
import type { ValueCells } from './value-file.js';

/** `unknown`: the copy is not sure of the value. */
export type Known = 'new' | 'changed' | 'same' | 'unknown';
export interface ValueComparison {
  /** When the database was as it is compared with. */
  readonly asOf: number;
  readonly compare: (rows: readonly ValueCells[]) => Promise<readonly Known[]>;
}

/** The most values that are read from the account for a comparison: each thousand costs a call. */
const mostRead = 2_000;
const pageSize = 1_000;

/** The comparison with a database; undefined: no copy is kept of it, and it is too large to be read for this. */
export async function comparisonWith(
  {
    mirror,
    account,
    owner,
    clock,
  }: {
    readonly mirror?: Mirror | undefined;
    readonly account: Account;
    readonly owner: Owner;
    readonly clock: Clock;
  },
  database: { readonly id: string; readonly count?: number | undefined; readonly caseSensitive?: boolean | undefined },
): Promise<ValueComparison | undefined> {
  const copy = (await mirror?.view(owner))?.databases.find(
    ({ databaseId, fetchedAt }) => databaseId === database.id && fetchedAt !== undefined,
  );
  if (mirror && copy?.fetchedAt !== undefined) {
    const compareRow = async (row: ValueCells): Promise<Known> => {
      const [answer] = await mirror.values([copy], row.value);
      return answer?.kind === 'found' ? knownAs(row, answer) : answer?.kind === 'absent' ? 'new' : 'unknown';
    };
    return { asOf: copy.fetchedAt, compare: (rows) => Promise.all(rows.map(compareRow)) };
  }
  if (database.count === undefined || database.count > mostRead) {
    return undefined;
  }
  const asOf = clock.now();
  const values = new Map<string, DatabaseValue>();
  const keyOf = (value: string) => (database.caseSensitive ? value : fold(value));
  for (let end: Awaited<ReturnType<typeof listValues>>['end']; values.size < database.count; ) {
    const page = await listValues(account, { databaseId: database.id }, end, { pageSize });
    for (const value of page.items) values.set(keyOf(value.value), value);
    end = page.end;
    if (!end) break;
  }
  const compareRow = (row: ValueCells): Known => {
    const value = values.get(keyOf(row.value));
    return value ? knownAs(row, value) : 'new';
  };
  return { asOf, compare: async (rows) => rows.map(compareRow) };
}

/** A response or validity that the file does not have is sent as empty, and as valid. */
function knownAs(
  cells: ValueCells,
  { valid, response }: Pick<DatabaseValue, 'valid' | 'response'>,
): 'changed' | 'same' {
  return cells.response === response && (cells.validity !== '0') === valid ? 'same' : 'changed';
}
