/** The field for letter case, and the check of an entered list, for the conditions that list texts. */
import { countOf } from '../../../english.js';
import { conditionKinds } from '../../../relay/index.js';
import { boundsOf } from '../../forms/bounds.js';
import * as kinds from '../../forms/kinds.js';
import { type ConditionSource, field } from '../condition.js';

export const ignoreCase = kinds.checkbox('Ignore upper and lower case');

export function letterCase(isExact: (source: ConditionSource) => boolean) {
  return field(ignoreCase, { label: 'Letter case', from: (source) => !isExact(source) });
}

const { max: mostValues = 0 } = boundsOf(conditionKinds.value.schema.shape.is);

export function readList(
  entered: readonly string[] = [],
  [singular, several]: readonly [one: string, several: string],
  problem: (message: string) => void,
): string[] {
  if (entered.length === 0) {
    problem(`Enter at least one ${singular}.`);
  } else if (entered.length > mostValues) {
    problem(`Enter at most ${countOf(mostValues, singular, several)}.`);
  }
  return [...entered];
}
