/** What the form of a condition is opened on. */
import type { Condition } from '../../relay/index.js';
import type { Option } from '../block-kit/elements.js';
import { fieldsOf } from '../forms/form.js';

/** The record of the account that an id of a scan names. */
export type ScanSource = 'service' | 'user' | 'device';

/** What the fields of a condition show when the form opens. */
export interface ConditionSource {
  /** The stored condition; undefined where nothing was chosen yet. */
  readonly condition: Condition | undefined;
  readonly zone: string | undefined;
  /** The option with the name of an id, if known. */
  readonly nameOf: (kind: ScanSource | 'question', id: string) => Option | undefined;
}

export const field = fieldsOf<ConditionSource>();
