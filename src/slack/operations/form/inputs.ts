/** The input blocks of a form, one per field, within Slack's limits. Pure. */
import type { types } from '@slack/bolt';
import { type Block, cut, type Input, type Option, option, plain } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { type InputField, type InputKind, longestInput, type OptionChoice } from './input-kind.js';
import { type InputContent, pickedOf, textOf } from './input-values.js';
import { firstPicked, type Lists, pickInput } from './pick-input.js';
import { isListed, kindNames } from './resources.js';

/** More options than these become a menu. */
const mostRadios = 4;

type Element = Input['element'];

export interface InputOptions {
  readonly content?: InputContent | undefined;
  readonly lists: Lists;
  /** The current value, where the input does not show it. */
  readonly now?: string | undefined;
  /** A file of an earlier attempt, used unless another is given. */
  readonly earlierFile?: string | undefined;
  readonly placeholder?: string | undefined;
}

export function inputBlock(field: InputField, options: InputOptions): Input {
  const { param, label, required } = field;
  const element = elementOf(field, options);
  const now = options.now === undefined ? '' : ` ${options.now}`;
  const attached =
    options.earlierFile === undefined
      ? ''
      : ` ${settled(options.earlierFile)} is already attached. Choose a file only to replace it.`;
  // It may be empty where the value can be given another way.
  const otherWay = options.earlierFile !== undefined || field.byFile || (field.kind.kind === 'file' && field.kind.url);
  const mayBeEmpty = !required || element.type === 'checkboxes' || otherWay;
  return {
    type: 'input',
    block_id: `v.${field.name}`,
    label: plain(label),
    hint: plain(cut(`${param.description}${extraHint(field)}${now}${attached}`, 2000)),
    ...(mayBeEmpty ? { optional: true } : {}),
    element,
  };
}

/** The same text as a file, for what is too long for an input. */
export function textFileBlock(field: InputField, earlierFile: string | undefined): Input {
  const attached =
    earlierFile === undefined ? '' : ` ${settled(earlierFile)} is already attached. Choose a file only to replace it.`;
  return {
    type: 'input',
    block_id: `f.${field.name}`,
    label: plain(`${field.label} (file)`),
    hint: plain(`Use a file for text longer than ${longestInput.toLocaleString('en-US')} characters.${attached}`),
    optional: true,
    element: { type: 'file_input', action_id: 'form.field', max_files: 1 },
  };
}

/** The URL of a file, where it need not be uploaded. */
export function linkBlock(field: InputField, content: InputContent | undefined): Input {
  const link = textOf(content);
  return {
    type: 'input',
    block_id: `u.${field.name}`,
    label: plain(`${field.label} (URL)`),
    hint: plain('Enter a URL instead of uploading a file. The account downloads it from there.'),
    optional: true,
    element: {
      type: 'url_text_input',
      action_id: 'form.field',
      ...(link === '' ? {} : { initial_value: link }),
    },
  };
}

