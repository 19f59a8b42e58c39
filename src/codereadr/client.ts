/**
 * A call of the account: it is validated, counted, shared by concurrent callers, sent, parsed, and logged. A write that
 * may have arrived is never retried. No error contains the key.
 */
import { createHash } from 'node:crypto';
import { codeOf } from '../errors.js';
import type { ProcessDeps } from '../process.js';
import { labelOf, parseInput } from './operations/check.js';
import { type Encoded, encodeInput } from './operations/encode.js';
import { limits, operationName } from './operations/index.js';
import type { InputOf, Operation, OutputOf } from './operations/operation.js';
import type { RateLimiter } from './rate-limiter.js';
import { createRequestBody } from './request-body.js';
import { readAnswer } from './response.js';
import { hideSecrets, secretsOf } from './secrets.js';
import { createSingleFlight, type Flight } from './single-flight.js';
import { type Transport, WireError } from './transport.js';
import { type AccountClient, AccountError, type CallOptions, type Priority } from './types.js';

export interface ClientDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'log' | 'metrics'> {
  readonly apiKey: string;
  readonly account: Transport;
  readonly generator: Transport;
  readonly quota: RateLimiter;
  /** Called after every change that may have been made: the section's cached names may be out of date. */
  readonly onChange: (section: string) => Promise<void>;
}

const defaultMaxWaitMs = 2_000;
const maxAttempts = 3;
const firstPauseMs = 150;
/** How long an answer is shared with callers that name the same version. */
const keepMs = 10_000;

interface Call {
  readonly operation: Operation;
  readonly encoded: Encoded;
  readonly priority: Priority;
  /** The end of the call's wait for the quota. */
  readonly until: number;
  readonly signal?: AbortSignal;
  readonly retries: boolean;
  readonly sharing: Pick<CallOptions, 'who' | 'version' | 'anew' | 'answeredAsOf'>;
  /** The secrets that no error may contain. */
  readonly secrets: readonly string[];
}

