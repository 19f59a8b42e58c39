/** The join of two overlapping pages by the sequence of their items: several items may have the same name. Pure. */

/** How many of `page`'s first items `knownIds` ends with. Undefined: items came or went where the pages overlap. */
export function countKnown(knownIds: readonly string[], page: readonly string[]): number | undefined {
  for (let end = page.length; end > 0; end -= 1) {
    let run = 0;
    while (run < Math.min(end, knownIds.length) && page[end - 1 - run] === knownIds[knownIds.length - 1 - run]) {
      run += 1;
    }
    if (run > 0 && (run === end || run === knownIds.length)) {
      return end;
    }
  }
  return undefined;
}