/** Chooses which texts of a group are emptied. */
export function clearBlock(heading: string, fields: readonly InputField[], picked: readonly Option[]): Block {
  const options = fields.map(clearOption);
  const initial = options.filter(({ value }) => picked.some((each) => each.value === value));
  return {
    type: 'input',
    block_id: `c.${heading}`,
    label: plain(heading === '' ? 'Fields to clear' : `Fields to clear: ${heading}`),
    hint: plain('Fields that you neither fill in nor choose here stay unchanged.'),
    optional: true,
    element: {
      type: 'multi_static_select',
      action_id: 'form.field',
      options,
      placeholder: plain('None'),
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
  };
}

function clearOption({ label, name, param }: InputField): Option {
  return option(param.resetWhenOmitted ? `${label} (reset to default)` : label, name);
}

function extraHint({ kind: inputKind, param, required, byFile }: InputField): string {
  if (required && byFile) {
    return ' Type it here or upload a file.';
  }
  if (inputKind.kind === 'barcode') {
    return ' Type \\x1d for the GS1 separator.';
  }
  if (param.secret) {
    return ' Sent only to the account. Slack shows it as you type.';
  }
  if (param.type === 'records') {
    return ' Put text that contains a comma in double quotes, and double any quotes inside it.';
  }
  if (param.type === 'pairs') {
    return ' Enter one name=value per line.';
  }
  return (inputKind.kind === 'resource' || inputKind.kind === 'resources') && !isListed(inputKind.of)
    ? ` Enter ${inputKind.kind === 'resources' ? 'IDs separated by commas' : 'its ID'}.`
    : '';
}

function elementOf({ kind: inputKind }: InputField, { content, lists, placeholder }: InputOptions): Element {
  const hint = placeholder === undefined ? {} : { placeholder: plain(cut(placeholder, 150)) };
  switch (inputKind.kind) {
    case 'line':
      return lineInput(inputKind, textOf(content), hint);
    case 'lines':
      return textInput(textOf(content), inputKind.longest, true, hint);
    case 'barcode':
      return textInput(textOf(content), inputKind.longest, false, hint);
    case 'number':
      return numberInput(inputKind, textOf(content), hint);
    case 'date':
      return dateInput(textOf(content));
    case 'time':
      return timeInput(textOf(content));
    case 'zone':
      return {
        type: 'external_select',
        action_id: 'form.pick.zone',
        min_query_length: 0,
        placeholder: plain('Find a time zone'),
        ...firstPicked(pickedOf(content)),
      };
    case 'file':
      return {
        type: 'file_input',
        action_id: 'form.field',
        filetypes: inputKind.suffixes.map((suffix) => suffix.replace(/^\./, '')),
        max_files: 1,
      };
    case 'check':
      return checkInput(content === undefined ? inputKind.on : pickedOf(content).length > 0);
    case 'choice':
      return choiceInput(inputKind, pickedOf(content)[0]?.value ?? inputKind.first);
    case 'choices':
      return choicesInput(inputKind.choices, pickedOf(content));
    case 'resource':
    case 'resources':
      return isListed(inputKind.of)
        ? pickInput(inputKind, inputKind.of, pickedOf(content), lists[inputKind.of])
        : textInput(textOf(content), longestInput, false, { placeholder: plain(`${kindNames[inputKind.of][0]} ID`) });
  }
}

type Hint = { readonly placeholder?: types.PlainTextElement };

function textInput(text: string, longest: number, multiline: boolean, hint: Hint): Element {
  return {
    type: 'plain_text_input',
    action_id: 'form.field',
    max_length: longest,
    ...(multiline || text.includes('\n') ? { multiline: true } : {}),
    ...(text === '' || text.length > longest ? {} : { initial_value: text }),
    ...hint,
  };
}

function lineInput(inputKind: Extract<InputKind, { kind: 'line' }>, text: string, hint: Hint): Element {
  const initial = text === '' ? {} : { initial_value: text };
  if (inputKind.url) {
    return { type: 'url_text_input', action_id: 'form.field', ...initial, ...hint };
  }
  return inputKind.email
    ? { type: 'email_text_input', action_id: 'form.field', ...initial, ...hint }
    : textInput(text, inputKind.longest, false, hint);
}

function numberInput({ min, max }: Extract<InputKind, { kind: 'number' }>, text: string, hint: Hint): Element {
  return {
    type: 'number_input',
    action_id: 'form.field',
    is_decimal_allowed: false,
    ...(min === undefined ? {} : { min_value: String(min) }),
    ...(max === undefined ? {} : { max_value: String(max) }),
    ...(/^-?\d{1,15}$/.test(text) ? { initial_value: text } : {}),
    ...hint,
  };
}

/** A text input for what a date picker cannot show, so that it is not changed unseen. */
function dateInput(text: string): Element {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return text === '' || date
    ? { type: 'datepicker', action_id: 'form.field', ...(date ? { initial_date: text } : {}) }
    : textInput(text, 20, false, {});
}

function timeInput(text: string): Element {
  const time = /^([01]\d|2[0-3]):[0-5]\d(?=(:00)?$)/.exec(text)?.[0];
  return text === '' || time !== undefined
    ? { type: 'timepicker', action_id: 'form.field', ...(time === undefined ? {} : { initial_time: time }) }
    : textInput(text, 20, false, {});
}

function checkInput(on: boolean): Element {
  const yes = option('Yes', '1');
  return {
    type: 'checkboxes',
    action_id: 'form.field',
    options: [yes],
    ...(on ? { initial_options: [yes] } : {}),
  };
}

function choiceInput({ choices }: Extract<InputKind, { kind: 'choice' }>, chosen: string | undefined): Element {
  const options = choices.map(([value, label]) => option(label, value));
  const initial = options.find(({ value }) => value === chosen);
  const field = { action_id: 'form.field', options, ...(initial ? { initial_option: initial } : {}) };
  // Radio buttons cannot be cleared: only where one is always chosen.
  return initial && options.length <= mostRadios
    ? { type: 'radio_buttons', ...field }
    : { type: 'static_select', ...field, placeholder: plain('Choose') };
}

function choicesInput(choices: readonly OptionChoice[], picked: readonly Option[]): Element {
  const options = choices.map(([value, label]) => option(label, value));
  const initial = options.filter(({ value }) => picked.some((each) => each.value === value));
  return {
    type: 'multi_static_select',
    action_id: 'form.field',
    options,
    placeholder: plain('Choose'),
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  };
}
