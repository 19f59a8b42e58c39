/** What is lent, by list and holder, a page at a time. Pure. */
import { z } from 'zod';
import { countOf } from '../../english.js';
import { actions, type Button, button, confirm, context, cut, type Message, message } from '../block-kit/elements.js';
import { pageOf, turnButtons } from '../block-kit/page.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, joined, type LinePart, richText } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { sinceElements, stillCounting, thingElements } from './thing-lines.js';
import type { LentThing, LentThings } from './things.js';

export const outData = z.object({ text: z.string(), page: z.number() });
type OutData = z.output<typeof outData>;

const pageSize = 15;
const longestText = 200;

export interface OutFacts extends LentThings {
  readonly mayManage: boolean;
  /** Whether the workspace has a list of any kind. */
  readonly hasLists: boolean;
}

export function outMessage(facts: OutFacts, { text: typedText, page }: OutData): Message {
  const { things, lists, mayManage, hasLists } = facts;
  const text = cut(typedText.trim(), longestText);
  const shown = pageOf(things, page, pageSize);
  const title = titleOf(facts, text);
  const overdue = things.filter(({ isOverdue }) => isOverdue).length;
  const turn = (to: number) => encode(outData, { text, page: to }, longest.button);
  const turns = [
    ...turnButtons(shown, ['places.out.back', 'places.out.more'], turn),
    ...(mayManage && overdue > 0 ? [remindButton(overdue, turn(0))] : []),
    ...(things.length > 0 ? [button('Send as spreadsheet', 'export.out', { value: turn(0) })] : []),
    ...(mayManage && lists.length === 0
      ? [button('New list', 'places.new', { value: encode(newListData, { kind: 'custody' }, longest.button) })]
      : []),
    ...(mayManage && hasLists ? [button('Manage lists', 'places.lists')] : []),
  ];
  return message(title, [
    richText(
      joined([[bold(title), ...(text === '' ? [] : [` with “${text}”`])], ...notesOf(facts)], ' · '),
      ...(lists.length > 0 ? [] : [mayManage ? newList : askForList]),
    ),
    ...[...new Set(shown.rows.map(({ list }) => list))].map((list) =>
      richText(...linesOf(shown.rows.filter((thing) => thing.list === list))),
    ),
    ...(shown.range === undefined ? [] : [context(`${shown.range}.`)]),
    ...(turns.length > 0 ? [actions(turns, 'places.out')] : []),
  ]);
}

function remindButton(overdue: number, value: string): Button {
  return button('Remind now', 'places.out.remind', {
    value,
    confirm: confirm(
      'Remind of what is overdue?',
      `Of ${countOf(overdue, 'thing')}: each holder in Slack gets a direct message, the list’s channel hears of the others.`,
      'Remind',
      'Cancel',
      false,
    ),
  });
}

/** A member's title says what they have, since most lists show them nothing else. */
function titleOf({ things, lists, mayManage }: OutFacts, text: string): string {
  if (lists.length === 0) {
    return 'No list keeps who has what yet.';
  }
  return mayManage || text !== ''
    ? `${countOf(things.length, 'thing')} out`
    : `You have ${countOf(things.filter(({ isMine }) => isMine).length, 'thing')}`;
}

function notesOf({ things, lists, mayManage, counting }: OutFacts): string[] {
  const overdue = things.filter(({ isOverdue }) => isOverdue).length;
  const out = lists.reduce((sum, list) => sum + list.out.length, 0);
  return [
    ...(mayManage || lists.length === 0 ? [] : [`${out.toLocaleString('en-US')} out`]),
    ...(overdue > 0 ? [`${overdue.toLocaleString('en-US')} overdue`] : []),
    ...(counting ? [stillCounting] : []),
  ];
}

/** The lines of one list's things: the list's name, and each holder above what they have. */
function linesOf(things: readonly LentThing[]): (string | LinePart[])[] {
  const lines = things.flatMap(({ holder, place, isOverdue, asOf }, at) => [
    ...(at > 0 && things[at - 1]!.holder === holder ? [] : [[bold(shortName(holder ?? 'Nobody known'))]]),
    [isOverdue ? '⏰ ' : '– ', ...thingElements(place), ' ·', ...sinceElements(place, asOf)],
  ]);
  return [shortName(things[0]!.list.name), ...lines];
}

/** The data of *New list*: the kind that its form begins with, if it is not the usual one. */
export const newListData = z.object({ kind: z.literal('custody') });
const newList = 'Create one: it says which scans lend a thing, and which bring it back.';
const askForList = 'People who can change settings create one.';
