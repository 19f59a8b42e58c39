/**
 * The audit log: who changed what through Slack. Rows are deleted when old, or a week after the app was uninstalled;
 * otherwise only a forgotten barcode is taken out of them. Callers leave secrets out of `detail`.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { equal } from '../database/equal.js';
import type { MakeId } from '../database/ids.js';
import { createPace } from '../database/pace.js';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { StoreKind } from '../database/types.js';
import type { AuditStore } from './types.js';

const detailShape = z.record(z.string(), z.unknown());

/** How many rows one statement deletes, so that no lock is held for long. */
const pruneBatch = 1_000;

/** Fields in which a detail names a barcode; the same text may be an id elsewhere. */
const barcodeFields: ReadonlySet<string> = new Set([
  'value',
  'values',
  'valuelike',
  'tid',
  'text',
  'keyword',
  'search',
  'former',
]);
const forgottenText = '(forgotten)';

export function createAudit(deps: { db: Kysely<Schema>; kind: StoreKind; clock: Clock; makeId: MakeId }): AuditStore {
  const { db, clock, makeId } = deps;
  return {
    async add(owner, { detail, ...entry }, trx = undefined) {
      await (trx ?? db)
        .insertInto('audit')
        .values({ id: makeId(), ...owner, ...entry, detail: JSON.stringify(detail) })
        .execute();
    },

    async list({ installation, team }, { limit, before, who, sections }) {
      let query = db
        .selectFrom('audit')
        .select(['id', 'at', 'who', 'where', 'what', 'detail', 'outcome'])
        .where(equal({ installation, team }))
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

    async forget({ installation, team }, value, stopping) {
      const pace = createPace(deps, clock, stopping);
      const jsonText = JSON.stringify(value);
      let changedCount = 0;
      await pace.walk('', async (trx, lastId, limit) => {
        const rows = await trx
          .selectFrom('audit')
          .select(['id', 'detail'])
          .where(equal({ installation, team }))
          .where('id', '>', lastId)
          .orderBy('id')
          .limit(limit)
          .execute();
        for (const { id, detail } of rows.filter((row) => row.detail.includes(jsonText))) {
          const redacted = JSON.stringify(withoutBarcode(JSON.parse(detail), value));
          if (redacted !== detail) {
            await trx.updateTable('audit').set({ detail: redacted }).where('id', '=', id).execute();
            changedCount += 1;
          }
        }
        return rows.length < limit ? undefined : rows.at(-1)?.id;
      });
      return changedCount;
    },

    async erase({ installation, team }, stopping) {
      const pace = createPace(deps, clock, stopping);
      await pace.repeat(async (trx, limit) => {
        const result = await trx
          .deleteFrom('audit')
          .where('id', 'in', (eb) =>
            eb.selectFrom('audit').select('id').where(equal({ installation, team })).limit(limit),
          )
          .executeTakeFirst();
        return result.numDeletedRows > 0n;
      });
    },

    async prune(before) {
      let droppedCount = 0;
      for (;;) {
        const result = await db
          .deleteFrom('audit')
          .where('id', 'in', (eb) =>
            eb.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(pruneBatch),
          )
          .executeTakeFirst();
        droppedCount += Number(result.numDeletedRows);
        if (Number(result.numDeletedRows) < pruneBatch) {
          return droppedCount;
        }
      }
    },
  };
}

/** The detail with the barcode replaced where a field's value is the barcode. */
function withoutBarcode(detail: unknown, value: string, field = ''): unknown {
  if (detail === value) {
    return barcodeFields.has(field) ? forgottenText : detail;
  }
  if (Array.isArray(detail)) {
    return detail.map((each) => withoutBarcode(each, value, field));
  }
  if (typeof detail === 'object' && detail !== null) {
    return Object.fromEntries(Object.entries(detail).map(([name, each]) => [name, withoutBarcode(each, value, name)]));
  }
  return detail;
}
