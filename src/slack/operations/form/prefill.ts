/** Known values as the contents of a form. Pure. */
import type { InputProblem } from '../../../codereadr/operations/check.js';
import type { Param } from '../../../codereadr/operations/operation.js';
import { isAbsent } from '../../../codereadr/operations/param-schema.js';
import type { AnyDraft } from '../../forms/form.js';
import { longestText } from '../../forms/inputs.js';
import type { Values } from '../types.js';
import type { OperationForm } from './operation-form.js';

/** A form's content: `givenValues` before `currentValues`. A given value that no input can show becomes a problem. */
export function prefilled(
  { mode, params, form }: OperationForm,
  givenValues: Values,
  knownProblems: readonly InputProblem[],
  currentValues: Values = {},
): { readonly draft: AnyDraft; readonly problems: readonly InputProblem[] } {
  const values: Record<string, unknown> = { ...currentValues };
  const problems: InputProblem[] = [];
  for (const { name, param, kind } of params) {
    const value = givenValues[name];
    if (isAbsent(param, value) || value === '') {
      continue;
    }
    const draft: unknown = isFileUrl(param, value) ? value : kind.fromRaw(value);
    const isEmptyAll = value === 'all' && param.type === 'ids' && mode === 'ask';
    if (draft !== undefined && !(typeof draft === 'string' && draft.length > longestText)) {
      values[name] = value;
    } else if (!isEmptyAll && !knownProblems.some((problem) => problem.param === name)) {
      problems.push({
        param: name,
        path: name,
        message: 'The value from your command can’t be shown here. Fill it in again.',
      });
    }
  }
  return { draft: form.draft({ values }), problems };
}

/** Whether a value is the URL of a file, which has an input of its own. */
function isFileUrl(param: Param, value: unknown): boolean {
  return param.type === 'file' && param.url === true && typeof value === 'string';
}
