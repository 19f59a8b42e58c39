/** Counts, plurals, ordinals, spans of time and lists of names in English. Pure. */

const plurals = new Intl.PluralRules('en-US');
const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });
/** A list in words: `a, b and c`; American lists would put a comma before the last. */
const lists = new Intl.ListFormat('en-GB');

const ordinalEndings: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
  other: 'th',
  zero: 'th',
  many: 'th',
};

export function plural(count: number, one: string, many = `${one}s`): string {
  return plurals.select(count) === 'one' ? one : many;
}

/** A number with its noun: `1 scan`, `1,250 scans`. */
export function countOf(count: number, one: string, many?: string): string {
  return `${count.toLocaleString('en-US')} ${plural(count, one, many)}`;
}

/** A span in words: `90 minutes`, `2 hours`, `3 days`. */
export function describeMinutes(minutes: number): string {
  if (minutes % 1_440 === 0) {
    return countOf(minutes / 1_440, 'day');
  }
  return minutes % 60 === 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute');
}

/** An ordinal number: `1st`, `22nd`. */
export function ordinal(n: number): string {
  return `${n.toLocaleString('en-US')}${ordinalEndings[ordinals.select(n)]}`;
}

export function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

export function listOf(items: readonly string[]): string {
  return lists.format(items);
}

/** The first items of a list: `a, b and 3 more`; without `left`, all of them with commas. */
export function firstOf(shownTexts: readonly string[], left: number, remainder = 'more'): string {
  return left > 0 ? `${shownTexts.join(', ')} and ${left.toLocaleString('en-US')} ${remainder}` : shownTexts.join(', ');
}

/** One collator for all names: 100,000 are compared in less than a second, and in 15 by `localeCompare`. */
export const compareNames = new Intl.Collator('en-US', { numeric: true }).compare;

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Alternatives: `a, b or c`; `a, b, c or 3 more`. */
export function eitherOf(shownTexts: readonly string[], left = 0): string {
  return alternatives.format(left > 0 ? [...shownTexts, `${left.toLocaleString('en-US')} more`] : shownTexts);
}
