/** The kinds of input that forms are made of. Each knows how it is drawn, carried across rerenders and read. */
import type { types } from '@slack/bolt';
import { type Input, plain } from '../block-kit/elements.js';
import type { Bounds } from './bounds.js';
import type { Kind } from './form.js';
import { input, longestText } from './inputs.js';
import type { Errors, FormFile, FormState } from './view-state.js';

export * from './choice-kinds.js';

const textOrBefore = (state: FormState, name: string, before: string) => (state.has(name) ? state.text(name) : before);

export interface TextOptions {
  /** Whether the input takes several lines. */
  readonly multiline?: boolean;
  readonly placeholder?: string | undefined;
  readonly max?: number | undefined;
  /** The error under the input if nothing was entered. */
  readonly missing?: string;
  /** A type of input whose format Slack checks. */
  readonly type?: 'url_text_input' | 'email_text_input';
  /** Whether the cursor starts in this input. */
  readonly focus?: boolean;
}

const placeholderOf = (placeholder: string | undefined) =>
  placeholder === undefined ? {} : { placeholder: plain(placeholder) };

export function text(options: TextOptions = {}): Kind<string> {
  const { multiline, placeholder, max = longestText, missing, type, focus } = options;
  return {
    blank: '',
    draw: (frame, draft) =>
      input(frame, {
        ...(type
          ? { type }
          : {
              type: 'plain_text_input',
              max_length: max,
              ...(multiline || draft.includes('\n') ? { multiline: true } : {}),
            }),
        action_id: frame.action,
        ...(draft === '' || draft.length > max ? {} : { initial_value: draft }),
        ...placeholderOf(placeholder),
        ...(focus ? { focus_on_load: true } : {}),
        ...(frame.rerenders ? { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } } : {}),
      }),
    entered: textOrBefore,
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

export interface NumberOptions extends Bounds {
  readonly isDecimal?: boolean;
  readonly placeholder?: string | undefined;
}

export function number({ min, max, isDecimal = false, placeholder }: NumberOptions): Omit<Kind<string>, 'read'> {
  return {
    blank: '',
    draw: (frame, draft) =>
      input(frame, {
        type: 'number_input',
        action_id: frame.action,
        is_decimal_allowed: isDecimal,
        ...(min === undefined ? {} : { min_value: String(min) }),
        ...(max === undefined ? {} : { max_value: String(max) }),
        ...((isDecimal ? /^-?\d{1,15}(\.\d{1,6})?$/ : /^-?\d{1,15}$/).test(draft) ? { initial_value: draft } : {}),
        ...placeholderOf(placeholder),
      }),
    entered: textOrBefore,
  };
}

/** A whole number. `optional`: the input may be left blank. */
export function integer({ min = 0, max = 999_999_999 }: Bounds, { optional = false } = {}): Kind<string, number> {
  return {
    ...number({ min, max }),
    content: String,
    read: (state, name, errors) =>
      optional && state.text(name).trim() === '' ? undefined : integerIn(state, name, { min, max }, errors),
  };
}

function integerIn(
  state: FormState,
  fieldName: string,
  { min, max }: { readonly min: number; readonly max: number },
  errors: Errors,
) {
  const entered = state.text(fieldName).trim();
  const value = Number(entered);
  if (/^\d{1,9}$/.test(entered) && value >= min && value <= max) {
    return value;
  }
  errors[fieldName] = `Enter a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`;
  return undefined;
}

/**
 * A public or private channel. Without `missing`, the field may be empty. `orCurrent`: while none is chosen, Slack
 * offers the channel that the person has open.
 */
export function channel({
  missing,
  orCurrent = false,
}: {
  readonly missing?: string;
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
      const channelId = state.channel(name);
      if (channelId === undefined && missing !== undefined) {
        errors[name] = missing;
      }
      return channelId;
    },
  };
}

export function users({
  max,
  placeholder = 'No one',
}: Bounds & { readonly placeholder?: string }): Kind<readonly string[]> {
  return {
    blank: [],
    draw: (frame, draft) =>
      input(frame, {
        type: 'multi_users_select',
        action_id: frame.action,
        placeholder: plain(placeholder),
        ...(max === undefined ? {} : { max_selected_items: max }),
        ...(draft.length > 0 ? { initial_users: [...draft] } : {}),
      }),
    entered: (state, name, before) => (state.has(name) ? state.users(name) : before),
    read: (state, name) => state.users(name),
  };
}

/** A choice of one person. */
export function user({ missing }: { readonly missing: string }): Kind<string | undefined, string> {
  return {
    blank: undefined,
    draw: (frame, draft) =>
      input(frame, {
        type: 'users_select',
        action_id: frame.action,
        placeholder: plain('Choose a person'),
        ...(draft === undefined ? {} : { initial_user: draft }),
      }),
    entered: (state, name, before) => state.users(name)[0] ?? before,
    read(state, name, errors) {
      const [chosen] = state.users(name);
      if (chosen === undefined) {
        errors[name] = missing;
      }
      return chosen;
    },
  };
}

/** A picker, or a text input where the picker cannot show the value, so that it is not changed unseen. */
function pickerOrText(pickerFor: (draft: string) => types.Datepicker | types.Timepicker | undefined): Kind<string> {
  return {
    blank: '',
    draw(frame, draft) {
      const element = pickerFor(draft);
      return element
        ? input(frame, { ...element, action_id: frame.action } as Input['element'])
        : text({ max: 20 }).draw(frame, draft);
    },
    entered: textOrBefore,
    read: (state, name) => state.text(name),
  };
}

export function date(): Kind<string> {
  return pickerOrText((draft) => {
    const isDate = /^\d{4}-\d\d-\d\d$/.test(draft) && !Number.isNaN(Date.parse(draft));
    return draft === '' ? { type: 'datepicker' } : isDate ? { type: 'datepicker', initial_date: draft } : undefined;
  });
}

export function time(): Kind<string> {
  return pickerOrText((draft) => {
    const time = /^([01]\d|2[0-3]):[0-5]\d(?=(:00)?$)/.exec(draft)?.[0];
    return draft === '' ? { type: 'timepicker' } : time ? { type: 'timepicker', initial_time: time } : undefined;
  });
}

/** A file; of any kind, unless suffixes are given. */
export function file(...suffixes: readonly string[]): Kind<undefined, FormFile> {
  return {
    blank: undefined,
    draw: (frame) =>
      input(frame, {
        type: 'file_input',
        action_id: frame.action,
        ...(suffixes.length > 0 ? { filetypes: [...suffixes] } : {}),
        max_files: 1,
      }),
    entered: () => undefined,
    read: (state, name) => state.file(name),
  };
}
