/** Aggregation and output of benchmark results: medians, percentiles, a table, a JSON file, the table in the docs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly beside: string;
  readonly ratio: string;
}

export function printTable(rows: readonly Row[]): void {
  const table = [{ what: 'what', ours: 'Scandesk', beside: 'beside', ratio: 'ratio' }, ...rows];
  const width = (key: keyof Row) => Math.max(...table.map((row) => row[key].length));
  for (const row of table) {
    process.stdout.write(
      `${row.what.padEnd(width('what'))}  ${row.ours.padStart(width('ours'))}  ${row.beside.padStart(width('beside'))}  ${row.ratio.padStart(width('ratio'))}\n`,
    );
  }
}

const [begin, end] = ['<!-- figures -->\n', '<!-- /figures -->\n'];

/** Writes the table between a document's two markers. */
export function writeDocument(file: string, rows: readonly Row[], day: string): void {
  const text = readFileSync(file, 'utf8');
  const [before, after] = [text.split(begin)[0], text.split(end)[1]];
  if (!text.includes(begin) || after === undefined) {
    throw new Error(`${file} has no place for figures`);
  }
  const lines = [
    '| what | Scandesk | beside | ratio |',
    '|---|---|---|---|',
    ...rows.map(({ what, ours, beside, ratio }) => `| ${what} | ${ours} | ${beside} | ${ratio} |`),
    '',
    `Taken ${day} with Node ${process.versions.node} on ${cpus().length} cores, the load coming from the same machine.`,
  ];
  writeFileSync(file, `${before}${begin}${lines.join('\n')}\n${end}${after}`);
}

/** Writes the figures as JSON; dotted names as `intake.sqlite.ratio` become nested objects. */
export function writeFigures(file: string, figures: ReadonlyMap<string, number>): void {
  const root: Record<string, unknown> = {};
  for (const [name, value] of figures) {
    const path = name.split('.');
    let at = root;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Record<string, unknown>;
    }
    at[path.at(-1)!] = Number(value.toFixed(3));
  }
  writeFileSync(file, `${JSON.stringify(root, null, 2)}\n`);
}
