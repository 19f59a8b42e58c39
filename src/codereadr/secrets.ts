/** Redaction of errors before they reach a caller: the account may quote its input, key and password included. */
import type { Operation } from './operations/operation.js';
import { AccountError } from './types.js';

const hiddenMark = '[hidden]';

/** The secret values of an input. */
export function secretsOf(operation: Operation, input: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(operation.input).flatMap(([name, param]) => {
    const value = input[name];
    return param.secret && typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** The error itself, or a copy with the secrets redacted. */
export function hideSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof AccountError) || error.apiText === undefined) {
    return error;
  }
  const apiText = secrets.reduce(hideOne, error.apiText);
  if (apiText === error.apiText) {
    return error;
  }
  const { apiCode, meaning, param, quota, reason, problems } = error;
  return new AccountError(error.code, error.message, {
    apiText,
    ...(apiCode !== undefined && { apiCode }),
    ...(meaning !== undefined && { meaning }),
    ...(param !== undefined && { param }),
    ...(quota !== undefined && { quota }),
    ...(reason !== undefined && { reason }),
    ...(problems !== undefined && { problems }),
  });
}

function hideOne(text: string, secret: string): string {
  const forms = new Set([secret, encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)]);
  return [...forms].reduce((clean, form) => clean.replaceAll(form, hiddenMark), text);
}
