/**
 * The audit log: who changed what through Slack. Rows are added and, when old, deleted; never changed. Callers leave
 * secrets out of `detail`.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { MakeId } from '../database/ids.js';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { AuditStore } from './types.js';

const detailShape = z.record(z.string(), z.unknown());

/** Rows deleted in one statement, so that no lock is held for long. */
const pruneBatch = 1_000;

export function createAudit(deps: { db: Kysely<Schema>; makeId: MakeId }): AuditStore {
  const { db, makeId } = deps;
  return {
    async add(owner, { detail, ...entry }) {
      await db
        .insertInto('audit')
        .values({ id: makeId(), ...owner, ...entry, detail: JSON.stringify(detail) })
        .execute();
    },

    async list({ installation, team }, { limit, before, who, sections }) {
      let query = db
        .selectFrom('audit')
        .select(['id', 'at', 'who', 'where', 'what', 'detail', 'outcome'])
        .where('installation', '=', installation)
        .where('team', '=', team)
        .orderBy('id', 'desc')
        .limit(limit);
      if (before !== undefined) {
        query = query.where('id', '<', before);
      }
      if (who !== undefined) {
        query = query.where('who', '=', who);
      }
      if (sections !== undefined) {
        query = query.where((eb) => eb.or(sections.map((section) => eb('what', 'like', `${section}/%`))));
      }
      const rows = await query.execute();
      return rows.map((row) => ({ ...row, detail: readJson(detailShape, row.detail, 'audit entry') }));
    },

    async prune(before) {
      let dropped = 0;
      for (;;) {
        const result = await db
          .deleteFrom('audit')
          .where('id', 'in', (eb) =>
            eb.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(pruneBatch),
          )
          .executeTakeFirst();
        dropped += Number(result.numDeletedRows);
        if (Number(result.numDeletedRows) < pruneBatch) {
          return dropped;
        }
      }
    },
  };
}
