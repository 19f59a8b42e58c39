/**
 * The mapping of the account's API codes to Scandesk's error codes and to the parameter at fault. The table of codes is
 * in `operations/codes.ts`, because client and sandbox both need it.
 */
import { keyCodes, meaningOf } from './operations/codes.js';
import type { Operation } from './operations/operation.js';
import { AccountError } from './types.js';

export { type CodeMeaning, codes, meaningOf, noSuchValue } from './operations/codes.js';

/** Scandesk's error for `<error code=…>text</error>`. client.ts turns 111 and 113 into `account.quota`. */
export function refusedError(operation: Operation, apiCode: string, apiText: string): AccountError {
  const param = paramAtFault(operation, apiCode);
  const meaning = operation.meanings?.[apiCode];
  const code = keyCodes.has(apiCode) ? 'account.key_refused' : 'account.refused';
  return new AccountError(code, `the account answered ${operation.section}/${operation.action} with error ${apiCode}`, {
    apiCode,
    apiText,
    ...(meaning !== undefined && { meaning }),
    ...(param !== undefined && { param }),
  });
}

/** The parameter of this operation that a code is most likely about; undefined: about none of them. */
export function paramAtFault(operation: Operation, apiCode: string): string | undefined {
  const declared = Object.entries(operation.input)
    .filter(([, param]) => param.errors?.includes(apiCode))
    .map(([name]) => name);
  const likeliest = meaningOf(apiCode).params.filter((name) => Object.hasOwn(operation.input, name));
  return likeliest.find((name) => declared.includes(name)) ?? declared[0] ?? likeliest[0];
}
