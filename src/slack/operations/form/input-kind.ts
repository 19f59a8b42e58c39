/**
 * Owns how each variable of an operation shows in a form: as which kind of input, with which choices. Both ways of a form,
 * drawing it and reading it, follow from this. Pure.
 */
import type { Operation, Param, ReferenceKind } from '../../../codereadr/operations/operation.js';
import { labelIn } from './resources.js';

/**
 * - `new`: something is made or done; what is left empty is left to the account.
 * - `change`: something that is there is changed; what is left alone is kept.
 * - `ask`: something is asked.
 */
export type FormMode = 'new' | 'change' | 'ask';

export type OptionChoice = readonly [value: string, means: string];

/** Values of choices that stand for no value: they begin as no value of the account does. */
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
  /** `url`: its address can be given instead. */
  | { readonly kind: 'file'; readonly suffixes: readonly string[]; readonly maxBytes: number; readonly url: boolean }
  /** On or off; `on`: how it stands while nobody has touched it. */
  | { readonly kind: 'check'; readonly on: boolean }
  /** One of a few. `first`: what is chosen while nobody has touched it. */
  | { readonly kind: 'choice'; readonly choices: readonly OptionChoice[]; readonly first?: string }
  | { readonly kind: 'choices'; readonly choices: readonly OptionChoice[] }
  | { readonly kind: 'thing'; readonly of: ReferenceKind }
  | { readonly kind: 'things'; readonly of: ReferenceKind; readonly all: boolean };

/** The most a text input of Slack holds. */
export const longestInput = 3000;

export interface InputField {
  readonly name: string;
  readonly variable: Param;
  readonly label: string;
  readonly required: boolean;
  readonly face: InputKind;
  /** It can be emptied in a change, where the account keeps what is left out. */
  readonly clearable: boolean;
  /** A text that may be longer than an input holds, and so can come as a file. */
  readonly byFile: boolean;
}

/** `told`: the account told what it is now. */
export function fieldOf(operation: Operation, name: string, mode: FormMode, told: boolean): InputField {
  const variable = operation.input[name]!;
  // Names and values of a JSON object are few; a configuration or a page can be long.
  const isLong = variable.type === 'json' ? !variable.object : variable.type === 'text' && variable.multiline === true;
  return {
    name,
    variable,
    label: labelIn(operation, name),
    required: variable.required === true,
    face: faceOf(variable, mode, told, operation.effect === 'write'),
    clearable:
      mode === 'change' && !variable.required && (clearable.has(variable.type) || variable.resetWhenOmitted === true),
    byFile: isLong,
  };
}

/** Types whose empty value the account takes as "clear it". */
const clearable: ReadonlySet<Param['type']> = new Set(['text', 'url', 'email', 'json', 'date', 'time']);

const onOff: readonly OptionChoice[] = [
  ['1', 'On'],
  ['0', 'Off'],
];

const keep: OptionChoice = [keepChoice, 'Keep as it is'];
const none: OptionChoice = [noChoice, 'Leave it to the account'];
const noMatter: OptionChoice = [noChoice, 'No matter'];

function faceOf(variable: Param, mode: FormMode, told: boolean, write: boolean): InputKind {
  switch (variable.type) {
    case 'text':
      return variable.multiline
        ? { kind: 'lines', longest: Math.min(variable.max ?? longestInput, longestInput) }
        : { kind: 'line', longest: Math.min(variable.max ?? longestInput, longestInput) };
    case 'barcode':
      // A separator that is typed as \x1d takes four characters to type.
      return { kind: 'barcode', longest: Math.min((variable.max ?? longestInput) * 4, longestInput) };
    case 'flag':
      return flagFace(variable, mode, told);
    case 'whole':
      return {
        kind: 'number',
        ...(variable.min === undefined ? {} : { min: variable.min }),
        ...(variable.max === undefined ? {} : { max: variable.max }),
      };
    case 'choice':
      return choiceFace(variable.options, variable, mode, told);
    case 'choices':
      return { kind: 'choices', choices: variable.options };
    case 'id':
      return { kind: 'thing', of: variable.of };
    case 'ids':
      // Leaving it empty asks about all; only a change has to say so. A delete never offers it.
      return { kind: 'things', of: variable.of, all: variable.all === true && write };
    case 'date':
      return { kind: 'date' };
    case 'time':
      return { kind: 'time' };
    case 'zone':
      return { kind: 'zone', account: variable.account === true };
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
        suffixes: variable.suffixes,
        maxBytes: variable.maxBytes,
        url: variable.url === true,
      };
  }
}

function flagFace({ fallback }: Param, mode: FormMode, told: boolean): InputKind {
  if (mode === 'new') {
    return { kind: 'check', on: fallback === '1' };
  }
  if (mode === 'ask') {
    return { kind: 'choice', choices: [noMatter, ['1', 'Yes'], ['0', 'No']], first: noChoice };
  }
  return told ? { kind: 'choice', choices: onOff } : { kind: 'choice', choices: [keep, ...onOff], first: keepChoice };
}

function choiceFace(options: readonly OptionChoice[], variable: Param, mode: FormMode, told: boolean): InputKind {
  if (variable.required || told) {
    return { kind: 'choice', choices: options };
  }
  if (mode === 'change') {
    return { kind: 'choice', choices: [keep, ...options], first: keepChoice };
  }
  return variable.fallback === undefined
    ? { kind: 'choice', choices: [mode === 'ask' ? noMatter : none, ...options], first: noChoice }
    : { kind: 'choice', choices: options, first: variable.fallback };
}
