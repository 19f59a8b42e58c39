/**
 * Errors as data: a part of a lookup that failed is shown next to those that did not. Only the account's own errors
 * become data; any other error is thrown on.
 */
import { AccountError, type AccountErrorCode } from '../codereadr/types.js';
import type { HeadlineKind } from './headline.js';
import type { Failure, Lookup } from './types.js';

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: AccountError };

/** An aborted call fails with its signal's reason, where that says more. */
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

/** The most useful error first: it says most about why nothing worked and what a person can do. */
const mostHelpfulFirst: readonly AccountErrorCode[] = [
  'account.key_refused',
  'account.quota',
  'account.refused',
  'account.broken',
  'account.slow',
  'account.unreachable',
];

/** The most useful of at least one error. */
export function mostHelpful(errors: readonly AccountError[]): AccountError {
  const found = mostHelpfulFirst.map((code) => errors.find((error) => error.code === code)).find(Boolean);
  return found ?? errors[0]!;
}

/** What failed of a lookup whose headline says that it was not checked or not confirmed. */
export function whyNotChecked(lookup: Lookup, kind: HeadlineKind): Failure | undefined {
  if (kind !== 'not_checked' && kind !== 'not_confirmed') {
    return undefined;
  }
  const { findings, history, gatesFailed, listFailed, asOf } = lookup;
  const parts = [...findings, history].flatMap((part) => (part.kind === 'failed' ? [part.why] : []));
  const failures = [...parts, ...[asOf?.why, gatesFailed, listFailed].flatMap((each) => each ?? [])];
  const [why] = mostHelpfulFirst.flatMap((code) => failures.filter((each) => each.code === code));
  return why ?? failures[0];
}
