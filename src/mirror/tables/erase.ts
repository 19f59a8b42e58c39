/** The erasure of mirrors with the installation, or the team, whose account they are of. */
import type { EraseHook } from '../../workspaces/types.js';
import { deleteScans } from './scans.js';
import { deleteStaleValues } from './values.js';

export const eraseMirrors: EraseHook = async (installation, trx, team) => {
  const gone = { installation, ...(team === undefined ? {} : { team }) };
  const [databases, mirrors] = [
    await trx
      .selectFrom('mirrored_databases')
      .select('id')
      .where((eb) => eb.and(gone))
      .execute(),
    await trx
      .selectFrom('mirrors')
      .select('id')
      .where((eb) => eb.and(gone))
      .execute(),
  ];
  for (const { id } of databases) {
    await deleteStaleValues(trx, id);
  }
  for (const { id } of mirrors) {
    await deleteScans(trx, id);
  }
  await trx
    .deleteFrom('mirrored_databases')
    .where((eb) => eb.and(gone))
    .execute();
  await trx
    .deleteFrom('mirrors')
    .where((eb) => eb.and(gone))
    .execute();
};
