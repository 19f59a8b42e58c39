/** Injected faults: a test makes the next calls of a method fail as Slack does when it has problems. */
import type { ServerResponse } from 'node:http';
import type { Rules } from '../api.js';
import { send, sendJson } from '../http.js';

export type Fault = Rules['faults'][number];

/** The fault for this call of `method`, if any; reduces its count by one. */
export function takeFault(rules: Rules, method: string): Fault | undefined {
  const fault = rules.faults.find((one) => one.method === method && one.times > 0);
  if (fault) {
    rules.faults = rules.faults
      .map((one) => (one === fault ? { ...one, times: one.times - 1 } : one))
      .filter((one) => one.times > 0);
  }
  return fault;
}

/** Whether the work is done anyway: before a slow response, or although the connection breaks before any response. */
export function isWorkedOn(fault: Fault): boolean {
  return fault.as === 'die' || fault.as === 'slow';
}

/**
 * Plays a fault in which the call takes no effect.
 * @returns the error for the call log; undefined if the call takes effect
 */
export function playFault(fault: Fault, res: ServerResponse): string | undefined {
  switch (fault.as) {
    case '429':
      sendJson(res, 429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(fault.retryAfter ?? 1) });
      return 'ratelimited';
    case '500':
      sendJson(res, 500, { ok: false, error: 'internal_error' });
      return 'internal_error';
    case '503':
      send(res, 503, 'text/plain; charset=utf-8', 'upstream connect error');
      return '503';
    case 'refused': {
      const { error = 'fatal_error', needed } = fault;
      sendJson(res, 200, { ok: false, error, ...(needed === undefined ? {} : { needed, provided: '' }) });
      return error;
    }
    case 'html':
      send(res, 200, 'text/html; charset=utf-8', '<!DOCTYPE html><title>Slack</title><h1>Server Error</h1>');
      return 'html';
    case 'timeout':
      return 'timeout';
    case 'reset':
      res.socket?.resetAndDestroy();
      return 'reset';
    case 'die':
    case 'slow':
      return undefined;
  }
}
