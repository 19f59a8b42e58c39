/**
 * Owns how the account's own errors become ours: which of our codes an API code is, which variable it belongs to. The
 * table of codes is the operations' (`operations/codes.ts`), because both sides of the wire need it.
 */
import { meaningOf } from './operations/codes.js';
import type { Operation } from './operations/operation.js';
import { AccountError } from './types.js';

export { type CodeKind, type CodeMeaning, codes, type Mover, meaningOf } from './operations/codes.js';

/** An error of ours for `<error code=…>text</error>`. 111 and 113 are the quota's to turn into `account.quota`. */
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

/** The variable of this operation that a code speaks of, where that can be told. */
export function blamedVariable(operation: Operation, apiCode: string): string | undefined {
  const declared = Object.entries(operation.input)
    .filter(([, variable]) => variable.errors?.includes(apiCode))
    .map(([name]) => name);
  const likeliest = meaningOf(apiCode).variables.filter((name) => Object.hasOwn(operation.input, name));
  return likeliest.find((name) => declared.includes(name)) ?? declared[0] ?? likeliest[0];
}
