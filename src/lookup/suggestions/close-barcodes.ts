/**
 * Barcodes that differ from a value by one slip in typing or printing, the likeliest first. They are candidates: only
 * one that exists is worth showing. Pure.
 */
import { hasRightCheckDigit, hasWrongCheckDigit, withCheckDigit } from '../../gs1/check-digit.js';
import { inStoreArticles } from '../../gs1/in-store.js';
import { equalReadings } from '../../gs1/readings.js';
import { otherCharacters, otherKeyboards } from './systematic-slips.js';

/**
 * The kinds of slips.
 * - `characters`: typographic dashes, digits of another script, accents as characters of their own.
 * - `keyboard`: a scanner whose keyboard layout is not the computer's.
 * - `ends`: spaces, quotes, punctuation or invisible characters at the ends, more or fewer.
 * - `case`: all letters in one case, or one letter in the other.
 * - `twin`: an equal reading by GS1's rules.
 * - `in_store`: the article of a number that holds a weight or a price.
 * - `check_digit`: the check digit that the other digits ask for.
 * - `zeros`: more or fewer zeros in front of a number.
 * - `look_alike`: characters that look alike, such as O and 0.
 * - `separators`: without its separators.
 * - `swapped`, `left_out`, `added`, `exchanged`: two neighbors; one character.
 */
export type Slip =
  | 'characters'
  | 'keyboard'
  | 'ends'
  | 'case'
  | 'twin'
  | 'in_store'
  | 'check_digit'
  | 'zeros'
  | 'look_alike'
  | 'separators'
  | 'swapped'
  | 'left_out'
  | 'added'
  | 'exchanged';

export interface CloseBarcode {
  readonly value: string;
  readonly slip: Slip;
}

/** The most candidates: each is searched in each database. */
const mostCandidates = 4_000;

/** The fewest characters of a value whose characters are edited: of shorter values, nearly every other one is close. */
const shortestEdited = 3;

/** The slips in the order of likelihood. `letters`: code points, so that none is ever halved. */
const slips: readonly (readonly [Slip, (letters: readonly string[], value: string) => Iterable<string>])[] = [
  ['characters', (_, value) => otherCharacters(value)],
  ['keyboard', editing((_, value) => otherKeyboards(value))],
  ['ends', (_, value) => otherEnds(value)],
  ['case', otherCase],
  ['twin', (_, value) => equalReadings(value).map((reading) => reading.value)],
  ['in_store', (_, value) => inStoreArticles(value)],
  ['check_digit', (_, value) => (hasWrongCheckDigit(value) ? [withCheckDigit(value.slice(0, -1))] : [])],
  ['zeros', (_, value) => otherZeros(value)],
  ['look_alike', lookAlikes],
  ['separators', (_, value) => [value.replace(/[-_ ./:]/g, '')]],
  [
    'swapped',
    editing((letters) =>
      editAtEach(letters.slice(1), (_, n) => [replaced(letters, n, 2, [letters[n + 1]!, letters[n]!])]),
    ),
  ],
  ['left_out', editing((letters) => editAtEach(letters, (_, n) => [replaced(letters, n, 1)]))],
  ['exchanged', editing((letters) => exchanged(letters, (letter) => classesOf([letter])))],
  [
    'added',
    editing((letters) => {
      const added = classesOf([...letters, '-']);
      return editAtEach([...letters, ''], (_, n) => added.map((one) => replaced(letters, n, 0, [one])));
    }),
  ],
  [
    'exchanged',
    editing((letters) => {
      const others = classesOf(letters);
      return exchanged(letters, () => others);
    }),
  ],
];

/** The close barcodes, each once, and never the value itself. */
export function closeBarcodes(value: string): readonly CloseBarcode[] {
  const letters = [...value];
  const slipsByValue = new Map<string, Slip>();
  for (const [slip, candidates] of slips) {
    for (const candidate of candidates(letters, value)) {
      // Edits stop at the limit: those of a long value would take a quarter of a second.
      if (slipsByValue.size >= mostCandidates) {
        break;
      }
      if (candidate !== value && candidate !== '' && !slipsByValue.has(candidate)) {
        slipsByValue.set(candidate, slip);
      }
    }
  }
  const all = [...slipsByValue].map(([candidate, slip]) => ({ value: candidate, slip }));
  if (!hasWrongCheckDigit(value)) {
    return all;
  }
  const isRight = (one: CloseBarcode) => hasRightCheckDigit(one.value);
  return [...all.filter(isRight), ...all.filter((one) => !isRight(one))];
}

