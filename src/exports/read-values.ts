/** The next part of an export of a database's values: a page of the copy kept here, or of the account where there is none. */

import type { Clock } from '../clock.js';
import { listValues } from '../codereadr/lists/value-list.js';
import type { Mirror, PagedValue } from '../mirror/index.js';
import { cellsOf, valueColumns } from './columns.js';
import { backgroundCall, ExportFailed, type ExportPart, type PartRequest } from './part.js';
import type { ExportPosition } from './types.js';

/** How many values one call reads. */
const pageSize = 1_000;

export function createValueReader({
  mirror,
  clock,
}: {
  readonly mirror?: Pick<Mirror, 'valuePage'> | undefined;
  readonly clock: Clock;
}) {
  return async ({ record, account, signal }: PartRequest): Promise<ExportPart> => {
    const { owner, what, position } = record;
    if (what.kind !== 'values') {
      throw new ExportFailed('export.failed', 'not an export of values');
    }
    const partOf = (values: readonly PagedValue[], next: ExportPosition, isLast: boolean): ExportPart => ({
      rows: cellsOf(valueColumns, values),
      isLast,
      position: next,
      costsCalls: next.source === 'account',
    });
    if (position.source !== 'account') {
      const page = await mirror?.valuePage(owner, what.database.id, position.after);
      if (page) {
        const after = page.next ? { after: page.next } : {};
        return partOf(page.values, { source: 'copy', asOf: position.asOf ?? page.at, ...after }, !page.next);
      }
      if (position.source === 'copy') {
        throw new ExportFailed('export.copy_gone', 'the copy that it was read from is gone');
      }
    }
    const options = { ...backgroundCall, pageSize, signal };
    const asOf = position.asOf ?? clock.now();
    const page = await listValues(account, { databaseId: what.database.id }, position.end, options);
    const torn = page.torn || position.torn ? { torn: true } : {};
    const end = page.end ? { end: page.end } : {};
    return partOf(page.items, { source: 'account', asOf, ...torn, ...end }, !page.end);
  };
}
