/** The tokens of a typed search: a text in quotes or up to the next space, with its key where it has one. Pure. */

export const queryKeys = [
  'barcode',
  'service',
  'user',
  'device',
  'response',
  'answer',
  'property',
  'result',
  'when',
  'saved',
] as const;
export type Key = (typeof queryKeys)[number];

export interface Token {
  readonly key?: string;
  readonly text: string;
  readonly isQuoted: boolean;
  readonly at: number;
  readonly typed: string;
}

export const openQuotes = '"\u201c\u201d\u201e\u201f\uff02';
/** A key, then text in quotes or up to the next space. */
const token = new RegExp(
  `([A-Za-z]+):(?=\\s|$)|(?:([A-Za-z]+):)?(?:[${openQuotes}]([^${openQuotes}]*)[${openQuotes}]|(\\S+))`,
  'gu',
);

/** Splits a text into its tokens. */
export function tokensIn(text: string): readonly Token[] {
  return [...text.matchAll(token)].map((tokenMatch) => {
    const [typedText, alone, precedingText, inQuotes, plainly] = tokenMatch;
    const key = precedingText ?? alone;
    // In `http://…`, the colon belongs to the text.
    const isKey = key !== undefined && (isKeyLike(key, plainly) || inQuotes !== undefined || alone !== undefined);
    const text = inQuotes ?? (isKey || key === undefined ? (plainly ?? '') : typedText);
    return {
      ...(isKey ? { key: key.toLowerCase() } : {}),
      text,
      isQuoted: inQuotes !== undefined,
      at: tokenMatch.index,
      typed: typedText,
    };
  });
}

/** Whether a word is a key, or mistyped for one: taken for the barcode, the search would silently find nothing. */
function isKeyLike(word: string, rest = ''): boolean {
  const lowerWord = word.toLowerCase();
  const isNear = (key: Key) =>
    key[0] === lowerWord[0] && Math.abs(key.length - lowerWord.length) <= 2 && lowerWord.length > 3;
  return queryKeys.some((key) => key === lowerWord || (isNear(key) && !rest.startsWith('//')));
}

/** The words of the tokens before the first one that has a key or quotes. */
export function plainWords(tokens: readonly Token[]): readonly string[] {
  const end = tokens.findIndex(({ key, isQuoted }) => key !== undefined || isQuoted);
  return tokens.slice(0, end < 0 ? tokens.length : end).map(({ text }) => text);
}

/** Both tokens with what is typed between them, as one. */
export function spanning(text: string, first: Token, last: Token): Token {
  return { ...last, at: first.at, typed: text.slice(first.at, last.at + last.typed.length) };
}

export function phrase(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ');
}
