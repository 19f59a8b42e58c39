/**
 * The fields of relay settings forms, within Slack's limits. A field's name is its `block_id`: Slack keeps what was
 * entered when the redrawn form has the same name. Pure.
 */
import {
  type Block,
  cut,
  type Input,
  type Option,
  option,
  plain,
  type RichTextElement,
} from '../../block-kit/elements.js';
import { bold, richText, textElement } from '../../block-kit/text.js';
import type { Choice } from '../../forms/inputs.js';
import { type PickKind, pickAction, settingActions } from './ids.js';

export interface Part {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  /** A change redraws the form. */
  readonly redraws?: boolean;
}

/** Slack's limit for an input, in characters. */
export const longestText = 3_000;

export type { Choice };

function input(part: Part, element: Input['element']): Input {
  return {
    type: 'input',
    block_id: part.name,
    label: plain(cut(part.label, 2_000)),
    ...(part.hint === undefined ? {} : { hint: plain(cut(part.hint, 2_000)) }),
    ...(part.optional ? { optional: true } : {}),
    ...(part.redraws ? { dispatch_action: true } : {}),
    element,
  };
}

function actionOf({ redraws }: Part): string {
  return redraws ? settingActions.redraw : settingActions.field;
}

export function textPart(
  part: Part,
  value: string,
  more: { readonly multiline?: boolean; readonly placeholder?: string; readonly max?: number } = {},
): Input {
  const { multiline, placeholder, max = longestText } = more;
  return input(part, {
    type: 'plain_text_input',
    action_id: actionOf(part),
    max_length: max,
    ...(multiline ? { multiline } : {}),
    ...(value === '' || value.length > max ? {} : { initial_value: value }),
    ...(placeholder === undefined ? {} : { placeholder: plain(cut(placeholder, 150)) }),
    ...(part.redraws ? { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } } : {}),
  });
}

export function numberPart(
  part: Part,
  value: string,
  { min, max, decimal = false }: { readonly min: number; readonly max: number; readonly decimal?: boolean },
): Input {
  return input(part, {
    type: 'number_input',
    action_id: actionOf(part),
    is_decimal_allowed: decimal,
    min_value: String(min),
    max_value: String(max),
    ...(/^-?\d{1,15}(\.\d{1,6})?$/.test(value) ? { initial_value: value } : {}),
  });
}

function optionsOf(choices: readonly Choice[]): Option[] {
  return choices.map(([value, words, more]) => option(words, value, more));
}

/** One of a few options, all visible. */
export function radioPart(part: Part, choices: readonly Choice[], chosen: string): Input {
  const options = optionsOf(choices);
  const initial = options.find(({ value }) => value === chosen);
  return input(part, {
    type: 'radio_buttons',
    action_id: actionOf(part),
    options,
    ...(initial ? { initial_option: initial } : {}),
  });
}

/** One of many options. */
export function selectPart(part: Part, choices: readonly Choice[], chosen: string | undefined): Input {
  const options = optionsOf(choices);
  const initial = options.find(({ value }) => value === chosen);
  return input(part, {
    type: 'static_select',
    action_id: actionOf(part),
    options,
    placeholder: plain('Choose'),
    ...(initial ? { initial_option: initial } : {}),
  });
}

export function groupedSelectPart(
  part: Part,
  groups: readonly (readonly [heading: string, choices: readonly Choice[]])[],
  chosen: string,
): Input {
  const all = groups.map(([heading, choices]) => ({ label: plain(heading), options: optionsOf(choices) }));
  const initial = all.flatMap(({ options }) => options).find(({ value }) => value === chosen);
  return input(part, {
    type: 'static_select',
    action_id: actionOf(part),
    option_groups: all,
    placeholder: plain('Choose'),
    ...(initial ? { initial_option: initial } : {}),
  });
}

export function severalPart(part: Part, choices: readonly Choice[], chosen: readonly string[]): Input {
  const options = optionsOf(choices);
  const initial = options.filter(({ value }) => value !== undefined && chosen.includes(value));
  return input(part, {
    type: 'multi_static_select',
    action_id: actionOf(part),
    options,
    placeholder: plain('Choose'),
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  });
}

/** One checkbox. It is never required: unchecked is a value. */
export function checkPart(part: Part, words: string, ticked: boolean): Input {
  const yes = option(words, 'yes');
  return input(
    { ...part, optional: true },
    {
      type: 'checkboxes',
      action_id: actionOf(part),
      options: [yes],
      ...(ticked ? { initial_options: [yes] } : {}),
    },
  );
}

export function timePart(part: Part, value: string): Input {
  return input(part, {
    type: 'timepicker',
    action_id: actionOf(part),
    ...(value === '' ? {} : { initial_time: value }),
  });
}

export function zonePart(part: Part, zone: Option | undefined): Input {
  return input(part, {
    type: 'external_select',
    action_id: settingActions.zone,
    min_query_length: 0,
    placeholder: plain('Find a time zone'),
    ...(zone ? { initial_option: zone } : {}),
  });
}

/** Records of the account, searched while somebody types. */
export function thingsPart(part: Part, kind: PickKind, chosen: readonly Option[], most: number): Input {
  return input(part, {
    type: 'multi_external_select',
    action_id: pickAction(kind),
    min_query_length: 0,
    placeholder: plain(`Find ${kind}s`),
    max_selected_items: most,
    ...(chosen.length > 0 ? { initial_options: [...chosen] } : {}),
  });
}

export function thingPart(part: Part, kind: PickKind, chosen: Option | undefined): Input {
  return input(part, {
    type: 'external_select',
    action_id: pickAction(kind),
    min_query_length: 0,
    placeholder: plain(`Find a ${kind}`),
    ...(chosen ? { initial_option: chosen } : {}),
  });
}

export function channelPart(part: Part, channel: string | undefined): Input {
  return input(part, {
    type: 'conversations_select',
    action_id: actionOf(part),
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(channel === undefined ? {} : { initial_conversation: channel }),
  });
}

export function peoplePart(part: Part, users: readonly string[], most: number): Input {
  return input(part, {
    type: 'multi_users_select',
    action_id: actionOf(part),
    placeholder: plain('No one'),
    max_selected_items: most,
    ...(users.length > 0 ? { initial_users: [...users] } : {}),
  });
}

export function groupsPart(part: Part, groups: readonly Option[], most: number): Input {
  return input(part, {
    type: 'multi_external_select',
    action_id: settingActions.group,
    min_query_length: 0,
    placeholder: plain('None'),
    max_selected_items: most,
    ...(groups.length > 0 ? { initial_options: [...groups] } : {}),
  });
}

export function filePart(part: Part, suffixes: readonly string[]): Input {
  return input(part, { type: 'file_input', action_id: settingActions.field, filetypes: [...suffixes], max_files: 1 });
}

export function heading(text: string): Block {
  return { type: 'header', text: plain(cut(text, 150)) };
}

/** Text between the fields. */
export function paragraph(...lines: readonly (string | readonly RichTextElement[])[]): Block {
  return richText(...lines.map((line) => (typeof line === 'string' ? [textElement(line)] : line)));
}

/** An error, above its field or at the top. */
export function warning(line: string | undefined): Block[] {
  return line === undefined ? [] : [richText([bold(`⚠️ ${line}`)])];
}
