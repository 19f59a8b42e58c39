/** Owns the pickers of things of the account: a list where there are few, a search where there are many. Pure. */
import { type Input, type Option, plain } from '../../block-kit/elements.js';
import { formActions } from '../metadata.js';
import type { InputKind } from './input-kind.js';
import { allOption, allValue, idOption, kindWords, type ListedKind } from './resources.js';

/** By kind, what there is to choose from; absent where it is searched while somebody types. */
export type Lists = Readonly<Partial<Record<ListedKind, readonly Option[]>>>;

/** A select holds so many; more are searched. */
export const mostOptions = 100;

/** At most so many of them at once: they have to fit on the way to a confirmation. */
const mostPicked = 100;

type Element = Input['element'];

export function pickInput(
  face: Extract<InputKind, { kind: 'thing' | 'things' }>,
  kind: ListedKind,
  picked: readonly Option[],
  list: readonly Option[] | undefined,
): Element {
  const placeholder = plain(`Find ${face.kind === 'things' ? kindWords[kind][1] : `the ${kindWords[kind][0]}`}`);
  const all = face.kind === 'things' && face.all ? [allOption(kind)] : [];
  const known = list === undefined ? undefined : [...all, ...list];
  const initial = picked.map((each) => known?.find(({ value }) => value === each.value) ?? named(kind, each));
  const strangers = initial.filter((each) => !known?.includes(each));
  const options = known && [...known, ...strangers];
  const isStatic = options !== undefined && options.length > 0 && options.length <= mostOptions;
  if (face.kind === 'things') {
    const several = {
      placeholder,
      max_selected_items: mostPicked,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    };
    return isStatic
      ? { type: 'multi_static_select', action_id: formActions.field, options, ...several }
      : { type: 'multi_external_select', action_id: pickId(kind), min_query_length: 0, ...several };
  }
  return isStatic
    ? { type: 'static_select', action_id: formActions.field, options, placeholder, ...firstPicked(initial) }
    : { type: 'external_select', action_id: pickId(kind), min_query_length: 0, placeholder, ...firstPicked(initial) };
}

/** What Slack sends back of an option is that option; what we made up of an id gets its kind's words. */
function named(kind: ListedKind, picked: Option): Option {
  const { value = '' } = picked;
  return value === allValue ? allOption(kind) : picked.text.text === '' ? idOption(kind, value) : picked;
}

export function pickId(kind: ListedKind): string {
  return `${formActions.pick}${kind}`;
}

export function firstPicked(picked: readonly Option[]): { initial_option?: Option } {
  return picked[0] ? { initial_option: picked[0] } : {};
}
