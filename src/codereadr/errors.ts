/**
 * The mapping of the account's API codes to our error codes and to the parameter at fault. The table of codes is in
 * `operations/codes.ts`, because client and sandbox both need it.
 */
import { meaningOf } from './operations/codes.js';
import type { Operation } from './operations/operation.js';
import { AccountError } from './types.js';

export { type CodeKind, type CodeMeaning, codes, type Mover, meaningOf } from './operations/codes.js';

/** Our error for `<error code=…>text</error>`. The rate limiter turns 111 and 113 into `account.quota`. */
export function refusal(operation: Operation, apiCode: string, apiText: string): AccountError {
  const variable = blamedVariable(operation, apiCode);
  const meaning = operation.meanings?.[apiCode];
  const code = meaningOf(apiCode).kind === 'key' ? 'account.key_refused' : 'account.refused';
  return new AccountError(code, `the account answered ${operation.section}/${operation.action} with error ${apiCode}`, {
    apiCode,
    apiText,
    ...(meaning !== undefined && { meaning }),
    ...(variable !== undefined && { variable }),
  });
}

/** The parameter of this operation that a code is about, where that is certain. */
export function blamedVariable(operation: Operation, apiCode: string): string | undefined {
  const declared = Object.entries(operation.input)
    .filter(([, variable]) => variable.errors?.includes(apiCode))
    .map(([name]) => name);
  const likeliest = meaningOf(apiCode).variables.filter((name) => Object.hasOwn(operation.input, name));
  return likeliest.find((name) => declared.includes(name)) ?? declared[0] ?? likeliest[0];
}
