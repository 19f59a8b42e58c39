import { expect } from 'vitest';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { simulateMirror } from '../helpers/large-account.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const databases = sqliteDatabases();

wideIt('the mirror copies the pages of half a million values and a million scans in 15 to 40 minutes', async () => {
  const store = await openTestStore(await databases.fresh());
  // A hundredth of each, in pages of a hundredth: as many calls. In full size: `npm run bench -- --only mirror`.
  const mirror = await simulateMirror(store, { values: 5_000, scans: 10_000, pageSize: 100 });
  const began = mirror.now();
  while (!(await mirror.filled())) {
    await mirror.round();
  }
  const took = (mirror.now() - began) / 60_000;
  expect(took).toBeGreaterThan(15);
  expect(took).toBeLessThan(40);
  expect(mirror.calls.length).toBeGreaterThan(150);
  await store.close();
});
