/** The columns of an export. Times are in UTC as ISO 8601 and, but for those of relays, in the export's zone. Pure. */
import { DateTime } from 'luxon';
import type { PagedValue } from '../mirror/index.js';
import type { PlaceMinute } from '../places/index.js';
import { resultWords } from '../scans/result-words.js';
import type { FoundScan } from '../search/find-scans.js';
import type { ExportWhat, InsidePlace, OutPlace } from './types.js';

/** `isText`: the cells are outside text. Other cells are Scandesk's, and a spreadsheet may interpret them. */
export interface ColumnHead {
  readonly title: string;
  readonly isText: boolean;
}

export interface Column<Row> extends ColumnHead {
  readonly cell: (row: Row) => string;
}

export function cellsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[][] {
  return rows.map((row) => columns.map(({ cell }) => cell(row)));
}

const quarterMs = 15 * 60_000;

export function scanColumns(zone: string): readonly Column<FoundScan>[] {
  const text = (title: string, textOf: (found: FoundScan) => string): Column<FoundScan> => ({
    title,
    isText: true,
    cell: textOf,
  });
  return [
    text('Barcode', ({ scan }) => scan.value),
    text('Result', ({ scan }) => resultWords[scan.status]),
    text('Response', ({ scan }) => scan.result),
    ...times<FoundScan>('Scan time', zone, ({ scan }) => scan.at),
    text('Service', ({ scan }) => scan.service.name),
    text('Service ID', ({ scan }) => scan.service.id),
    text('User', ({ scan }) => scan.user.name),
    text('User ID', ({ scan }) => scan.user.id),
    text('Device', ({ scan }) => scan.device.name),
    text('Device ID', ({ scan }) => scan.device.id),
    text('Answers', ({ scan }) => lines(scan.answers.map(({ question, answer }) => [question, answer]))),
    text('Properties', ({ searched }) => lines(searched.properties.map(({ name, value }) => [name, value]))),
    times<FoundScan>('Received by relay', zone, ({ receivedAt }) => receivedAt)[0],
    text('Scan ID', ({ scan }) => scan.id ?? ''),
  ];
}

export const valueColumns: readonly Column<PagedValue>[] = [
  { title: 'Barcode', isText: true, cell: ({ value }) => value },
  { title: 'Valid', isText: false, cell: ({ valid }) => (valid ? 'Yes' : 'No') },
  { title: 'Response', isText: true, cell: ({ response }) => response },
  { title: 'Exact', isText: false, cell: ({ exact }) => (exact === undefined ? 'Not known' : exact ? 'Yes' : 'No') },
];

export function insideColumns(zone: string): readonly Column<PlaceMinute>[] {
  const figure = (title: string, figureOf: (minute: PlaceMinute) => number): Column<PlaceMinute> => ({
    title,
    isText: false,
    cell: (minute) => String(figureOf(minute)),
  });
  return [
    ...times<PlaceMinute>('Minute', zone, ({ at }) => at),
    figure('In', ({ ins }) => ins),
    figure('Out', ({ outs }) => outs),
    figure('Inside at its end', ({ inside }) => inside),
    figure('Most inside', ({ most }) => most),
  ];
}

export function rollCallColumns({ zone, named }: { readonly zone: string; readonly named: boolean }) {
  const columns: Column<InsidePlace>[] = [
    ...(named ? [{ title: 'Name', isText: true, cell: ({ place }: InsidePlace) => place.holder ?? '' }] : []),
    { title: 'Barcode', isText: true, cell: ({ place }) => place.value },
    { title: 'Gate', isText: true, cell: ({ gate }) => gate ?? '' },
    ...times<InsidePlace>('Inside since', zone, ({ place }) => place.at),
  ];
  return columns;
}

export function outColumns(zone: string): readonly Column<OutPlace>[] {
  return [
    { title: 'Who has it', isText: true, cell: ({ holder }) => holder ?? '' },
    { title: 'Barcode', isText: true, cell: ({ place }) => place.value },
    { title: 'Response', isText: true, cell: ({ place }) => place.response ?? '' },
    { title: 'List', isText: true, cell: ({ list }) => list.name },
    ...times<OutPlace>('Out since', zone, ({ place }) => place.at),
    ...times<OutPlace>('Due', zone, ({ place }) => place.dueAt),
    { title: 'Overdue', isText: false, cell: ({ isOverdue }) => (isOverdue ? 'Yes' : 'No') },
  ];
}

/** The columns of the file. */
export function columnsOf(exportedRows: ExportWhat): readonly ColumnHead[] {
  switch (exportedRows.kind) {
    case 'scans':
      return scanColumns(exportedRows.zone);
    case 'values':
      return valueColumns;
    case 'inside':
      return insideColumns(exportedRows.zone);
    case 'roll_call':
      return rollCallColumns(exportedRows);
    case 'out':
      return outColumns(exportedRows.zone);
  }
}

/** The columns of a time: in UTC, and in the zone. */
function times<Row>(title: string, zone: string, timeOf: (row: Row) => number | undefined) {
  const column = (place: string, timeText: (at: number) => string): Column<Row> => ({
    title: `${title} (${place})`,
    isText: false,
    cell(row) {
      const at = timeOf(row);
      return at === undefined ? '' : timeText(at);
    },
  });
  return [column('UTC', isoTime), column(zone, createLocalTime(zone))] as const;
}

/** Writes times as `2026-03-01 13:00:00`. Looking up an offset is slow: clocks change at quarters of an hour only. */
function createLocalTime(zone: string): (at: number) => string {
  let known = { quarter: Number.NaN, offsetMs: 0 };
  return (at) => {
    const quarter = Math.floor(at / quarterMs);
    if (quarter !== known.quarter) {
      known = { quarter, offsetMs: (DateTime.fromMillis(at, { zone }).offset || 0) * 60_000 };
    }
    return new Date(at + known.offsetMs).toISOString().slice(0, 19).replace('T', ' ');
  };
}

/** The pairs as lines in one cell. */
function lines(pairs: readonly (readonly [name: string, text: string])[]): string {
  return pairs.map(([name, text]) => `${name}: ${text}`).join('\n');
}

/** A time as ISO 8601, without milliseconds where they are 0. */
function isoTime(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
