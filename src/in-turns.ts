/** Work on many items that leaves the event loop to others in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const itemsPerTurn = 100;
const longestTurnMs = 10;

/** Like `flatMap`, with a hundred items in each turn of the event loop. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result | readonly Result[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += itemsPerTurn) {
    if (from > 0) {
      await nextTurn();
    }
    results.push(...items.slice(from, from + itemsPerTurn).flatMap(map));
  }
  return results;
}

/** A function to await between items: it leaves the event loop to others once the work has held it for 10 ms. */
export function createTurns(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt > longestTurnMs) {
      await nextTurn();
      startedAt = performance.now();
    }
  };
}
