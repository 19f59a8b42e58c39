/** A lent thing in words, the same on every surface. Pure. */
import { z } from 'zod';
import type { Place } from '../../places/index.js';
import { type Button, button, cut, type RichTextElement } from '../block-kit/elements.js';
import { shortText } from '../block-kit/short-text.js';
import { barcodeElement, momentThisYear, person, textElement } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';

/** What figures and lists say while they are not sure. */
export const stillCounting = 'still counting earlier scans';

/** A thing's barcode, and its name where the response to its scan says one. */
export function thingElements({ value, response }: Pick<Place, 'value' | 'response'>): RichTextElement[] {
  return [
    barcodeElement(cut(value, 110)),
    ...(response === undefined ? [] : [textElement(' '), shortText(response, 80)]),
  ];
}

/** A lent thing in a button's data. */
export const thingData = z.object({ list: z.string(), key: z.string(), barcode: z.string() });

/** The button of a thing that is out. */
export function tellButton(list: string, { key, barcode }: Pick<Place, 'key' | 'barcode'>): Button {
  return button('Tell me when it is back', 'loan.tell', {
    value: encode(thingData, { list, key, barcode }, longest.button),
  });
}

/** Since when the thing is lent: " since Mon 9:12, due Fri", and people's answers about it. */
export function sinceElements(place: Place, now: number): RichTextElement[] {
  const { at, dueAt, dueText, extendedBy, denied, pruned } = place;
  return [
    momentThisYear(' since ', at, now),
    ...(dueAt === undefined ? [] : [momentThisYear(dueAt < now ? ', was due ' : ', due ', dueAt, now)]),
    ...(dueText === undefined ? [] : [textElement(', no due date: '), shortText(dueText, 60), textElement(' is none')]),
    ...(extendedBy === undefined ? [] : [textElement(' · extended by '), person(extendedBy)]),
    ...(denied ? [textElement(' · '), person(denied.by), textElement(' says it is not theirs')] : []),
    ...(pruned ? [textElement(' · its scan was deleted for its age')] : []),
  ];
}
