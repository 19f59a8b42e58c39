import { expect, it } from 'vitest';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { simulateMirror } from '../helpers/large-account.js';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const databases = sqliteDatabases();

it('the mirror uses at most its share of API calls in any minute and day for large databases and many scans', async () => {
  const store = await openTestStore(await databases.fresh());
  const mirror = await simulateMirror(store, { values: 5_000, scans: 10_000, pageSize: 100 });
  const began = mirror.now();
  while (mirror.now() - began < dayMs + 6 * hourMs) {
    await mirror.round();
  }
  const { calls } = mirror;
  const most = (span: number) => {
    let first = 0;
    return calls.reduce((longest, at, last) => {
      while ((calls[first] ?? 0) <= at - span) {
        first += 1;
      }
      return Math.max(longest, last - first + 1);
    }, 0);
  };
  expect(most(60_000)).toBeLessThanOrEqual(9);
  expect(most(dayMs)).toBeLessThanOrEqual(6_480);
  // The share is spent, so that the copy is as new as it can be.
  expect(most(dayMs)).toBeGreaterThan(5_000);
  await store.close();
});
