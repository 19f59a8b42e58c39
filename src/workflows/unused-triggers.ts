/** The deletion of triggers' URLs that no rule uses and no waiting post needs: a secret of no use is not kept. */
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.js';
import { equal } from '../database/equal.js';
import type { Purge } from '../database/pace.js';
import type { Schema } from '../database/schema.js';
import { triggerNamespace as namespace, readTrigger } from './triggers.js';

/** How long a URL is kept that no rule names yet: a form stores it before its rule. */
const untilNamedMs = 3_600_000;

export function createTriggerPurge({ db }: { readonly db: Kysely<Schema> }, clock: Clock): Purge {
  return async (stopping) => {
    const storedRows = db.selectFrom('keyv').select(['key', 'value']).where('namespace', '=', namespace);
    for (const { key, value } of await storedRows.execute()) {
      const { owner, id, keptAt } = readTrigger(key, value);
      if (stopping.aborted || keptAt > clock.now() - untilNamedMs) {
        continue;
      }
      // One statement checks and deletes: once a rule is gone, its posts are committed. A URL entered again has another
      // `value`, and stays.
      await db
        .deleteFrom('keyv')
        .where(equal({ namespace, key, value }))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('relays')
                .select('relays.id')
                .where(equal(owner))
                .where('removed_at', 'is', null)
                // The id is searched for as text, wherever a version's settings have it.
                .where('settings', 'like', `%"${id}"%`),
            ),
          ),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('outbox')
                .select('outbox.seq')
                .where(equal({ ...owner, channel: id, finished_at: null })),
            ),
          ),
        )
        .execute();
    }
  };
}
