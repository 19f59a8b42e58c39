/** Rows of exported files, .xlsx or CSV, as a reader of the file gets them. */
import { parse } from 'csv-parse/sync';
import { streamXlsxRows } from 'hucre/xlsx';

export async function rowsInFile(file: Uint8Array): Promise<string[][]> {
  if (Buffer.from(file.subarray(0, 2)).toString() !== 'PK') {
    return parse(Buffer.from(file), { record_delimiter: '\r\n', bom: true });
  }
  const rows: string[][] = [];
  for await (const { values } of streamXlsxRows(file)) {
    rows.push(values.map((value) => String(value ?? '')));
  }
  return rows;
}

/** The rows by column. */
export async function recordsInFile(file: Uint8Array): Promise<Record<string, string>[]> {
  const [head = [], ...rows] = await rowsInFile(file);
  return rows.map((row) => Object.fromEntries(head.map((title, at) => [title, row[at] ?? ''])));
}