function editing(edits: (letters: readonly string[], value: string) => Iterable<string>) {
  return (letters: readonly string[], value: string) => (letters.length < shortestEdited ? [] : edits(letters, value));
}

function replaced(letters: readonly string[], at: number, count: number, by: readonly string[] = []): string {
  return [...letters.slice(0, at), ...by, ...letters.slice(at + count)].join('');
}

const classes = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '-_ ./:'].map((all) => [
  ...all,
]);

/** The characters of each kind (digits, letters, separators) that occurs in the value. */
function classesOf(letters: readonly string[]): readonly string[] {
  return classes.filter((all) => letters.some((letter) => all.includes(letter))).flat();
}

function exchanged(letters: readonly string[], by: (letter: string) => readonly string[]): Iterable<string> {
  return editAtEach(letters, (letter, n) => by(letter).map((one) => replaced(letters, n, 1, [one])));
}

/** Like `flatMap`, but only as far as the results are read. */
function* editAtEach(
  letters: readonly string[],
  edits: (letter: string, n: number) => readonly string[],
): Generator<string, void> {
  for (const [n, letter] of letters.entries()) {
    yield* edits(letter, n);
  }
}

/** The characters that a label, a list or a chat puts around a barcode. */
const outerCharacters = [' ', '\u00a0', '\u200b', '\ufeff', '"', "'", '*'];
const leadingEdge = /^[\p{P}\p{S}\p{Z}\p{C}]+/u;
const trailingEdge = /[\p{P}\p{S}\p{Z}\p{C}]+$/u;
const unseenBefore = /^[\p{Z}\p{C}]+/u;
const unseenBehind = /[\p{Z}\p{C}]+$/u;

function otherEnds(value: string): readonly string[] {
  return [
    value.replace(unseenBefore, '').replace(unseenBehind, ''),
    value.replace(leadingEdge, '').replace(trailingEdge, ''),
    value.replace(trailingEdge, ''),
    value.replace(leadingEdge, ''),
    ...outerCharacters.flatMap((one) => [value + one, one + value, one + value + one]),
  ];
}

function otherCase(letters: readonly string[], value: string): readonly string[] {
  const flipped = (letter: string) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());
  return [
    value.toUpperCase(),
    value.toLowerCase(),
    ...letters.map((letter, n) => replaced(letters, n, 1, [flipped(letter)])),
  ];
}

/** The most numbers in a longer barcode, and the most zeros that one of them may gain. */
const mostNumbers = 4;
const mostZeros = 8;

function otherZeros(value: string): readonly string[] {
  return [...value.matchAll(/\d+/g)].slice(0, mostNumbers).flatMap(({ 0: number, index }) => {
    const zeros = /^0*/.exec(number.slice(0, -1))![0].length;
    const counts = Array.from({ length: zeros + mostZeros + 1 }, (_, n) => n);
    return counts.map((n) => value.slice(0, index) + '0'.repeat(n) + value.slice(index + zeros));
  });
}

const lookAlikeSets = ['0Oo', '1Iil|', '8B', '5Ss', '2Zz'].map((all) => [...all]);

/** Spellings with one character replaced by a look-alike, with all equal ones replaced, or with all as digits. */
function lookAlikes(letters: readonly string[], value: string): readonly string[] {
  const othersOf = (letter: string) =>
    lookAlikeSets.find((all) => all.includes(letter))?.filter((one) => one !== letter) ?? [];
  return [
    letters.map((letter) => lookAlikeSets.find((all) => all.includes(letter))?.[0] ?? letter).join(''),
    ...[...new Set(letters)].flatMap((letter) => othersOf(letter).map((other) => value.replaceAll(letter, other))),
    ...letters.flatMap((letter, n) => othersOf(letter).map((other) => replaced(letters, n, 1, [other]))),
  ];
}
