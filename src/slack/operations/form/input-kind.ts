/** The kind of input for each parameter of an operation. Drawing a form and reading it both follow from it. Pure. */
import type { Operation, Param, ReferenceKind } from '../../../codereadr/operations/operation.js';
import { labelIn } from './resources.js';

/**
 * - `new`: creates or does something; an empty input leaves the value to the account.
 * - `change`: changes an item; an untouched input keeps the value.
 * - `ask`: reads.
 */
export type FormMode = 'new' | 'change' | 'ask';

export type OptionChoice = readonly [value: string, description: string];

/** Option values that stand for no value; no value of the account starts with `!`. */
export const noChoice = '!none';
export const keepChoice = '!keep';

export type InputKind =
  | { readonly kind: 'line'; readonly longest: number; readonly email?: boolean; readonly url?: boolean }
  | { readonly kind: 'lines'; readonly longest: number }
  | { readonly kind: 'barcode'; readonly longest: number }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'zone'; readonly account: boolean }
  /** `url`: the file's URL can be given instead. */
  | { readonly kind: 'file'; readonly suffixes: readonly string[]; readonly maxBytes: number; readonly url: boolean }
  /** `on`: the initial state. */
  | { readonly kind: 'check'; readonly on: boolean }
  /** `first`: the initial option. */
  | { readonly kind: 'choice'; readonly choices: readonly OptionChoice[]; readonly first?: string }
  | { readonly kind: 'choices'; readonly choices: readonly OptionChoice[] }
  | { readonly kind: 'resource'; readonly of: ReferenceKind }
  | { readonly kind: 'resources'; readonly of: ReferenceKind; readonly all: boolean };

/** Slack's limit for a text input, in characters. */
export const longestInput = 3000;

export interface InputField {
  readonly name: string;
  readonly param: Param;
  readonly label: string;
  readonly required: boolean;
  readonly kind: InputKind;
  /** Can be emptied in a change, where the account keeps omitted values. */
  readonly clearable: boolean;
  /** A text that may be too long for an input, and can be given as a file. */
  readonly byFile: boolean;
}

/** `hasCurrent`: the account returned the current value. */
export function fieldOf(operation: Operation, name: string, mode: FormMode, hasCurrent: boolean): InputField {
  const param = operation.input[name]!;
  // A JSON object's pairs are few; a configuration or a page can be long.
  const isLong = param.type === 'json' ? !param.object : param.type === 'text' && param.multiline === true;
  return {
    name,
    param,
    label: labelIn(operation, name),
    required: param.required === true,
    kind: inputKindOf(param, mode, hasCurrent, operation.effect === 'write'),
    clearable: mode === 'change' && !param.required && (clearable.has(param.type) || param.resetWhenOmitted === true),
    byFile: isLong,
  };
}

/** Types for which the account takes an empty value as "clear". */
const clearable: ReadonlySet<Param['type']> = new Set(['text', 'url', 'email', 'json', 'date', 'time']);

const onOff: readonly OptionChoice[] = [
  ['1', 'On'],
  ['0', 'Off'],
];

const keep: OptionChoice = [keepChoice, 'Don’t change'];
const none: OptionChoice = [noChoice, 'Account default'];
const noMatter: OptionChoice = [noChoice, 'Any'];

function inputKindOf(param: Param, mode: FormMode, hasCurrent: boolean, write: boolean): InputKind {
  switch (param.type) {
    case 'text':
      return param.multiline
        ? { kind: 'lines', longest: Math.min(param.max ?? longestInput, longestInput) }
        : { kind: 'line', longest: Math.min(param.max ?? longestInput, longestInput) };
    case 'barcode':
      // A separator typed as \x1d takes four characters.
      return { kind: 'barcode', longest: Math.min((param.max ?? longestInput) * 4, longestInput) };
    case 'boolean':
      return booleanKind(param, mode, hasCurrent);
    case 'integer':
      return {
        kind: 'number',
        ...(param.min === undefined ? {} : { min: param.min }),
        ...(param.max === undefined ? {} : { max: param.max }),
      };
    case 'enum':
      return enumKind(param.options, param, mode, hasCurrent);
    case 'enumList':
      return { kind: 'choices', choices: param.options };
    case 'id':
      return { kind: 'resource', of: param.of };
    case 'ids':
      // In a read, empty means all, so only a change offers "all". A delete never does.
      return { kind: 'resources', of: param.of, all: param.all === true && write };
    case 'date':
      return { kind: 'date' };
    case 'time':
      return { kind: 'time' };
    case 'zone':
      return { kind: 'zone', account: param.account === true };
    case 'url':
      return { kind: 'line', longest: longestInput, url: true };
    case 'email':
      return { kind: 'line', longest: longestInput, email: true };
    case 'names':
      return { kind: 'line', longest: longestInput };
    case 'json':
    case 'pairs':
    case 'records':
      return { kind: 'lines', longest: longestInput };
    case 'file':
      return {
        kind: 'file',
        suffixes: param.suffixes,
        maxBytes: param.maxBytes,
        url: param.url === true,
      };
  }
}

function booleanKind(param: Param, mode: FormMode, hasCurrent: boolean): InputKind {
  if (mode === 'new') {
    return { kind: 'check', on: param.default === '1' };
  }
  if (mode === 'ask') {
    return { kind: 'choice', choices: [noMatter, ['1', 'Yes'], ['0', 'No']], first: noChoice };
  }
  return hasCurrent
    ? { kind: 'choice', choices: onOff }
    : { kind: 'choice', choices: [keep, ...onOff], first: keepChoice };
}

function enumKind(options: readonly OptionChoice[], param: Param, mode: FormMode, hasCurrent: boolean): InputKind {
  if (param.required || hasCurrent) {
    return { kind: 'choice', choices: options };
  }
  if (mode === 'change') {
    return { kind: 'choice', choices: [keep, ...options], first: keepChoice };
  }
  return param.default === undefined
    ? { kind: 'choice', choices: [mode === 'ask' ? noMatter : none, ...options], first: noChoice }
    : { kind: 'choice', choices: options, first: param.default };
}
