/** Lent things in a tool's data. Pure. */
import { z } from 'zod';
import type { LentThing } from '../../slack/lent/things.js';
import { type Doubt, moment, momentIfAny, momentShape } from '../wording.js';

export const mostThings = 100;

export const lentShape = z
  .array(
    z.object({
      barcode: z.string(),
      list: z.string(),
      response: z.string().optional().describe('What the thing is, by the response to its scan'),
      holder: z.string().optional().describe('Absent: its scan names nobody'),
      since: momentShape,
      due: momentShape.optional(),
      overdue: z.boolean(),
    }),
  )
  .describe(`The first ${mostThings} by holder, those with something overdue first`);

export function lentData(things: readonly LentThing[]): z.input<typeof lentShape> {
  return things.slice(0, mostThings).map(({ list, place, holder, isOverdue }) => ({
    barcode: place.value,
    response: place.response,
    list: list.name,
    holder,
    overdue: isOverdue,
    since: moment(place.at),
    due: momentIfAny(place.dueAt),
  }));
}

/** @param counting whether things may be missing, since scans are still being counted */
export function lentDoubts(things: readonly LentThing[], counting: boolean): readonly Doubt[] {
  return [
    ...(counting ? (['still_counting'] as const) : []),
    ...(things.some(({ place }) => place.denied) ? (['holder_denied'] as const) : []),
  ];
}
