/** The formats of GS1 fields: length, characters, check digits, dates. Pure. */
import { hasValidCheckDigit } from './check-digit.js';
import { readDate } from './date.js';

const rules = {
  check: hasValidCheckDigit,
  date: (digits: string) => readDate(digits, false) !== undefined,
  day0: (digits: string) => readDate(digits, true) !== undefined,
  time: (digits: string) => /^(?:[01]\d|2[0-3])(?:[0-5]\d)?$/.test(digits),
  sixty: (digits: string) => /^[0-5]\d$/.test(digits),
  flag: (digits: string) => digits <= '1',
  zero: (digits: string) => digits === '0',
};

type Rule = keyof typeof rules;

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
const component = /^(\[)?([nxyzs])(\.\.)?(\d+)(\?)?(?::(\w+))?\]?$/;

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
  return (
    groups?.every((group, n) => {
      const rule = compiled.rules[n];
      return group === undefined || rule === undefined || rules[rule](group);
    }) ?? false
  );
}
