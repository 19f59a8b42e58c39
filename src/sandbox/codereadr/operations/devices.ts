/** The section `devices`: listing and naming phones and scanners. */
import { Refusal } from '../answer/refusal.js';
import { subjects } from '../request/variables.js';
import { element } from '../xml/write.js';
import { askedIds, rowsOf } from './existing.js';
import type { Section } from './operation.js';
import { stamp } from './time.js';

interface Row {
  readonly id: number;
  readonly udid: string;
  readonly name: string;
  readonly created_at: number;
}

export const devices: Section = {
  /** The error table has no code for an unknown device, so the list is empty. */
  retrieve: (call) => {
    const { account, sql } = call;
    return rowsOf<Row>(sql, account, 'device', askedIds(call, 'device')).map((row) =>
      element(
        'device',
        [
          element('udid', row.udid),
          element('devicename', row.name),
          element('created', stamp(row.created_at, account.time_zone)),
        ],
        { id: row.id },
      ),
    );
  },

  update: ({ account, variables, sql }) => {
    const id = variables.id('device_id', subjects.device);
    const name = variables.required('device_name', '410');
    const done = sql.run('UPDATE devices SET name = ? WHERE id = ? AND account_id = ?', name, id, account.id);
    if (done.changes === 0) throw new Refusal('410', 'There is no such device.');
    return [];
  },
};
