/** Faults that the sandbox injects for tests and demos: which, and how often. In memory: a restart clears them. */
import { z } from 'zod';

const injectedFault = z.object({
  /** The operation as `section/action`; default every operation. */
  operation: z.string().max(100).optional(),
  times: z.number().int().min(1).max(100_000),
  as: z.enum(['slow', 'html', 'truncated', 'empty', '500', 'reset', 'refused']),
  delay_ms: z.number().int().min(0).max(600_000).optional(),
  /** For `refused`: the error code to answer. */
  code: z.string().max(10).optional(),
});

export const faultsRequest = z
  .object({
    next: z.array(injectedFault).max(100),
    unclosed_uploads: z.boolean(),
    lost_answers: z.number().int().min(0).max(100_000),
    api_key_refused: z.boolean(),
    free_plan: z.boolean(),
    get_allowed: z.boolean(),
    minute_limit: z.number().int().min(-1).max(1_000_000),
    day_limit: z.number().int().min(-1).max(10_000_000),
    minute_left: z.number().int().min(0).max(1_000_000),
    day_left: z.number().int().min(0).max(10_000_000),
  })
  .partial();

export type FaultsRequest = z.output<typeof faultsRequest>;
export type Fault = z.output<typeof injectedFault>;

export interface Faults {
  set(request: FaultsRequest): void;
  state(): { next: Fault[]; unclosed_uploads: boolean; lost_answers: number; api_key_refused: boolean };
  /** The fault to inject into this call, if any; each call of `take` uses up one of its times. */
  take(operation: string): Fault | undefined;
  readonly apiKeyRefused: boolean;
  readonly unclosedUploads: boolean;
  /** Whether to lose the answer to this request; asking consumes it. */
  loseAnswer(): boolean;
}

export function createFaults(): Faults {
  let nextFaults: Fault[] = [];
  let unclosed = false;
  let refused = false;
  let lostCount = 0;
  return {
    set: (request) => {
      if (request.next) nextFaults = request.next.map((fault) => ({ ...fault }));
      unclosed = request.unclosed_uploads ?? unclosed;
      refused = request.api_key_refused ?? refused;
      lostCount = request.lost_answers ?? lostCount;
    },
    state: () => ({ next: nextFaults, unclosed_uploads: unclosed, lost_answers: lostCount, api_key_refused: refused }),
    take: (operation) => {
      const found = nextFaults.find((fault) => fault.operation === undefined || fault.operation === operation);
      if (!found) return undefined;
      found.times -= 1;
      nextFaults = nextFaults.filter((fault) => fault.times > 0);
      return found;
    },
    get apiKeyRefused() {
      return refused;
    },
    get unclosedUploads() {
      return unclosed;
    },
    loseAnswer: () => {
      if (lostCount === 0) return false;
      lostCount -= 1;
      return true;
    },
  };
}
