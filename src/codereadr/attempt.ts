/**
 * Errors as data: a part of a lookup that failed is shown next to the parts that did not. Only an AccountError becomes
 * data; any other error is thrown on.
 */
import { z } from 'zod';
import { AccountError, type AccountErrorCode, brokenReasons } from './types.js';

const accountErrorCodes = [
  'account.refused',
  'account.key_refused',
  'account.quota',
  'account.unreachable',
  'account.slow',
  'account.broken',
  'account.input',
  'account.aborted',
] as const satisfies readonly AccountErrorCode[];

/** An error of the account as data. `apiText` is the service's own text: escape it. */
export const failureShape = z
  .object({
    code: z.enum(accountErrorCodes),
    apiCode: z.string().optional(),
    apiText: z.string().optional(),
    reason: z.enum(brokenReasons).optional(),
    quota: z
      .object({ period: z.enum(['minute', 'day']), left: z.number(), againAt: z.number() })
      .readonly()
      .optional(),
  })
  .readonly();

export type Failure = z.output<typeof failureShape>;

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: AccountError };

/** Turns an error into data. An aborted call fails with its signal's reason, if that is an AccountError. */
export async function attempt<T>(work: Promise<T>, signal?: AbortSignal): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (!(error instanceof AccountError)) {
      throw error;
    }
    const givenUp = error.code === 'account.aborted' && signal?.reason instanceof AccountError;
    return { ok: false, error: givenUp ? signal.reason : error };
  }
}

export function failureOf(error: AccountError): Failure {
  return {
    code: error.code,
    ...(error.apiCode === undefined ? {} : { apiCode: error.apiCode }),
    ...(error.apiText === undefined ? {} : { apiText: error.apiText }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.quota === undefined ? {} : { quota: error.quota }),
  };
}

/** The error codes, the most useful first: those that say most about why nothing worked and what a person can do. */
export const mostHelpfulFirst: readonly AccountErrorCode[] = [
  'account.key_refused',
  'account.quota',
  'account.refused',
  'account.broken',
  'account.slow',
  'account.unreachable',
];

/** The most useful of some errors, of which there is at least one. */
export function mostHelpful(errors: readonly AccountError[]): AccountError {
  const found = mostHelpfulFirst.map((code) => errors.find((error) => error.code === code)).find(Boolean);
  return found ?? errors[0]!;
}
