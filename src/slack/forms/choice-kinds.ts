/** The kinds of input in which somebody chooses among options: listed in the form, or searched for. */
import { type Input, type Option, plain } from '../block-kit/elements.js';
import type { Bounds } from './bounds.js';
import type { Kind } from './form.js';
import { type Choice, initialOption, initialOptions, input, optionsOf } from './inputs.js';

export interface ChoiceOptions {
  readonly placeholder?: string;
  /** The error under the input if nothing was chosen. */
  readonly missing?: string;
  /** The most options that can be chosen. */
  readonly max?: number;
  /** The value of the option that reads as undefined, such as `none`. */
  readonly none?: string;
}

function oneOf<T extends string>({ missing, none }: ChoiceOptions): Kind<unknown, T>['read'] {
  return (state, name, errors) => {
    const chosenValue = state.choice(name) as T | undefined;
    if (missing !== undefined && chosenValue === undefined) {
      errors[name] = missing;
    }
    return chosenValue === none ? undefined : chosenValue;
  };
}

function severalOf<T extends string>({ missing }: ChoiceOptions): Kind<unknown, readonly T[]>['read'] {
  return (state, name, errors) => {
    const chosenValues = state.choices(name) as readonly T[];
    if (missing !== undefined && chosenValues.length === 0) {
      errors[name] = missing;
    }
    return chosenValues;
  };
}

type Element = Input['element'];

function single<T extends string>(
  options: readonly Option[],
  element: Element,
  choiceOptions: ChoiceOptions,
): Kind<T | undefined, T> {
  return {
    blank: undefined,
    draw: (frame, draft) => input(frame, { ...element, action_id: frame.action, ...initialOption(options, draft) }),
    entered: (state, name, before) => (state.choice(name) as T | undefined) ?? before,
    read: oneOf(choiceOptions),
  };
}

function multiple<T extends string>(
  options: readonly Option[],
  element: Element,
  choiceOptions: ChoiceOptions,
): Kind<readonly T[]> {
  return {
    blank: [],
    draw: (frame, draft) =>
      input(frame, {
        ...element,
        action_id: frame.action,
        ...initialOptions(options.filter(({ value }) => draft.includes(value as T))),
      }),
    entered: (state, name, before) => (state.has(name) ? (state.choices(name) as readonly T[]) : before),
    read: severalOf(choiceOptions),
  };
}

/** A choice of one of a few options, all visible. */
export function radio<T extends string>(
  choices: readonly Choice<T>[],
  choiceOptions: ChoiceOptions = {},
): Kind<T | undefined, T> {
  const options = optionsOf(choices);
  return single(options, { type: 'radio_buttons', options }, choiceOptions);
}

/** A choice of one of many options. */
export function select<T extends string>(
  choices: readonly Choice<T>[],
  choiceOptions: ChoiceOptions = {},
): Kind<T | undefined, T> {
  const options = optionsOf(choices);
  return single(options, { type: 'static_select', options, ...placeholderOf(choiceOptions) }, choiceOptions);
}

export function groupedSelect(
  groups: readonly (readonly [heading: string, choices: readonly Choice[]])[],
): Kind<string | undefined, string> {
  const optionGroups = groups.map(([heading, choices]) => ({ label: plain(heading), options: optionsOf(choices) }));
  const options = optionGroups.flatMap((group) => group.options);
  return single(options, { type: 'static_select', option_groups: optionGroups, ...placeholderOf({}) }, {});
}

function placeholderOf({ placeholder = 'Choose' }: ChoiceOptions) {
  return { placeholder: plain(placeholder) };
}

/** A choice of several of many options. */
export function multiSelect<T extends string>(
  choices: readonly Choice<T>[],
  choiceOptions: ChoiceOptions = {},
): Kind<readonly T[]> {
  const { max } = choiceOptions;
  const options = optionsOf(choices);
  const limit = max === undefined ? {} : { max_selected_items: max };
  return multiple(
    options,
    { type: 'multi_static_select', options, ...placeholderOf(choiceOptions), ...limit },
    choiceOptions,
  );
}

/** A choice of several of a few options, all visible. */
export function checkboxes<T extends string>(
  choices: readonly Choice<T>[],
  choiceOptions: ChoiceOptions = {},
): Kind<readonly T[]> {
  const options = optionsOf(choices);
  return multiple(options, { type: 'checkboxes', options }, choiceOptions);
}

/** A single checkbox. It is never required: unchecked is a value. */
export function checkbox(label: string, { value = 'yes' } = {}): Kind<boolean> {
  const box = checkboxes([[value, label]]);
  return {
    blank: false,
    draw: (frame, draft) => box.draw({ ...frame, optional: true }, draft ? [value] : []),
    entered: (state, name, before) => (state.has(name) ? state.ticked(name) : before),
    read: (state, name) => state.ticked(name),
  };
}

export interface PickerOptions extends ChoiceOptions {
  /** The `action_id` under which Slack asks for the options. */
  readonly action: string;
  readonly placeholder: string;
  /** All options, where they are few: then the picker needs no search. */
  readonly menu?: readonly Option[] | undefined;
}

/** Slack's limit for the options of a menu. */
const longestMenu = 100;

/** The options of a menu, with the chosen ones that it lacks; undefined where people search for options. */
function menuOf({ menu }: PickerOptions, chosenOptions: readonly Option[]): Option[] | undefined {
  const all = [...(menu ?? []), ...chosenOptions.filter(({ value }) => !menu?.some((each) => each.value === value))];
  return menu && all.length > 0 && all.length <= longestMenu ? all : undefined;
}

/** A chosen option with the label that the menu gives it, if any. */
function inMenu({ menu }: PickerOptions, chosenOption: Option): Option {
  return menu?.find(({ value }) => value === chosenOption.value) ?? chosenOption;
}

/** A choice of one option: of a menu, if `menu` has up to 100 options, else of those found while somebody types. */
export function picker(spec: PickerOptions): Kind<Option | undefined, string> {
  return {
    blank: undefined,
    draw(frame, draft) {
      const options = menuOf(spec, draft ? [draft] : []);
      const props = { placeholder: plain(spec.placeholder), ...(draft ? { initial_option: inMenu(spec, draft) } : {}) };
      return input(
        frame,
        options
          ? { type: 'static_select', action_id: frame.action, options, ...props }
          : { type: 'external_select', action_id: spec.action, min_query_length: 0, ...props },
      );
    },
    entered: (state, name, before) => (state.has(name) ? state.options(name)[0] : before),
    read: oneOf(spec),
  };
}

export function multiPicker(spec: PickerOptions, { max }: Bounds): Kind<readonly Option[], readonly string[]> {
  return {
    blank: [],
    draw(frame, draft) {
      const options = menuOf(spec, draft);
      const selectProps = {
        placeholder: plain(spec.placeholder),
        ...(max === undefined ? {} : { max_selected_items: max }),
        ...initialOptions(draft.map((each) => inMenu(spec, each))),
      };
      return input(
        frame,
        options
          ? { type: 'multi_static_select', action_id: frame.action, options, ...selectProps }
          : { type: 'multi_external_select', action_id: spec.action, min_query_length: 0, ...selectProps },
      );
    },
    entered: (state, name, before) => (state.has(name) ? state.options(name) : before),
    read: severalOf(spec),
  };
}
