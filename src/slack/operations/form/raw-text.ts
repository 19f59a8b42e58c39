/** Raw values as the text of an input, and back. Pure; never trims a barcode. */
import { stringify } from 'csv-stringify/sync';
import type { Values } from '../types.js';

export function isOn(raw: unknown): boolean {
  return raw === true || /^(1|true|yes|on)$/i.test(String(raw));
}

export function parseList(raw: unknown): readonly string[] {
  const items = Array.isArray(raw) ? raw.map(String) : String(raw).split(',');
  return items.map((item) => item.trim()).filter(Boolean);
}

/** A raw value as a person types it: a line for each record or map entry; other lists separated by commas. */
export function textOf(rawValue: unknown, inLines: boolean, columns: readonly string[]): string {
  if (Array.isArray(rawValue)) {
    return inLines ? recordLines(rawValue, columns) : rawValue.map(String).join(', ');
  }
  if (typeof rawValue === 'object' && rawValue !== null) {
    const values = Object.values(rawValue);
    return values.some((value) => typeof value === 'object')
      ? textOf(values, inLines, columns)
      : Object.entries(rawValue)
          .map(([name, value]) => `${name}=${String(value)}`)
          .join('\n');
  }
  return String(rawValue);
}

/** The records as lines of text; empty where a record holds a field that is no column of a line. */
function recordLines(records: readonly Values[], columns: readonly string[]): string {
  if (records.some((record) => Object.keys(record).some((field) => !columns.includes(field)))) {
    return '';
  }
  const rows = records.map((record) => {
    const cells = columns.map((column) => cell(record[column]));
    return cells.slice(0, Math.max(1, cells.findLastIndex((each) => each !== '') + 1));
  });
  return stringify(rows).replace(/\n$/, '');
}

function cell(value: unknown): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : value === undefined ? '' : String(value);
}
