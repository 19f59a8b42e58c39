/**
 * Parser of the text after `/scandesk call`: `name=value` pairs. Pure. A value in double quotes is literal, with quotes
 * doubled; in an unquoted barcode `\x1d` is GS1's separator. PHP's names work: `values[0][value]=A`. A secret, which
 * others in the channel might read, is an error, as is a name such as `api_key` that the app sets.
 */
import { findOperation, operations } from '../../codereadr/operations/index.js';
import type { Operation, Param } from '../../codereadr/operations/operation.js';
import { withHidden } from '../../codereadr/xml/hidden-characters.js';
import { nearest } from '../../did-you-mean.js';

export type CallText =
  | { readonly kind: 'sections' }
  | { readonly kind: 'section'; readonly section: string }
  | {
      readonly kind: 'call';
      readonly operation: Operation;
      readonly given: Readonly<Record<string, string>>;
      /** Whether the last word is a lone question mark: the form opens even if nothing is missing. */
      readonly asForm: boolean;
    }
  | { readonly kind: 'no_section'; readonly typed: string; readonly hints: readonly string[] }
  | { readonly kind: 'no_action'; readonly section: string; readonly typed: string; readonly hints: readonly string[] }
  | { readonly kind: 'no_pair'; readonly typed: string }
  | { readonly kind: 'open_quote'; readonly name: string }
  | { readonly kind: 'twice'; readonly name: string }
  | {
      readonly kind: 'unknown_param';
      readonly operation: Operation;
      readonly typed: string;
      readonly hints: readonly string[];
    }
  /** A refused parameter: the app sets the API key, section and action itself; a secret might be read by others. */
  | { readonly kind: 'refused'; readonly name: string; readonly why: 'ours' | 'secret' };

export const sections: readonly string[] = [...new Set(operations.map(({ section }) => section))];

export function actionsOf(section: string): readonly Operation[] {
  return operations.filter((operation) => operation.section === section);
}

/** Parses a call. `text`: what followed `/scandesk call`, with Slack's escapes such as `&amp;` decoded once. */
export function readCallText(text: string): CallText {
  const [, firstWord = '', afterSection = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  if (firstWord === '') {
    return { kind: 'sections' };
  }
  // The spelling `services/retrieve`, as in the audit log, works too.
  const [sectionTyped = '', joinedAction] = firstWord.split('/');
  const section = sectionTyped.toLowerCase();
  if (!sections.includes(section)) {
    return { kind: 'no_section', typed: sectionTyped, hints: nearest(section, sections) };
  }
  const [, secondWord = '', afterAction = ''] = /^(\S*)\s*([\s\S]*)$/.exec(afterSection) ?? [];
  const actionTyped = joinedAction ?? secondWord;
  const pairs = joinedAction === undefined ? afterAction : afterSection;
  if (actionTyped === '') {
    return { kind: 'section', section };
  }
  const operation = findOperation(section, actionTyped.toLowerCase());
  if (!operation) {
    const actions = actionsOf(section).map(({ action }) => action);
    return { kind: 'no_action', section, typed: actionTyped, hints: nearest(actionTyped, actions) };
  }
  return readPairs(operation, pairs);
}

const reservedNames: ReadonlySet<string> = new Set(['api_key', 'section', 'action']);

/** Slack and phones replace straight quotes by typographic ones. */
const quotes: ReadonlySet<string | undefined> = new Set(['"', '“', '”', '„', '‟', '＂']);
const pairStart = /^([A-Za-z_]\w*(?:\[[^\]\s]*\])*)=/;

function readPairs(operation: Operation, text: string): CallText {
  const givenValues: Record<string, string> = Object.create(null);
  let textLeft = text.trimStart();
  let asForm = false;
  while (textLeft !== '') {
    if (textLeft === '?') {
      asForm = true;
      break;
    }
    const [start = '', typedName = ''] = pairStart.exec(textLeft) ?? [];
    if (start === '') {
      return { kind: 'no_pair', typed: /^\S+/.exec(textLeft)?.[0] ?? '' };
    }
    const name = declaredName(operation, typedName);
    const base = /^\w+/.exec(name)![0];
    if (reservedNames.has(base.toLowerCase())) {
      return { kind: 'refused', name: base, why: 'ours' };
    }
    const param = Object.hasOwn(operation.input, base) ? operation.input[base] : undefined;
    if (param?.secret || base.toLowerCase() === 'password') {
      return { kind: 'refused', name: base, why: 'secret' };
    }
    if (!param) {
      return { kind: 'unknown_param', operation, typed: base, hints: nearest(base, Object.keys(operation.input)) };
    }
    if (givenValues[name] !== undefined) {
      return { kind: 'twice', name };
    }
    textLeft = textLeft.slice(start.length);
    const value = readValue(textLeft);
    if (!value) {
      return { kind: 'open_quote', name };
    }
    givenValues[name] = !value.literal && isBarcode(operation, name) ? withHidden(value.text) : value.text;
    textLeft = textLeft.slice(value.length).trimStart();
  }
  return { kind: 'call', operation, given: { ...givenValues }, asForm };
}

interface Value {
  readonly text: string;
  /** How many characters of the text the value took, quotes included. */
  readonly length: number;
  readonly literal: boolean;
}

/** Reads a value; undefined for an unclosed quote. */
function readValue(textLeft: string): Value | undefined {
  if (!quotes.has(textLeft[0])) {
    const text = /^\S*/.exec(textLeft)![0];
    return { text, length: text.length, literal: false };
  }
  let text = '';
  for (let at = 1; at < textLeft.length; at += 1) {
    const character = textLeft[at]!;
    const next = textLeft[at + 1];
    if (quotes.has(character) && (next === undefined || /\s/.test(next))) {
      return { text, length: at + 1, literal: true };
    }
    if (quotes.has(character) && quotes.has(next)) {
      at += 1;
    }
    text += character;
  }
  return undefined;
}

/** The declared name of a parameter: the account has some in capitals, and people may type any case. */
function declaredName(operation: Operation, typedName: string): string {
  const base = /^\w+/.exec(typedName)![0];
  const names = Object.keys(operation.input);
  const declared = names.includes(base) ? base : names.find((name) => name.toLowerCase() === base.toLowerCase());
  return `${declared ?? base}${typedName.slice(base.length)}`;
}

function isBarcode({ input }: Operation, name: string): boolean {
  const [base = '', ...path] = name.split(/\[|\]\[|\]$/).filter(Boolean);
  const param: Param | undefined = input[base];
  const within = param?.type === 'records' ? param.fields[path.at(-1) ?? ''] : param;
  return within?.type === 'barcode';
}
