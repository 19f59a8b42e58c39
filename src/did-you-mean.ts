/** Guesses at a mistyped word. Pure. */

const mostGuesses = 2;

/** The two most similar words, closest first; empty if none is close. */
export function nearest(typedWord: string, words: readonly string[]): readonly string[] {
  const wanted = typedWord.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length / 3));
  const isNear = (distance: number, word: string) => distance <= reach || (wanted.length > 2 && word.includes(wanted));
  return closestFirst(wanted, words, isNear).slice(0, mostGuesses);
}

/** Words that differ from the typed text by two letters at most, from one of two letters by one; closest first. */
export function mistyped(typedText: string, words: readonly string[]): readonly string[] {
  const wanted = typedText.toLowerCase();
  const reach = Math.min(2, wanted.length - 1);
  return closestFirst(wanted, words, (distance) => distance > 0 && distance <= reach);
}

/** Whether a text differs from a word, in any case, by one letter or one swap of two. */
export const isOneSlip = (typedText: string, word: string): boolean =>
  editDistance(typedText.toLowerCase(), word.toLowerCase()) === 1;

function closestFirst(wanted: string, words: readonly string[], isNear: (distance: number, word: string) => boolean) {
  return words
    .map((word) => ({ word, distance: editDistance(wanted, word.toLowerCase()) }))
    .filter(({ word, distance }) => isNear(distance, word.toLowerCase()))
    .sort((a, b) => a.distance - b.distance)
    .map(({ word }) => word);
}

/** The number of letters inserted, deleted, replaced, or swapped with the next letter. */
function editDistance(a: string, b: string): number {
  let previousRow: number[] = [];
  let lastRow = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const nextRow = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      nextRow[column] = Math.min(
        lastRow[column]! + 1,
        nextRow[column - 1]! + 1,
        lastRow[column - 1]! + (same ? 0 : 1),
        ...(swapped ? [previousRow[column - 2]! + 1] : []),
      );
    }
    previousRow = lastRow;
    lastRow = nextRow;
  }
  return lastRow[b.length]!;
}
