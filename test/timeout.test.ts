import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.js';
import { abortAfter, withTimeout } from '../src/timeout.js';

const never = (signal: AbortSignal) =>
  new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('timeouts', () => {
  it('a timeout passes on an answer or failure that comes in time', async () => {
    expect(await withTimeout(systemClock, 10_000, async () => 'answer', 'late')).toBe('answer');
    await expect(withTimeout(systemClock, 10_000, () => Promise.reject(new Error('no')), 'late')).rejects.toThrow('no');
  });

  it('a timeout returns the fallback and aborts the work, even if the work fails afterwards', async () => {
    let aborted = false;
    const work = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return never(signal);
    };
    expect(await withTimeout(systemClock, 1, work, 'late')).toBe('late');
    expect(aborted).toBe(true);
  });

  it('a timeout aborts the work with the given reason', async () => {
    const reason = new Error('slow');
    await expect(abortAfter(systemClock, 1, reason, never)).rejects.toBe(reason);
  });

  it('a timeout stops its timer when the answer comes in time', async () => {
    let stopped = false;
    const clock = {
      ...systemClock,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_resolve, reject) =>
          signal?.addEventListener('abort', () => {
            stopped = true;
            reject(signal.reason);
          }),
        ),
    };
    await withTimeout(clock, 10_000, async () => 'answer', 'late');
    expect(stopped).toBe(true);
  });
});
