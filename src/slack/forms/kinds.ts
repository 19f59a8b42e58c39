/** The kinds of input that forms are made of. Each knows how it is drawn, carried across rerenders and read. */
import { type Option, option, plain } from '../block-kit/elements.js';
import type { Bounds } from './bounds.js';
import type { Kind } from './form.js';
import { type Choice, initialOption, initialOptions, input, longestText, optionsOf } from './inputs.js';
import type { Errors, FormFile, FormState } from './view-state.js';

const typed = (state: FormState, name: string, before: string) => (state.has(name) ? state.text(name) : before);

export interface TextOptions {
  readonly multiline?: boolean;
  readonly placeholder?: string;
  readonly max?: number | undefined;
  /** The error if nothing was entered. */
  readonly missing?: string;
}

export function text(options: TextOptions = {}): Kind<string> {
  const { multiline, placeholder, max = longestText, missing } = options;
  return {
    blank: '',
    draw: (frame, draft) =>
      input(frame, {
        type: 'plain_text_input',
        action_id: frame.action,
        max_length: max,
        ...(multiline ? { multiline } : {}),
        ...(draft === '' || draft.length > max ? {} : { initial_value: draft }),
        ...(placeholder === undefined ? {} : { placeholder: plain(placeholder) }),
        ...(frame.rerenders ? { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } } : {}),
      }),
    entered: typed,
    read(state, name, errors) {
      const entered = state.text(name);
      if (missing !== undefined && entered.trim() === '') {
        errors[name] = missing;
      }
      return entered;
    },
  };
}

export function number({ min = 0, max = 999_999_999 }: Bounds, isDecimal: boolean): Omit<Kind<string>, 'read'> {
  return {
    blank: '',
    draw: (frame, draft) =>
      input(frame, {
        type: 'number_input',
        action_id: frame.action,
        is_decimal_allowed: isDecimal,
        min_value: String(min),
        max_value: String(max),
        ...(/^-?\d{1,15}(\.\d{1,6})?$/.test(draft) ? { initial_value: draft } : {}),
      }),
    entered: typed,
  };
}

/** `optional`: it may be left blank. */
export function integer(bounds: Bounds, { optional = false } = {}): Kind<string, number> {
  return {
    ...number(bounds, false),
    read: (state, name, errors) =>
      optional && state.text(name).trim() === '' ? undefined : integerIn(state, name, bounds, errors),
  };
}

function integerIn(state: FormState, name: string, { min = 0, max = 999_999_999 }: Bounds, errors: Errors) {
  const entered = state.text(name).trim();
  const value = Number(entered);
  if (/^\d{1,9}$/.test(entered) && value >= min && value <= max) {
    return value;
  }
  errors[name] = `Enter a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`;
  return undefined;
}

function choice<T extends string>(draw: Kind<T | undefined>['draw']): Kind<T | undefined, T> {
  return {
    blank: undefined,
    draw,
    entered: (state, name, before) => (state.choice(name) as T | undefined) ?? before,
    read: (state, name) => state.choice(name) as T | undefined,
  };
}

/** One of a few options, all visible. */
export function radio<T extends string>(choices: readonly Choice<T>[]): Kind<T | undefined, T> {
  const options = optionsOf(choices);
  return choice<T>((frame, draft) =>
    input(frame, { type: 'radio_buttons', action_id: frame.action, options, ...initialOption(options, draft) }),
  );
}

/** One of many options. */
export function select<T extends string>(choices: readonly Choice<T>[]): Kind<T | undefined, T> {
  const options = optionsOf(choices);
  return choice<T>((frame, draft) =>
    input(frame, {
      type: 'static_select',
      action_id: frame.action,
      options,
      placeholder: plain('Choose'),
      ...initialOption(options, draft),
    }),
  );
}

export function groupedSelect(
  groups: readonly (readonly [heading: string, choices: readonly Choice[]])[],
): Kind<string | undefined, string> {
  const all = groups.map(([heading, choices]) => ({ label: plain(heading), options: optionsOf(choices) }));
  return choice((frame, draft) =>
    input(frame, {
      type: 'static_select',
      action_id: frame.action,
      option_groups: all,
      placeholder: plain('Choose'),
      ...initialOption(
        all.flatMap(({ options }) => options),
        draft,
      ),
    }),
  );
}

