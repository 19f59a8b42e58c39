/** The kinds of input that forms are made of. Each knows how it is drawn, carried across rerenders and read. */
import { plain } from '../block-kit/elements.js';
import type { Bounds } from './bounds.js';
import type { Kind } from './form.js';
import { input, longestText } from './inputs.js';
import type { Errors, FormFile, FormState } from './view-state.js';

export * from './choice-kinds.js';

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

/** A text that is never drawn again, not even in a rerendered form. */
export function secret(options: TextOptions = {}): Kind<string> {
  return { ...text(options), entered: () => '' };
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
