/** The columns of a list of a database's values, as people name them in a header line. Pure. */

export type ValueColumn = 'value' | 'response' | 'validity';

/** The columns of a list without a header line, in order. */
export const valueColumns: readonly ValueColumn[] = ['value', 'response', 'validity'];

const names: Readonly<Record<ValueColumn, readonly string[]>> = {
  value: ['barcode', 'value', 'barcode value', 'code'],
  response: ['response', 'response text', 'message', 'text'],
  validity: ['validity', 'valid', 'is valid'],
};

export function valueColumnNamed(cell: string): ValueColumn | undefined {
  const name = cell
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  return valueColumns.find((column) => names[column].includes(name));
}

/** Whether a cell names the column by which Scandesk's exports say whether the account shows a barcode exactly. */
export function isExactColumn(cell: string): boolean {
  return /^\s*exact\s*$/i.test(cell);
}

/** The validity that a cell says, as the account writes it; undefined: neither. Empty where the cell is. */
export function validityIn(cell: string): '1' | '0' | '' | undefined {
  const [, yes, no] = /^\s*(?:(1|yes|true|valid)|(0|no|false|not valid)|)\s*$/i.exec(cell) ?? [cell];
  return yes !== undefined ? '1' : no !== undefined ? '0' : cell.trim() === '' ? '' : undefined;
}

/** Whether a line names columns: `value` and another one, or nothing else. A barcode may be spelled like one column. */
export function isValueHeader(cells: readonly string[]): boolean {
  const columns = cells.flatMap((cell) => valueColumnNamed(cell) ?? []);
  const filledCells = cells.filter((cell) => cell.trim() !== '' && !isExactColumn(cell));
  return columns.includes('value') && (columns.length === filledCells.length || columns.length > 1);
}

/** The columns that a header line names; empty cells name none. `wrong`: the first cell that cannot be a column. */
export function namedColumns(
  cells: readonly string[],
): readonly (ValueColumn | undefined)[] | { readonly wrong: number; readonly message: string } {
  const columns = cells.map(valueColumnNamed);
  for (const [index, column] of columns.entries()) {
    if (column === undefined && cells[index]!.trim() !== '') {
      const message = `“${cells[index]}” isn’t a column Scandesk knows. Use barcode, response and validity.`;
      return { wrong: index, message };
    }
    if (column !== undefined && columns.indexOf(column) < index) {
      return { wrong: index, message: `there is a second column for the ${columnLabels[column]}. Remove one of them.` };
    }
  }
  return columns;
}

export const columnLabels: Readonly<Record<ValueColumn, string>> = {
  value: 'barcode',
  response: 'response',
  validity: 'validity',
};
