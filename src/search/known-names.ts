/** Names of services, users and devices that people may type in a search without a key. Pure. */

export interface KnownName {
  readonly kind: 'services' | 'users' | 'devices';
  readonly name: string;
}

/**
 * The longest run of words, from the first on, that is a name, or the beginning of a name up to a word's end. `part`:
 * the run as it was typed. `isWhole`: whether it is all of the name. A number alone is a barcode. Of equal names, the first of `knownNames` counts.
 * @param minWords the fewest words of the run
 */
export function knownNameAt(words: readonly string[], knownNames: readonly KnownName[], minWords = 1) {
  for (let length = words.length; length >= minWords; length -= 1) {
    const part = words.slice(0, length).join(' ');
    const isMeant = (test: (name: string, part: string) => boolean) =>
      knownNames.find(({ name }) => test(name.replace(/\s+/g, ' ').toLowerCase(), part.toLowerCase()));
    const whole = /\p{L}/u.test(part) ? isMeant((name, one) => name === one) : undefined;
    const found = whole ?? (/\p{L}/u.test(part) ? isMeant(isBeginning) : undefined);
    if (found) {
      return { kind: found.kind, part, words: length, isWhole: whole !== undefined };
    }
  }
  return undefined;
}

function isBeginning(name: string, part: string): boolean {
  return name.startsWith(part) && !/[\p{L}\p{N}]/u.test(name.slice(part.length, part.length + 1));
}
