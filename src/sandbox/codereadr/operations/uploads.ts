/** The section `uploads`: the batches of scans that devices sent. */
import { subjects } from '../request/variables.js';
import type { SqlValue } from '../store/sqlite.js';
import { element, type Xml } from '../xml/write.js';
import { readPage } from './databases-read.js';
import { rowsOf } from './existing.js';
import type { Section } from './operation.js';
import { stamp } from './time.js';

interface Row {
  readonly id: number;
  readonly service_id: number;
  readonly device_id: number;
  readonly user_id: number;
  readonly status: number;
  readonly at: number;
  readonly count: number;
}

/** @param offsetCounts as in scans/retrieve */
export function createUploads(offsetCounts: 'from-one' | 'from-zero'): Section {
  return {
    retrieve: ({ account, variables, sql, faults }) => {
      const conditions = ['account_id = ?'];
      const boundValues: SqlValue[] = [account.id];
      for (const kind of ['service', 'device', 'user'] as const) {
        const ids = variables.ids(`${kind}_id`, subjects[kind], { all: true });
        if (ids === undefined || ids === 'all') continue;
        if (kind !== 'device') rowsOf(sql, account, kind, ids);
        conditions.push(`${kind}_id IN (SELECT value FROM json_each(?))`);
        boundValues.push(JSON.stringify(ids));
      }
      const { limit, offset } = readPage(variables);
      const rows = sql.all<Row>(
        `SELECT *, (SELECT count(*) FROM scans WHERE upload_id = uploads.id) AS count FROM uploads
         WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ? OFFSET ?`,
        ...boundValues,
        limit ?? -1,
        offsetCounts === 'from-one' ? Math.max(0, offset - 1) : offset,
      );
      const uploads = rows.map((row) => {
        const { id, device_id, service_id, user_id, status, count } = row;
        const timestamp = stamp(row.at, account.time_zone);
        return element('upload', '', { id, device_id, service_id, user_id, status, count, timestamp });
      });
      return [element('count', rows.length), ...(faults.unclosedUploads ? uploads.map(unclosed) : uploads)];
    },
  };
}

/** An upload as the reference shows it: `<upload …>` without an end tag. */
function unclosed(upload: Xml): Xml {
  return upload.replace(/\/>$/, '>') as Xml;
}
