/** The pickers of the account's resources: a menu where they are few, a search where they are many. Pure. */
import { type Input, type Option, plain } from '../../block-kit/elements.js';
import type { InputKind } from './input-kind.js';
import { allOption, allValue, idOption, kindNames, type ListedKind } from './resources.js';

/** Options by kind; absent where the picker searches. */
export type Lists = Readonly<Partial<Record<ListedKind, readonly Option[]>>>;

/** Slack's limit for a select; more are searched. */
export const mostOptions = 100;

/** The ids of a delete must fit the confirmation's metadata. */
const mostPicked = 100;

type Element = Input['element'];

export function pickInput(
  inputKind: Extract<InputKind, { kind: 'resource' | 'resources' }>,
  kind: ListedKind,
  picked: readonly Option[],
  list: readonly Option[] | undefined,
): Element {
  const placeholder = plain(`Search ${kindNames[kind][1]}`);
  const all = inputKind.kind === 'resources' && inputKind.all ? [allOption(kind)] : [];
  const known = list === undefined ? undefined : [...all, ...list];
  const initial = picked.map((each) => known?.find(({ value }) => value === each.value) ?? named(kind, each));
  const unlisted = initial.filter((each) => !known?.includes(each));
  const options = known && [...known, ...unlisted];
  const isStatic = options !== undefined && options.length > 0 && options.length <= mostOptions;
  if (inputKind.kind === 'resources') {
    const several = {
      placeholder,
      max_selected_items: mostPicked,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    };
    return isStatic
      ? { type: 'multi_static_select', action_id: 'form.field', options, ...several }
      : { type: 'multi_external_select', action_id: pickId(kind), min_query_length: 0, ...several };
  }
  return isStatic
    ? { type: 'static_select', action_id: 'form.field', options, placeholder, ...firstPicked(initial) }
    : { type: 'external_select', action_id: pickId(kind), min_query_length: 0, placeholder, ...firstPicked(initial) };
}

/** An option from Slack stays as it is; one made from an id gets its kind's label. */
function named(kind: ListedKind, picked: Option): Option {
  const { value = '' } = picked;
  return value === allValue ? allOption(kind) : picked.text.text === '' ? idOption(kind, value) : picked;
}

export function pickId(kind: ListedKind): string {
  return `form.pick.${kind}`;
}

export function firstPicked(picked: readonly Option[]): { initial_option?: Option } {
  return picked[0] ? { initial_option: picked[0] } : {};
}
