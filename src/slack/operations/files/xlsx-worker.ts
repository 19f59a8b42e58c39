/**
 * The thread that reads an .xlsx file: its first sheet, row by row. The file unpacks to 200 MB at most, as its directory
 * says and as is held to; entities of its XML are not expanded; the thread's memory and time have limits.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { streamXlsxRows } from 'hucre/xlsx';
import type { CellKind, FileRecord } from './csv-records.js';

export type XlsxMessage =
  | { readonly records: readonly FileRecord[] }
  | { readonly end: 'whole' | 'too_large' | 'unreadable'; readonly text?: string };

const mostUnpackedBytes = 200_000_000;
const rowsAtOnce = 500;
/** Numbers keep 15 digits in a spreadsheet. */
const mostExact = 1e15;

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const isDeferred = 0xffffffff;

/** Whether the parts, as the file's directory says, unpack to too much; a size that it leaves out counts as that. */
function isTooLarge(bytes: Buffer): boolean {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== endOfDirectory) end -= 1;
  let at = bytes.readUInt32LE(end + 16);
  let unpackedBytes = 0;
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== directoryEntry) throw new RangeError('no entry of a ZIP directory');
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const isUnknown = unpacked === isDeferred || (unpacked === 0 && packed > 2);
    unpackedBytes += isUnknown ? Number.POSITIVE_INFINITY : unpacked;
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return unpackedBytes > mostUnpackedBytes;
}

function recordOf(index: number, values: readonly unknown[]): FileRecord {
  const kinds: Record<number, CellKind> = {};
  const cells = values.map((value, column) => {
    if (typeof value === 'number') {
      kinds[column] = Number.isInteger(value) && Math.abs(value) < mostExact ? 'number' : 'rounded';
    } else if (value instanceof Date) {
      kinds[column] = 'date';
      return value.toISOString().slice(0, 10);
    }
    return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value ?? '');
  });
  return { line: index + 1, cells, kinds };
}

async function read(bytes: Buffer): Promise<void> {
  const post = (message: XlsxMessage) => parentPort?.postMessage(message);
  if (isTooLarge(bytes)) {
    post({ end: 'too_large' });
    return;
  }
  let records: FileRecord[] = [];
  for await (const { index, values } of streamXlsxRows(bytes)) {
    const record = recordOf(index, values);
    if (record.cells.some((cell) => cell !== '')) records.push(record);
    if (records.length >= rowsAtOnce) {
      post({ records });
      records = [];
    }
  }
  post({ records });
  post({ end: 'whole' });
}

read(Buffer.from(workerData as Uint8Array)).catch((error: unknown) => {
  parentPort?.postMessage({ end: 'unreadable', text: String(error) } satisfies XlsxMessage);
});
