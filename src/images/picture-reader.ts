/**
 * Reads barcodes from pictures in one worker thread, one after the other. The worker starts with the first picture, and
 * anew after it died or hung; it never holds up the event loop, nor the end of the process.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { mostPictureBytes, type PictureResult } from './types.js';
import type { PictureAnswer, PictureRequest } from './worker.js';

/** How long one picture may take once its turn has come. */
const timeoutMs = 20_000;

/** The most pictures that wait: with more, people would wait too long. */
const mostWaiting = 20;
/** The most bytes that wait in memory: three of the largest pictures. */
const mostWaitingBytes = 3 * mostPictureBytes;

interface Job {
  readonly bytes: Uint8Array;
  finish(result: PictureResult): void;
}

const refusal = (why: 'failed' | 'busy') => ({ kind: 'refused', why }) as const;

export function createPictureReader(deps: {
  readonly clock: Clock;
  readonly log: Log;
  /** The compiled worker; tests that run from sources name it. */
  readonly workerFile?: URL;
  readonly timeoutMs?: number;
}) {
  const { clock, log, workerFile = new URL('./worker.js', import.meta.url) } = deps;
  const limitMs = deps.timeoutMs ?? timeoutMs;
  const waitingJobs: Job[] = [];
  let worker: Worker | undefined;
  let lastId = 0;
  let isBusy = false;
  let isStopped = false;

  function workerOrNew(): Worker {
    if (!worker) {
      const started = new Worker(workerFile);
      started.on('error', (error) => log.error({ err: error }, 'the picture worker failed'));
      started.on('exit', () => {
        if (worker === started) worker = undefined;
      });
      started.unref();
      worker = started;
    }
    return worker;
  }

  async function readInWorker(bytes: Uint8Array): Promise<PictureResult> {
    const pictureWorker = workerOrNew();
    lastId += 1;
    const id = lastId;
    const deadline = new AbortController();
    const answer = await new Promise<PictureResult | undefined>((resolve) => {
      const finishJob = (result?: PictureResult) => {
        pictureWorker.off('message', onMessage).off('exit', onExit);
        deadline.abort();
        resolve(result);
      };
      const onMessage = (message: PictureAnswer) => {
        if (message.id === id) finishJob(message.result);
      };
      const onExit = () => finishJob();
      pictureWorker.on('message', onMessage).on('exit', onExit);
      clock.sleep(limitMs, deadline.signal).then(
        () => finishJob(),
        () => undefined,
      );
      pictureWorker.postMessage({ id, bytes } satisfies PictureRequest);
    });
    if (answer) {
      return answer;
    }
    if (!isStopped)
      log.warn({ bytes: bytes.byteLength }, 'a picture could not be read; the picture worker is started anew');
    if (worker === pictureWorker) worker = undefined;
    await pictureWorker.terminate();
    return refusal('failed');
  }

  async function runJobs(): Promise<void> {
    isBusy = true;
    for (let job = waitingJobs.shift(); job; job = waitingJobs.shift()) {
      job.finish(
        isStopped
          ? refusal('busy')
          : await readInWorker(job.bytes).catch((error: unknown) => {
              log.error({ err: error }, 'the picture worker could not be started');
              return refusal('failed');
            }),
      );
    }
    isBusy = false;
  }

  return {
    /** Reads a picture. Never rejects. The worker gets a copy of the bytes. */
    read(bytes: Uint8Array): Promise<PictureResult> {
      const waitingBytes = waitingJobs.reduce((sum, job) => sum + job.bytes.byteLength, bytes.byteLength);
      if (isStopped || waitingJobs.length >= mostWaiting || waitingBytes > mostWaitingBytes) {
        return Promise.resolve(refusal('busy'));
      }
      return new Promise((finish) => {
        waitingJobs.push({ bytes, finish });
        if (!isBusy) void runJobs();
      });
    },
    /** Ends the worker; pictures that still wait are refused. */
    async stop(): Promise<void> {
      isStopped = true;
      await worker?.terminate();
    },
  };
}

export type PictureReader = ReturnType<typeof createPictureReader>;
