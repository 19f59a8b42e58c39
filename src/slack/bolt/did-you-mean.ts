/** Guesses at a mistyped word. Pure. */

/** The most guesses. */
const most = 2;

/** The most similar words, closest first; empty if none is close. */
export function nearest(typedWord: string, words: readonly string[]): readonly string[] {
  const wanted = typedWord.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length / 3));
  const isNear = (far: number, word: string) => far <= reach || (wanted.length > 2 && word.includes(wanted));
  return closestFirst(wanted, words, isNear).slice(0, most);
}

/** Words that differ by one or two letters, closest first; words of two letters may differ by one. */
export function mistyped(typedText: string, words: readonly string[]): readonly string[] {
  const wanted = typedText.toLowerCase();
  const reach = Math.min(2, wanted.length - 1);
  return closestFirst(wanted, words, (far) => far > 0 && far <= reach);
}

function closestFirst(wanted: string, words: readonly string[], isNear: (far: number, word: string) => boolean) {
  return words
    .map((word) => ({ word, far: distance(wanted, word.toLowerCase()) }))
    .filter(({ word, far }) => isNear(far, word.toLowerCase()))
    .sort((a, b) => a.far - b.far)
    .map(({ word }) => word);
}

/** Edit distance: letters inserted, deleted, replaced, or swapped with the next one. */
function distance(a: string, b: string): number {
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
