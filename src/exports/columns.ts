/** The columns of an export. Times are in UTC as ISO 8601, and in the zone of whoever asked for it. Pure. */
import { DateTime } from 'luxon';
import type { PagedValue } from '../mirror/index.js';
import type { PlaceMinute } from '../places/index.js';
import { resultWords } from '../scans/result-words.js';
import type { FoundScan } from '../search/find-scans.js';
import { type Column, csvHeader } from './csv.js';
import type { ExportMode, ExportWhat, InsidePlace, OutPlace } from './types.js';

const quarterMs = 15 * 60_000;

export function scanColumns(zone: string): readonly Column<FoundScan>[] {
  const text = (title: string, textOf: (found: FoundScan) => string): Column<FoundScan> => ({
    title,
    text: true,
    of: textOf,
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
  { title: 'Barcode', text: true, of: ({ value }) => value },
  { title: 'Valid', text: false, of: ({ valid }) => (valid ? 'Yes' : 'No') },
  { title: 'Response', text: true, of: ({ response }) => response },
  { title: 'Exact', text: false, of: ({ exact }) => (exact === undefined ? 'Not known' : exact ? 'Yes' : 'No') },
];

export function insideColumns(zone: string): readonly Column<PlaceMinute>[] {
  const figure = (title: string, figureOf: (minute: PlaceMinute) => number): Column<PlaceMinute> => ({
    ...{ title, text: false, of: (minute) => String(figureOf(minute)) },
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
    ...(named ? [{ title: 'Name', text: true, of: ({ place }: InsidePlace) => place.holder ?? '' }] : []),
    { title: 'Barcode', text: true, of: ({ place }) => place.value },
    { title: 'Gate', text: true, of: ({ gate }) => gate ?? '' },
    ...times<InsidePlace>('Inside since', zone, ({ place }) => place.at),
  ];
  return columns;
}

export function outColumns(zone: string): readonly Column<OutPlace>[] {
  return [
    { title: 'Who has it', text: true, of: ({ holder }) => holder ?? '' },
    { title: 'Barcode', text: true, of: ({ place }) => place.value },
    { title: 'List', text: true, of: ({ list }) => list.name },
    ...times<OutPlace>('Out since', zone, ({ place }) => place.at),
    ...times<OutPlace>('Due', zone, ({ place }) => place.dueAt),
    { title: 'Overdue', text: false, of: ({ isOverdue }) => (isOverdue ? 'Yes' : 'No') },
  ];
}

/** The first line of the file. */
export function headerOf(exportedRows: ExportWhat, mode: ExportMode): string {
  switch (exportedRows.kind) {
    case 'scans':
      return csvHeader(scanColumns(exportedRows.zone), mode);
    case 'values':
      return csvHeader(valueColumns, mode);
    case 'inside':
      return csvHeader(insideColumns(exportedRows.zone), mode);
    case 'roll_call':
      return csvHeader(rollCallColumns(exportedRows), mode);
    case 'out':
      return csvHeader(outColumns(exportedRows.zone), mode);
  }
}

/** The columns of a time: in UTC, and in the zone. */
function times<Row>(title: string, zone: string, timeOf: (row: Row) => number | undefined) {
  const column = (place: string, toText: (at: number) => string): Column<Row> => ({
    ...{ title: `${title} (${place})`, text: false },
    of(row) {
      const at = timeOf(row);
      return at === undefined ? '' : toText(at);
    },
  });
  return [column('UTC', isoTime), column(zone, createLocalTime(zone))] as const;
}

/** `2026-03-01 13:00:00`. Zones change at quarters of an hour: looking one up takes longer than all the rest. */
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

/** A time as ISO 8601, in whole seconds where nothing is more exact. */
function isoTime(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
