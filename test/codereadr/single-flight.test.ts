import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSingleFlight } from '../../src/codereadr/single-flight.js';

function opened<T>() {
  const started: { signal: AbortSignal; answer: (value: T) => void; fail: (error: Error) => void }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<T>((answer, fail) => {
      started.push({ signal, answer, fail });
    });
  return { started, work };
}

describe('equal requests in flight', () => {
  it('equal requests in flight are sent once, and every caller gets the answer', async () => {
    const { started, work } = opened<string>();
    const inFlight = createSingleFlight<string>();
    const both = [inFlight.share('a', undefined, work), inFlight.share('a', undefined, work)];
    expect(started).toHaveLength(1);
    started[0]?.answer('yes');
    expect(await Promise.all(both)).toEqual(['yes', 'yes']);
  });

  it('an equal request is sent again after the first request failed', async () => {
    const { started, work } = opened<string>();
    const inFlight = createSingleFlight<string>();
    const first = inFlight.share('a', undefined, work);
    started[0]?.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    const second = inFlight.share('a', undefined, work);
    expect(started).toHaveLength(2);
    started[1]?.answer('yes');
    expect(await second).toBe('yes');
  });

  it('two different requests in flight are both sent', () => {
    const { started, work } = opened<string>();
    const inFlight = createSingleFlight<string>();
    void inFlight.share('a', undefined, work);
    void inFlight.share('b', undefined, work);
    expect(started).toHaveLength(2);
  });

  it('a shared request continues while one caller still waits, and is aborted with the last caller', async () => {
    const { started, work } = opened<string>();
    const inFlight = createSingleFlight<string>();
    const one = new AbortController();
    const two = new AbortController();
    const both = Promise.allSettled([inFlight.share('a', one.signal, work), inFlight.share('a', two.signal, work)]);
    one.abort();
    await turn();
    expect(started[0]?.signal.aborted).toBe(false);
    two.abort();
    const outcomes = await both;
    expect(started[0]?.signal.aborted).toBe(true);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
      'account.aborted',
      'account.aborted',
    ]);
  });

  it('a request that was aborted is sent again for the next caller', async () => {
    const { started, work } = opened<string>();
    const inFlight = createSingleFlight<string>();
    const gone = new AbortController();
    const first = inFlight.share('a', gone.signal, work);
    gone.abort();
    await expect(first).rejects.toMatchObject({ code: 'account.aborted' });
    const second = inFlight.share('a', undefined, work);
    started[1]?.answer('yes');
    expect(await second).toBe('yes');
  });

  it('a request is not sent for a caller who has already stopped waiting', async () => {
    const { started, work } = opened<string>();
    const share = createSingleFlight<string>().share('a', AbortSignal.abort(), work);
    await expect(share).rejects.toMatchObject({ code: 'account.aborted' });
    expect(started).toHaveLength(0);
  });
});
