/** The log of the app's last thousand calls, workflow starts and responses among them. It holds no credentials. */
import type { Clock } from '../../../clock.js';
import type { RecordedCall } from '../api.js';

export interface Calls {
  add(call: { method: string; error?: string | undefined; body: Readonly<Record<string, unknown>> }): void;
  since(n: number): readonly RecordedCall[];
}

const mostRecorded = 1000;
const credentials = new Set(['token', 'client_secret', 'code']);
const tokenShape = /xox[a-z]-[A-Za-z0-9-]+/g;

export function createCalls(clock: Clock): Calls {
  const calls: RecordedCall[] = [];
  let n = 0;
  return {
    add({ method, error, body }) {
      n += 1;
      const keptArguments = Object.fromEntries(
        Object.entries(body)
          .filter(([name]) => !credentials.has(name))
          .map(([name, value]) => [name, parsedJson(value)]),
      );
      calls.push({
        n,
        at: clock.now(),
        method,
        ok: error === undefined,
        ...(error === undefined ? {} : { error }),
        body: JSON.parse(JSON.stringify(keptArguments).replace(tokenShape, '[token]')) as Record<string, unknown>,
      });
      if (calls.length > mostRecorded) {
        calls.shift();
      }
    },
    since: (from) => calls.filter((call) => call.n > from),
  };
}

/** Parses a form's JSON text, so that a script reads blocks as objects. */
function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) {
    return value;
  }
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