/** Several of many options. */
export function multiSelect<T extends string>(
  choices: readonly Choice<T>[],
  placeholder = 'Choose',
): Kind<readonly T[]> {
  const options = optionsOf(choices);
  return {
    blank: [],
    draw: (frame, draft) =>
      input(frame, {
        type: 'multi_static_select',
        action_id: frame.action,
        options,
        placeholder: plain(placeholder),
        ...initialOptions(options.filter(({ value }) => draft.includes(value as T))),
      }),
    entered: (state, name, before) => (state.has(name) ? (state.choices(name) as readonly T[]) : before),
    read: (state, name) => state.choices(name) as readonly T[],
  };
}

/** One checkbox. It is never required: unchecked is a value. */
export function checkbox(label: string, { blank = false } = {}): Kind<boolean> {
  const yes = option(label, 'yes');
  return {
    blank,
    draw: (frame, draft) =>
      input(
        { ...frame, optional: true },
        { type: 'checkboxes', action_id: frame.action, options: [yes], ...initialOptions(draft ? [yes] : []) },
      ),
    entered: (state, name, before) => (state.has(name) ? state.ticked(name) : before),
    read: (state, name) => state.ticked(name),
  };
}

export interface PickerOptions {
  /** The `action_id` that its options are served for. */
  readonly action: string;
  readonly placeholder: string;
  /** The error if nothing was chosen. */
  readonly missing?: string;
}

/** One of options that are searched while somebody types. */
export function picker({ action, placeholder, missing }: PickerOptions): Kind<Option | undefined, string> {
  return {
    blank: undefined,
    draw: (frame, draft) =>
      input(frame, {
        type: 'external_select',
        action_id: action,
        min_query_length: 0,
        placeholder: plain(placeholder),
        ...(draft ? { initial_option: draft } : {}),
      }),
    entered: (state, name, before) => (state.has(name) ? state.options(name)[0] : before),
    read(state, name, errors) {
      const chosen = state.choice(name);
      if (missing !== undefined && chosen === undefined) {
        errors[name] = missing;
      }
      return chosen;
    },
  };
}

export function multiPicker(
  { action, placeholder, missing }: PickerOptions,
  { max }: Bounds,
): Kind<readonly Option[], readonly string[]> {
  return {
    blank: [],
    draw: (frame, draft) =>
      input(frame, {
        type: 'multi_external_select',
        action_id: action,
        min_query_length: 0,
        placeholder: plain(placeholder),
        ...(max === undefined ? {} : { max_selected_items: max }),
        ...initialOptions(draft),
      }),
    entered: (state, name, before) => (state.has(name) ? state.options(name) : before),
    read(state, name, errors) {
      const chosen = state.choices(name);
      if (missing !== undefined && chosen.length === 0) {
        errors[name] = missing;
      }
      return chosen;
    },
  };
}

/** A public or private channel. `orCurrent`: without one, Slack offers the channel that is open. */
export function channel({
  missing,
  orCurrent = false,
}: {
  readonly missing: string;
  readonly orCurrent?: boolean;
}): Kind<string | undefined, string> {
  return {
    blank: undefined,
    draw: (frame, draft) =>
      input(frame, {
        type: 'conversations_select',
        action_id: frame.action,
        filter: { include: ['public', 'private'], exclude_bot_users: true },
        ...(draft !== undefined
          ? { initial_conversation: draft }
          : orCurrent
            ? { default_to_current_conversation: true }
            : {}),
      }),
    entered: (state, name, before) => state.channel(name) ?? before,
    read(state, name, errors) {
      const chosen = state.channel(name);
      if (chosen === undefined) {
        errors[name] = missing;
      }
      return chosen;
    },
  };
}

export function users({ max }: Bounds): Kind<readonly string[]> {
  return {
    blank: [],
    draw: (frame, draft) =>
      input(frame, {
        type: 'multi_users_select',
        action_id: frame.action,
        placeholder: plain('No one'),
        ...(max === undefined ? {} : { max_selected_items: max }),
        ...(draft.length > 0 ? { initial_users: [...draft] } : {}),
      }),
    entered: (state, name, before) => (state.has(name) ? state.users(name) : before),
    read: (state, name) => state.users(name),
  };
}

export function time(): Kind<string> {
  return {
    blank: '',
    draw: (frame, draft) =>
      input(frame, {
        type: 'timepicker',
        action_id: frame.action,
        ...(draft === '' ? {} : { initial_time: draft }),
      }),
    entered: typed,
    read: (state, name) => state.text(name),
  };
}

export function file(...suffixes: readonly string[]): Kind<undefined, FormFile> {
  return {
    blank: undefined,
    draw: (frame) =>
      input(frame, { type: 'file_input', action_id: frame.action, filetypes: [...suffixes], max_files: 1 }),
    entered: () => undefined,
    read: (state, name) => state.file(name),
  };
}
