/** The figures of a list as an export's only part: of the day that goes on, as known now. */
import type { Clock } from '../clock.js';
import type { Places } from '../places/index.js';
import { insideColumns } from './columns.js';
import { csvRows } from './csv.js';
import { ExportFailed, type ExportPart, type PartRequest } from './part.js';

export function createInsideReader({
  places,
  clock,
}: {
  readonly places: Pick<Places, 'lists' | 'minutes'>;
  readonly clock: Clock;
}) {
  return async ({ record: { owner, what, mode } }: PartRequest): Promise<ExportPart> => {
    const lists = what.kind === 'inside' ? await places.lists(owner) : [];
    const list = lists.find(({ id }) => what.kind === 'inside' && id === what.list.id);
    if (what.kind !== 'inside' || !list) {
      throw new ExportFailed('export.list_gone', 'its list was deleted');
    }
    const asOf = clock.now();
    const minutes = await places.minutes(list);
    const text = csvRows(insideColumns(what.zone), minutes, mode);
    return { text, rows: minutes.length, position: { asOf }, isLast: true, costsCalls: false };
  };
}
