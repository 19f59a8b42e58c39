/** The records of an .xlsx file, read in a thread of its own with bounded memory and time: see `xlsx-worker.ts`. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FileRecord } from './csv-records.js';
import { FileError } from './files.js';
import type { XlsxMessage } from './xlsx-worker.js';

const longestMs = 60_000;
const heapMegabytes = 512;

/** Sources have no compiled thread beside them: they run the built one. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../dist/xlsx-worker.js' : './xlsx-worker.js',
  import.meta.url,
);

/** Whether the bytes are a ZIP archive, as those of an .xlsx file. */
export function isXlsx(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PK\u0003\u0004';
}

/** Reads the first sheet; empty rows are left out. @throws FileError for a file that cannot be read, or is too large */
export async function* xlsxRecords(bytes: Uint8Array): AsyncGenerator<FileRecord> {
  const worker = new Worker(workerFile, {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  try {
    const messages = on(worker, 'message', { signal: AbortSignal.timeout(longestMs), close: ['exit'] });
    for await (const [message] of messages as AsyncIterable<[XlsxMessage]>) {
      if ('records' in message) {
        yield* message.records;
      } else if (message.end === 'whole') {
        return;
      } else {
        throw message.end === 'too_large' ? tooLargeError() : unreadable(message.text);
      }
    }
    throw unreadable('the thread ended');
  } catch (error) {
    if (error instanceof FileError) {
      throw error;
    }
    const { code, name } = error as NodeJS.ErrnoException;
    throw code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'AbortError' ? tooLargeError(error) : unreadable(error);
  } finally {
    await worker.terminate();
  }
}

function tooLargeError(cause?: unknown): FileError {
  return new FileError(
    'form.file_too_large',
    'The spreadsheet is too large to be read. Split it, or save the sheet as “CSV UTF-8”, and upload it again.',
    cause,
  );
}

function unreadable(cause: unknown): FileError {
  return new FileError(
    'form.file_unreadable',
    'The spreadsheet can’t be read. Open it, save it again as .xlsx without a password, and upload it.',
    cause,
  );
}
