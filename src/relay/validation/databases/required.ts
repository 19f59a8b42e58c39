/** The databases that relays validate with, which the mirror must copy. */
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import type { RequiredDatabase } from '../../../mirror/index.js';
import type { Store } from '../../../workspaces/types.js';
import { createRelaysById } from '../../record/by-id.js';
import { readSettings } from '../../record/relay.js';

export function createRequiredDatabases(deps: {
  readonly store: Pick<Store, 'db'>;
  readonly log: Log;
}): () => Promise<readonly RequiredDatabase[]> {
  const relays = createRelaysById(deps.store.db);

  /** Settings that cannot be read need no database, and must not block the mirrors of other relays. */
  const databaseIdsIn = (relay: string, settings: string): readonly string[] => {
    try {
      const { judging } = readSettings(settings);
      return judging.kind === 'database' ? judging.databaseIds : [];
    } catch (error) {
      deps.log.error({ relay, err: error, code: codeOf(error) }, 'a relay’s settings cannot be read');
      return [];
    }
  };

  return async () => {
    const found = await relays.withSettings('"database"');
    return found.flatMap(({ id, owner, settings }) =>
      databaseIdsIn(id, settings).map((databaseId) => ({ owner, databaseId })),
    );
  };
}
