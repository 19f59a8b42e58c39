/** Errors of an operation's form: under the field that the error concerns if known, else on top of the form. Pure. */
import { codes, meaningOf, paramAtFault } from '../../codereadr/errors.js';
import type { InputProblem } from '../../codereadr/operations/check.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { AccountError } from '../../codereadr/types.js';
import { cut } from '../block-kit/elements.js';
import type { Line } from '../block-kit/text.js';
import { problemLine } from '../bolt/problem/problem.js';
import { FileError } from './files/files.js';

export interface FormProblems {
  readonly problems: readonly InputProblem[];
  readonly formProblem?: Line;
}

const longestQuote = 300;

/** The problems in an error; undefined for one that does not concern the form, such as a missing permission. */
export function problemsFor(operation: Operation, error: unknown, reference: string): FormProblems | undefined {
  if (error instanceof FileError) {
    return { problems: fileProblem(operation, error.message) };
  }
  if (!(error instanceof AccountError)) {
    return undefined;
  }
  if (error.cause instanceof FileError) {
    return { problems: fileProblem(operation, error.cause.message) };
  }
  if (error.code === 'account.input' && error.problems && error.problems.length > 0) {
    return { problems: error.problems };
  }
  if (error.code !== 'account.refused') {
    return { problems: [], formProblem: problemLine(error, reference) };
  }
  const message = refusedLine(error);
  const param = error.param ?? paramAtFault(operation, error.apiCode ?? '');
  return param === undefined
    ? { problems: [], formProblem: message }
    : {
        problems: [{ param, path: param, message, ...(error.apiCode === undefined ? {} : { apiCode: error.apiCode }) }],
      };
}

/** The code table's text, and the account's own, which may name a line, unless the error brings a meaning. */
function refusedLine({ apiCode = '', apiText = '', meaning }: AccountError): string {
  const { title, todo } = meaning ?? meaningOf(apiCode);
  const codeSuffix = codes.has(apiCode) ? '' : apiCode === '' ? '' : ` (code ${apiCode})`;
  const quote =
    meaning !== undefined || apiText.trim() === ''
      ? ''
      : ` The account’s message: “${cut(apiText.trim(), longestQuote)}”`;
  return `${title}${codeSuffix}. ${todo}${quote}`;
}

function fileProblem(operation: Operation, message: string): readonly InputProblem[] {
  const param =
    Object.entries(operation.input).find(([, { type }]) => type === 'file')?.[0] ??
    Object.keys(operation.input)[0] ??
    '';
  return [{ param, path: param, message }];
}

/** The message of a problem, which names the line where the problem is within a list. */
export function messageOf({ path, message }: InputProblem): string {
  const line = /\[(\d+)\]/.exec(path)?.[1];
  return line === undefined ? message : `Line ${Number(line) + 1}: ${message}`;
}
