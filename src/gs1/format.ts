/** The formats of GS1 fields: length, characters, check digits, dates. Pure. */
import { hasValidCheckDigit } from './check-digit.js';
import { readDate } from './date.js';

type Rule = 'check' | 'date' | 'day0';

interface CompiledFormat {
  readonly pattern: RegExp;
  /** The rule of each group in `pattern`. */
  readonly rules: readonly (Rule | undefined)[];
}

const characters: Readonly<Record<string, string>> = {
  n: '[0-9]',
  x: '[!"%-?A-Z_a-z]',
  y: '[#\\-/0-9A-Z]',
  z: '[-0-9=A-Z_a-z]',
  s: '-',
};

/** One component of a format: `[n6:date]`, `x..17?`. */
const component = /^(\[)?([nxyzs])(\.\.)?(\d+)(\?)?(?::(check|date|day0))?\]?$/;

function compile(format: string): CompiledFormat {
  const parts = format.split(' ').map((text) => {
    const [, optional, type, upTo, length, maybeEmpty, rule] = component.exec(text)!;
    const times = upTo ? `{${maybeEmpty ? 0 : 1},${length}}` : `{${length}}`;
    return { source: `(${characters[type!]}${times})${optional ? '?' : ''}`, rule: rule as Rule | undefined };
  });
  return {
    pattern: new RegExp(`^${parts.map(({ source }) => source).join('')}$`),
    rules: parts.map(({ rule }) => rule),
  };
}

const compiledFormats = new Map<string, CompiledFormat>();

/** True where the value has the format; see application-identifiers.ts for the grammar. */
export function hasFormat(format: string, value: string): boolean {
  let compiled = compiledFormats.get(format);
  if (!compiled) {
    compiled = compile(format);
    compiledFormats.set(format, compiled);
  }
  const groups = compiled.pattern.exec(value)?.slice(1);
  return groups?.every((group, n) => group === undefined || meetsRule(compiled.rules[n], group)) ?? false;
}

function meetsRule(rule: Rule | undefined, group: string): boolean {
  switch (rule) {
    case 'check':
      return hasValidCheckDigit(group);
    case 'date':
    case 'day0':
      return readDate(group, rule === 'day0') !== undefined;
    case undefined:
      return true;
  }
}
