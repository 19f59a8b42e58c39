/** How people choose, read and enter a kind of condition: its choices in the trigger's menu, phrase and fields. */
import type { NameOf } from '../../codereadr/types.js';
import type { Condition, ConditionOf } from '../../relay/index.js';
import type { Option } from '../block-kit/elements.js';
import { type Fields, fieldsOf, type ValuesOf } from '../forms/form.js';

/** The groups of the trigger's menu, in order. */
export const headings = ['Result', 'Barcode', 'Source', 'Answers and properties', 'Time and frequency'] as const;

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

export interface EnteredCondition {
  /** The detail of the choice in the trigger's menu. */
  readonly detail: string;
  /** Adds an error to a field. */
  problem(field: string, message: string): void;
}

export interface ShownCondition<K extends Condition['kind'], F extends Fields = Fields> {
  readonly heading: (typeof headings)[number];
  /** One choice with an empty detail, unless the menu offers a setting of the condition as separate choices. */
  readonly choices: readonly (readonly [detail: string, label: string, description?: string])[];
  /** The detail of the condition’s choice in the menu, where its kind has several. */
  detailOf?(condition: ConditionOf<K>): string;
  /** The words after `a scan` if the condition may stand beside another; otherwise those after the channel. */
  phrase(condition: ConditionOf<K>, nameOf: NameOf): string;
  /** The fields in the order shown. Kinds that have a field of the same name share its declaration. */
  readonly fields: F;
  /** The entered condition. A missing or wrong part adds an error; the condition is then undefined or incomplete. */
  read(values: ValuesOf<F>, entered: EnteredCondition): ConditionOf<K> | undefined;
}

export function shownCondition<const K extends Condition['kind'], const F extends Fields>(
  _: K,
  declaration: ShownCondition<K, F>,
): ShownCondition<K, F> {
  return declaration;
}

export const field = fieldsOf<ConditionSource>();

/** The stored condition, if it is of this kind. */
export function stored<K extends Condition['kind']>({ condition }: ConditionSource, kind: K) {
  return condition?.kind === kind ? (condition as ConditionOf<K>) : undefined;
}
