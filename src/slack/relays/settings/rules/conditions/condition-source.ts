/** What a condition's fields are opened on. */
import type { Condition } from '../../../../../relay/index.js';
import type { Option } from '../../../../block-kit/elements.js';
import { fieldsOf } from '../../../../forms/form.js';

/** What a line of the form is opened on. */
export interface ConditionSource {
  /** None: nothing was chosen yet. */
  readonly condition: Condition | undefined;
  readonly zone: string | undefined;
  /** The name of an id, if known. */
  readonly nameOf: (kind: ScanSource | 'question', id: string) => Option | undefined;
}

export type ScanSource = 'service' | 'user' | 'device';

export const field = fieldsOf<ConditionSource>();

/** The condition, if it is of this kind. */
export function stored<K extends Condition['kind']>({ condition }: ConditionSource, kind: K) {
  return condition?.kind === kind ? (condition as Extract<Condition, { kind: K }>) : undefined;
}
