/** What is lent, by holder, a page at a time. Pure. */
import { z } from 'zod';
import { countOf } from '../../english.js';
import type { PlaceList } from '../../places/index.js';
import { actions, type Block, button, context, cut, type Message, message } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { barcodeElement, bold, richText, textElement } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { sinceElements, stillCounting } from './thing-lines.js';
import type { LentThing } from './things.js';

export const outData = z.object({ text: z.string(), page: z.number() });
type OutData = z.output<typeof outData>;

const pageSize = 15;
const longestText = 200;

export interface OutFacts {
  readonly things: readonly LentThing[];
  /** All lists of the kind “Who has it” in the workspace. */
  readonly lists: readonly PlaceList[];
  readonly mayManage: boolean;
  /** Whether scans are still being counted, so that things may be missing. */
  readonly counting: boolean;
}

export function outMessage(
  { things, lists, mayManage, counting }: OutFacts,
  { text: typedText, page }: OutData,
): Message {
  const hasList = lists.length > 0;
  const text = cut(typedText.trim(), longestText);
  const overdue = things.filter(({ isOverdue }) => isOverdue).length;
  const firstIndex = Math.min(page, Math.max(0, Math.ceil(things.length / pageSize) - 1)) * pageSize;
  const shownThings = things.slice(firstIndex, firstIndex + pageSize);
  const title = hasList ? `${countOf(things.length, 'thing')} out` : 'No list keeps who has what yet.';
  const lines = shownThings.flatMap((thing, at) => [
    ...(at > 0 && shownThings[at - 1]!.holder === thing.holder
      ? []
      : [[bold(shortName(thing.holder ?? 'Nobody known'))]]),
    [
      textElement(thing.isOverdue ? '⏰ ' : '– '),
      barcodeElement(cut(thing.place.value, 110)),
      textElement(` · ${shortName(thing.list.name)} ·`),
      ...sinceElements(thing.place, thing.isOverdue),
    ],
  ]);
  const turn = (to: number) => encode(outData, { text, page: to }, longest.button);
  const turns = [
    ...(firstIndex > 0 ? [button('← Back', 'places.out.back', { value: turn(firstIndex / pageSize - 1) })] : []),
    ...(firstIndex + pageSize < things.length
      ? [button('More →', 'places.out.more', { value: turn(firstIndex / pageSize + 1) })]
      : []),
    ...(things.length > 0 ? [button('Send as CSV', 'export.out', { value: turn(0) })] : []),
    ...(mayManage ? [button('Manage lists', 'places.lists')] : []),
  ];
  return message(title, [
    richText(
      [
        bold(title),
        ...(text === '' ? [] : [textElement(` with “${text}”`)]),
        ...(overdue > 0 ? [textElement(` · ${overdue.toLocaleString('en-US')} overdue`)] : []),
        ...(counting ? [textElement(` · ${stillCounting}`)] : []),
      ],
      ...(hasList ? [] : [[textElement(mayManage ? newList : askForList)]]),
    ),
    ...(lines.length > 0 ? [richText(...lines)] : []),
    ...pageLine(firstIndex, shownThings.length, things.length),
    ...(turns.length > 0 ? [actions(turns, 'places.out')] : []),
  ]);
}

const newList = 'Create one: it says which scans lend a thing, and which bring it back.';
const askForList = 'People who can change settings create one.';

function pageLine(first: number, shownCount: number, all: number): Block[] {
  return shownCount < all ? [context(`${first + 1} to ${first + shownCount} of ${all.toLocaleString('en-US')}.`)] : [];
}
