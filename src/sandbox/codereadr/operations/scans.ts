/** The section `scans`. */
import { namedIds } from './existing.js';
import type { Section } from './operation.js';
import { retrieveScans } from './scans-read.js';

/** @param offsetCounts see `retrieveScans` */
export function createScans(offsetCounts: 'from-one' | 'from-zero'): Section {
  return {
    retrieve: retrieveScans(offsetCounts),
    delete: (call) =>
      call.sql.transaction(() => {
        for (const id of namedIds(call, 'scan')) call.sql.run('DELETE FROM scans WHERE id = ?', id);
        return [];
      }),
  };
}
