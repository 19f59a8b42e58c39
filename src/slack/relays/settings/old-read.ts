/** Reads patterns and numbers of forms that are not ported yet. */
import { isPatternTooLarge, patternProblem } from '../../../relay/index.js';
import type { Errors, FormState } from '../../forms/view-state.js';
import { describePatternError } from './describe-pattern-error.js';

/** A pattern, or an error at its field. */
export function patternIn(entered: FormState, name: string, errors: Errors): string {
  const pattern = entered.text(name);
  const problem = pattern === '' ? 'Enter a pattern.' : patternProblem(pattern);
  if (problem !== undefined) {
    errors[name] = pattern === '' ? problem : describePatternError(problem);
  } else if (isPatternTooLarge(pattern)) {
    errors[name] =
      'This pattern repeats too much to check every scan against it. Use smaller numbers in braces, or + and *.';
  }
  return pattern;
}

/** An integer within bounds; else undefined, with an error at its field. */
export function integerIn(
  entered: FormState,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  errors: Errors,
): number | undefined {
  const text = entered.text(name).trim();
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= min && value <= max) {
    return value;
  }
  errors[name] = `Enter a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`;
  return undefined;
}

import type { Hours } from '../../../relay/index.js';
import type { Block } from '../../block-kit/elements.js';
import { hours } from './hours.js';
import { settingActions } from './ids.js';

export const aWeek = 7 * 24 * 60;
export const hoursParts = (name: string, draft: Hours) =>
  hours.draw({ name, label: '', action: settingActions.field }, draft) as Block[];
export const readHours = (state: FormState, name: string, errors: Errors) => hours.read(state, name, errors);
export const hoursEntered = (state: FormState, name: string, before: Hours) => hours.entered(state, name, before);
