/**
 * Deletions from the mirror that people ask for: one barcode, or an owner's mirror. The account keeps its own data,
 * which the next passes copy again.
 */
import { asAnswered } from '../codereadr/barcode-equality.js';
import type { Owner } from '../ownership.js';
import { mirrorKey } from './key.js';
import type { AccountMirrors } from './tables/accounts.js';
import type { DatabaseMirrorStore } from './tables/databases.js';
import type { MirroredScans } from './tables/scans.js';

export function createForgetting(deps: {
  readonly mirrors: AccountMirrors;
  readonly databases: DatabaseMirrorStore;
  readonly scans: MirroredScans;
}) {
  const { mirrors, databases, scans } = deps;
  return {
    /** Deletes a barcode's values in all databases, as each compares them, and its scans. Returns how many. */
    async forgetValue(owner: Owner, value: string) {
      const count = { values: 0, scans: 0 };
      // Scans may be filed under the database's spelling, where case does not count, or under what an answer can carry.
      const spellings = new Set([value, asAnswered(value)]);
      for (const database of await databases.of(owner)) {
        const keys = [value, asAnswered(value)].map((each) => mirrorKey(each, database));
        const forgotten = await databases.forget(database.id, value, keys);
        count.values += forgotten.length;
        for (const spelling of forgotten) {
          spellings.add(spelling);
        }
      }
      const mirror = await mirrors.of(owner);
      for (const spelling of mirror ? spellings : []) {
        count.scans += await scans.forgetValue(mirror?.id ?? 0, spelling);
      }
      return count;
    },

    /** Deletes the owner's whole mirror, in slices. The worker begins another one if the account is connected. */
    async erase(owner: Owner) {
      const count = { values: 0, scans: 0 };
      const mirror = await mirrors.of(owner);
      if (mirror) {
        count.scans += await mirrors.drop(mirror.id);
      }
      for (const database of await databases.of(owner)) {
        count.values += await databases.drop(database.id);
      }
      return count;
    },
  };
}
