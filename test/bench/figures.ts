/**
 * Owns how figures are taken together and shown: medians, percentiles, one table, one JSON file.
 */
import { writeFileSync } from 'node:fs';

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

/** Dotted names become objects: `intake.sqlite.ratio`. */
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
