/** A lent thing in words, the same on every surface. Pure. */
import type { Place } from '../../places/index.js';
import type { RichTextElement } from '../block-kit/elements.js';
import { shortText } from '../block-kit/short-text.js';
import { momentAfter, person, textElement } from '../block-kit/text.js';

/** What figures and lists say while they are not sure. */
export const stillCounting = 'still counting earlier scans';

/** Since when the thing is lent: " since Mon 9:12, due Fri", and people's answers about it. */
export function sinceElements(place: Place, isOverdue: boolean): RichTextElement[] {
  const { at, dueAt, dueText, extendedBy, denied, pruned } = place;
  return [
    momentAfter(' since ', at),
    ...(dueAt === undefined ? [] : [momentAfter(isOverdue ? ', was due ' : ', due ', dueAt)]),
    ...(dueText === undefined ? [] : [textElement(', no due date: '), shortText(dueText, 60), textElement(' is none')]),
    ...(extendedBy === undefined ? [] : [textElement(' · extended by '), person(extendedBy)]),
    ...(denied ? [textElement(' · '), person(denied.by), textElement(' says it is not theirs')] : []),
    ...(pruned ? [textElement(' · its scan was deleted for its age')] : []),
  ];
}
