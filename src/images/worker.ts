/** The worker thread: it reads one picture at a time, on Linux at a lower priority than the rest of the process. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { findBarcodes } from './find-barcodes.js';
import type { PictureResult } from './types.js';

export interface PictureRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface PictureAnswer {
  readonly id: number;
  readonly result: PictureResult;
}

sharp.cache(false);
sharp.concurrency(1);

// On Linux this sets the thread's own priority; elsewhere it would be the whole process's.
if (process.platform === 'linux') {
  try {
    setPriority(10);
  } catch {
    // A container may forbid the lower priority; pictures then run at the usual one.
  }
}

parentPort?.on('message', async ({ id, bytes }: PictureRequest) => {
  const answer: PictureAnswer = { id, result: await findBarcodes(bytes) };
  parentPort?.postMessage(answer);
});
