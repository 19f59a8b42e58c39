/** Parts of the docs that are made from declarations, between two markers. `UPDATE_DOCS=1` writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The text between `<!-- name -->` and `<!-- /name -->` of a file. */
export function writtenIn(file: string, name: string): string | undefined {
  return between(name).exec(readFileSync(resolve(root, file), 'utf8'))?.[0];
}

/** @param columns the headings; each of `rows` has a cell for each */
export function expectTable(
  file: string,
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  expectWritten(file, name, [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line), ''].join('\n'));
}

export function expectWritten(file: string, name: string, wanted: string): void {
  const path = resolve(root, file);
  if (process.env.UPDATE_DOCS) {
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(between(name), () => wanted),
    );
  }
  expect(writtenIn(file, name)).toBe(wanted);
}

const between = (name: string) => new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