export function createClient(deps: ClientDeps): Omit<AccountClient, 'key'> {
  const { quota, clock, log, metrics } = deps;
  const flights = createSingleFlight<unknown>(clock);
  let inFlight = 0;
  let changes = 0;
  const forgetAnswers = () => {
    changes += 1;
    flights.forget();
  };

  function awaitQuota(call: Call, signal = call.signal): Promise<void> {
    return quota.acquire({
      priority: call.priority,
      maxWaitMs: Math.max(0, call.until - clock.now()),
      who: call.sharing.who,
      ...(signal && { signal }),
    });
  }

  async function attempt({ operation, encoded, secrets }: Call, signal?: AbortSignal): Promise<unknown> {
    const operationId = operationName(operation);
    const startedAt = clock.now();
    const wire = operation.host === 'generator' ? deps.generator : deps.account;
    inFlight += 1;
    try {
      const answer = await wire.post(createRequestBody(operation, encoded, deps.apiKey, deps.random), signal);
      const output = await readAnswer(operation, answer);
      if (operation === (limits.retrieve as Operation)) {
        const { minute, day } = output as OutputOf<typeof limits.retrieve>;
        quota.sync(minute, day, inFlight - 1);
      }
      record(operationId, 'ok', startedAt);
      return output;
    } catch (error) {
      record(operationId, codeOf(error), startedAt, error);
      throw hideSecrets(error, secrets);
    } finally {
      inFlight -= 1;
    }
  }

  function record(operation: string, outcome: string, startedAt: number, error?: unknown): void {
    const ms = clock.now() - startedAt;
    metrics.accountCalls.inc({ operation, outcome });
    metrics.accountSeconds.observe({ operation }, ms / 1000);
    if (!(error instanceof AccountError)) {
      log.debug({ operation, outcome, ms }, 'account call');
      return;
    }
    const { apiCode, reason, cause } = error;
    const failureLog = {
      operation,
      outcome,
      ms,
      apiCode,
      reason,
      cause: cause === undefined ? undefined : codeOf(cause),
    };
    const isExpected = outcome === 'account.refused' || outcome === 'account.aborted' || outcome === 'account.input';
    log[isExpected ? 'info' : 'warn'](failureLog, 'account call failed');
  }

  /** Sends a call that is counted already; retries a read whose connection failed before an answer. */
  async function send(call: Call, signal?: AbortSignal): Promise<unknown> {
    const repeatable = call.retries && call.operation.effect === 'read' && call.encoded.file === undefined;
    for (let attempts = 1; ; attempts += 1) {
      try {
        const output = await attempt(call, signal);
        quota.recordSuccess();
        return output;
      } catch (error) {
        if (!(error instanceof WireError)) {
          throw error;
        }
        if (error.neverSent) {
          quota.release();
        }
        if (!repeatable || attempts === maxAttempts) {
          throw error;
        }
        await clock.sleep(firstPauseMs * 3 ** (attempts - 1) * (1 + deps.random.fraction()), signal).catch(() => {
          throw error;
        });
        // A retry does not wait for the quota: its caller has waited once.
        await quota.acquire({ priority: call.priority, maxWaitMs: 0, ...(signal && { signal }) }).catch(() => {
          throw error;
        });
      }
    }
  }

  async function read(call: Call): Promise<unknown> {
    const key = flightKey(call);
    const { version, anew, answeredAsOf } = call.sharing;
    const join = async (flight: Flight<unknown>) => {
      const output = await flight.join(call.signal);
      answeredAsOf?.(flight.startedAt);
      return output;
    };
    for (;;) {
      const running = flights.get(key);
      if (running && !(anew && running.answered)) {
        return await join(running);
      }
      const start = flights.awaitStart(key);
      try {
        await awaitQuota(call, call.signal ? eitherSignal(call.signal, start.signal) : start.signal);
      } catch (error) {
        if (start.signal.aborted && !call.signal?.aborted) {
          continue;
        }
        throw error;
      } finally {
        start.stop();
      }
      const faster = flights.get(key);
      if (faster && !(anew && faster.answered)) {
        quota.release();
        return await join(faster);
      }
      return await join(flights.start(key, (signal) => send(call, signal), version === undefined ? 0 : keepMs));
    }
  }

  async function change(call: Call): Promise<unknown> {
    await awaitQuota(call);
    forgetAnswers();
    let notApplied = false;
    try {
      return await send(call);
    } catch (error) {
      notApplied = wasRefused(error) || (error instanceof WireError && error.neverSent);
      if (!notApplied && error instanceof AccountError) {
        error.unconfirmed = operationName(call.operation);
      }
      throw error;
    } finally {
      forgetAnswers();
      if (!notApplied) {
        await deps.onChange(call.operation.section);
      }
    }
  }

  /** Makes a call that is neither shared nor retried, as a file can be read only once. */
  async function callOnce(call: Call): Promise<unknown> {
    await awaitQuota(call);
    return await send(call, call.signal);
  }

  /** Makes a call. Where the account refuses it with error 111, nothing changed: it is made once more, if it may be. */
  async function withinQuota(call: Call): Promise<unknown> {
    const perform = call.operation.effect !== 'read' ? change : call.encoded.file ? callOnce : read;
    for (let isRetry = false; ; isRetry = true) {
      try {
        return await perform(call);
      } catch (error) {
        const period = exhaustedPeriod(error);
        if (period === undefined) {
          throw error;
        }
        quota.recordExhausted(period);
        if (isRetry || !call.retries || period === 'day' || call.encoded.file !== undefined) {
          throw quota.error(period, error);
        }
      }
    }
  }

  return {
    async call<Op extends Operation>(
      operation: Op,
      input: InputOf<Op>,
      options: CallOptions = {},
    ): Promise<OutputOf<Op>> {
      const parsed = parseInput(operation, input as Readonly<Record<string, unknown>>, { now: clock.now() });
      if (!parsed.ok) {
        throw invalidInput(operation, parsed.problems);
      }
      const typedInput = parsed.input as Readonly<Record<string, unknown>>;
      const adapted = operation.adapt?.(typedInput);
      const call: Call = {
        operation,
        encoded: encodeInput(operation, adapted?.input ?? typedInput),
        priority: options.priority ?? 'person',
        until: clock.now() + (options.maxWaitMs ?? defaultMaxWaitMs),
        retries: options.retries ?? true,
        sharing: options,
        ...(options.signal && { signal: options.signal }),
        secrets: [deps.apiKey, ...secretsOf(operation, typedInput)],
      };
      const output = await withinQuota(call);
      return (adapted ? adapted.output(output) : output) as OutputOf<Op>;
    },
    callsLeft: () => quota.callsLeft(),
    changes: () => changes,
  };
}

/** The key by which identical calls are shared. It stays in memory, as a password may be among the fields. */
function flightKey({ operation, encoded, sharing }: Call): string {
  return createHash('sha256')
    .update(JSON.stringify([operationName(operation), encoded.fields, sharing.version]))
    .digest('base64');
}

function wasRefused(error: unknown): boolean {
  return codeOf(error) === 'account.refused' || codeOf(error) === 'account.key_refused';
}

function exhaustedPeriod(error: unknown): 'minute' | 'day' | undefined {
  const code = error instanceof AccountError && error.code === 'account.refused' ? error.apiCode : undefined;
  return code === '111' ? 'minute' : code === '113' ? 'day' : undefined;
}

function invalidInput(operation: Operation, problems: NonNullable<AccountError['problems']>): AccountError {
  const firstProblem = problems[0];
  const names = problems.map((problem) => problem.path).join(', ');
  return new AccountError('account.input', `${operationName(operation)} rejected its input: ${names}`, {
    problems,
    ...(firstProblem && { param: firstProblem.param, label: labelOf(operation, firstProblem.param) }),
    ...(firstProblem?.apiCode !== undefined && { apiCode: firstProblem.apiCode }),
  });
}

function eitherSignal(a: AbortSignal, b: AbortSignal): AbortSignal {
  return AbortSignal.any([a, b]);
}
