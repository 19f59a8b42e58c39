/**
 * What this process waits for: requests to the account that have no answer yet, and statements that PostgreSQL works on.
 * All else that Scandesk does follows within a few turns of the event loop, so that the judge waits by no clock.
 */
import { subscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** Turns of the event loop in which nothing begins or ends. */
const quietTurns = 20;
/** The longest wait for an end, as a statement's may not be seen. */
const longestWaitMs = 20;

const requests = new Set<unknown>();
const statements = new Set<unknown>();
/** The number of beginnings and ends of requests and statements so far. */
let events = 0;
const waiting = new Set<() => void>();

function begin(works: Set<unknown>, work: unknown): void {
  events += 1;
  works.add(work);
}

function end(works: Set<unknown>, work: unknown): void {
  events += 1;
  works.delete(work);
  for (const resume of waiting) {
    resume();
  }
}

/** Requests to a relay are not counted: their answers may wait for the account's. */
const requestOf = (message: unknown) => (message as { readonly request: { readonly path: string } }).request;
subscribe('undici:request:create', (message) => {
  const request = requestOf(message);
  if (request.path.startsWith('/api/')) {
    begin(requests, request);
  }
});
subscribe('undici:request:trailers', (message) => end(requests, requestOf(message)));
subscribe('undici:request:error', (message) => end(requests, requestOf(message)));

type Method = (this: unknown, ...given: unknown[]) => unknown;

for (const name of ['connect', 'query', 'end'] as const) {
  const client = pg.Client.prototype as unknown as Record<typeof name, Method>;
  const run = client[name];
  client[name] = function (...given) {
    const work = {};
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      begin(statements, work);
      const called = (...results: unknown[]) => {
        end(statements, work);
        return callback(...results);
      };
      return run.call(this, ...given.slice(0, -1), called);
    }
    const result = run.apply(this, given);
    if (result instanceof Promise) {
      begin(statements, work);
      const over = () => end(statements, work);
      result.then(over, over);
    }
    return result;
  };
}

/**
 * Resolves once nothing is under way, and nothing begins.
 * @param held how many answers of the account the test holds back
 */
export async function stillness(held: () => number): Promise<void> {
  for (let quiet = 0; quiet < quietTurns; ) {
    const before = events;
    if (statements.size > 0 || requests.size > held()) {
      await nextEnd();
    } else {
      await new Promise((resolve) => setImmediate(resolve));
    }
    quiet = events === before ? quiet + 1 : 0;
  }
}

async function nextEnd(): Promise<void> {
  await new Promise<void>((resolve) => {
    const resume = () => {
      clearTimeout(timer);
      waiting.delete(resume);
      resolve();
    };
    const timer = setTimeout(resume, longestWaitMs);
    waiting.add(resume);
  });
}
