/** The line in a card for a part that failed, in the words of `problem.ts`. Pure. */
import { AccountError } from '../../../codereadr/types.js';
import type { Failure } from '../../../lookup/index.js';
import { cut } from '../../block-kit/elements.js';
import { elementsOf, type LinePart } from '../../block-kit/text.js';
import { callsAgainText } from '../../bolt/problem/account-problem.js';
import { problemOf, problemText } from '../../bolt/problem/problem.js';

/** The most characters of a reason: the account's texts have no limit, and there may be one for each database. */
const longestPart = 200;

const retry = 'Try again in a minute.';

/** The failure as a line. `within`: it continues Scandesk's own text after a colon, in lower case. */
export function failureLine(failure: Failure, within = false): LinePart[] {
  const { what, todo } = problemOf(new AccountError(failure.code, 'part of an answer', failure));
  const line =
    failure.code === 'account.quota' && failure.quota ? callsAgainText(failure.quota) : isSlow(failure) ? retry : todo;
  const short = elementsOf(line).map((part) =>
    part.type === 'text' ? { ...part, text: cut(part.text, longestPart) } : part,
  );
  return [`${within ? what.replace(/^The /, 'the ') : what} `, ...short];
}

/** Whether two parts failed for the same reason, which is then shown once. */
export function sameFailure(one: Failure, other: Failure): boolean {
  return (
    one.code === other.code &&
    one.apiCode === other.apiCode &&
    one.apiText === other.apiText &&
    one.reason === other.reason &&
    one.quota?.period === other.quota?.period
  );
}

/** The failure's cause, the person who can help and the remedy, as plain text. */
export function causeOf(failure: Failure): string {
  const error = new AccountError(failure.code, 'part of an answer', failure);
  return isSlow(failure) ? `${problemOf(error).what} Try again in a minute.` : cut(problemText(error), longestPart);
}

/** The failure's cause alone. */
export function shortCauseOf(failure: Failure): string {
  return cut(problemOf(new AccountError(failure.code, 'part of an answer', failure)).what, longestPart);
}

/** Whether the account was too slow. A lookup changes nothing, so the line asks nobody to check. */
function isSlow({ code }: Failure): boolean {
  return code === 'account.slow';
}
