/** An export of lists, whose only part holds what is known now: figures of the day, who is inside, what is lent. */
import type { Clock } from '../clock.js';
import type { Owner } from '../ownership.js';
import { isCounting, type Places } from '../places/index.js';
import { cellsOf, insideColumns, outColumns, rollCallColumns } from './columns.js';
import { ExportFailed, type ExportPart, type PartRequest } from './part.js';
import type { ExportRecord, ExportRows } from './types.js';

export function createPlacesReader(deps: {
  readonly places: Pick<Places, 'lists' | 'minutes'>;
  readonly rows: ExportRows;
  readonly clock: Clock;
}) {
  const { places, rows: lists, clock } = deps;
  const listOf = async (owner: Owner, { id }: { readonly id: string }) => {
    const list = (await places.lists(owner)).find((each) => each.id === id);
    if (!list) {
      throw new ExportFailed('export.list_gone', 'its list was deleted');
    }
    return list;
  };

  const writePlaces = async ({ owner, who, what }: ExportRecord) => {
    switch (what.kind) {
      case 'inside':
      case 'roll_call': {
        const list = await listOf(owner, what.list);
        const cells =
          what.kind === 'inside'
            ? cellsOf(insideColumns(what.zone), await places.minutes(list))
            : cellsOf(rollCallColumns(what), await lists.inside(list));
        return { rows: cells, position: { counting: isCounting(list, clock.now()) } };
      }
      case 'out': {
        const { things, counting } = await lists.out({ owner, userId: who, role: what.role }, what.text);
        const isShownToAll = what.role === 'everyone';
        const ofOthers = things.filter(({ isMine }) => isShownToAll && !isMine).map(({ list }) => list.id);
        return {
          rows: cellsOf(outColumns(what.zone), things),
          position: { ofOthers: [...new Set(ofOthers)], counting },
        };
      }
      case 'scans':
      case 'values':
        throw new ExportFailed('export.failed', 'not an export of lists');
    }
  };

  return async ({ record }: PartRequest): Promise<ExportPart> => {
    const asOf = clock.now();
    const { rows, position } = await writePlaces(record);
    return { rows, position: { ...position, asOf }, isLast: true, costsCalls: false };
  };
}
