/** The message about a thing that is overdue: the thing, who has it since when, and what people did about it. Pure. */
import { z } from 'zod';
import type { OverduePost, PlacesNotice } from '../../places/index.js';
import {
  actions,
  type Block,
  button,
  confirm,
  type Message,
  message,
  type RichTextElement,
} from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { barcodeElement, bold, fallback, momentAfter, person, richText, textElement } from '../block-kit/text.js';
import { tellButton, thingElements } from './thing-lines.js';

/** The data of the message's buttons: the key of the first reminder's post. */
export const overdueData = z.string();

export interface OverdueNames {
  /** The name of the thing's holder; undefined where nobody is known. */
  readonly holder: string | undefined;
  /** The holder's id in Slack, where the account's user is linked. */
  readonly member: string | undefined;
  readonly gate: string | undefined;
}

/** The message; undefined where it is to be deleted: the thing was forgotten, or its list reset or deleted. */
export function overdueMessage(post: OverduePost, names: OverdueNames): Message | undefined {
  const { part, value, over, list } = post;
  if (over === 'gone') {
    return undefined;
  }
  const denied = part === 'denied' && isStillOut(post) ? 'is with somebody else' : undefined;
  const [sign, state] =
    over === undefined ? ['⏰', 'is due back'] : over === 'soon' ? ['🔔', 'is due back soon'] : ['✅', 'was due back'];
  const title = denied ?? state;
  return message(`${sign} ${fallback(value)} ${title}`, [
    richText(
      [`${sign} `, ...thingElements(post.place ?? { value }), bold(` ${title}`), ` · ${shortName(list)}`],
      [
        ...withWhom(post, names),
        momentAfter(' since ', post.at),
        momentAfter(
          isLive(post) ? ', due ' : ', was due ',
          isLive(post) ? (post.place?.dueAt ?? post.dueAt) : post.dueAt,
        ),
      ],
      ...outcome(post, names),
    ),
    ...(isLive(post) && post.againAt === undefined ? [buttons(post, names)] : []),
  ]);
}

/** Whether the message's buttons change something. */
const isLive = ({ over }: OverduePost) => over === undefined || over === 'soon';
const isStillOut = (post: OverduePost) => isLive(post) || post.over === 'extended' || post.over === 'rule';

function withWhom(post: OverduePost, { holder, member }: OverdueNames): RichTextElement[] {
  const { part, place } = post;
  const isStill = isStillOut(post);
  if (part === 'denied' && place?.denied) {
    return [
      person(place.denied.by),
      textElement(` says it is not theirs. By its scan it ${isStill ? 'is' : 'was'} with `),
      bold(holder ?? 'nobody'),
    ];
  }
  // A mention calls the holder; in their own conversation they need none.
  return part === 'soon' || part === 'due' || part === 'again'
    ? [textElement(isStill ? 'With you' : 'Was with you')]
    : [textElement(isStill ? 'With ' : 'Was with '), member ? person(member) : bold(holder ?? 'nobody known')];
}

function outcome(post: OverduePost, { gate }: OverdueNames): RichTextElement[][] {
  const { over, place, part, againAt } = post;
  const { back, extendedBy, denied, dueAt = 0, inside, at = 0 } = place ?? {};
  if (isLive(post)) {
    return [
      ...(denied && part !== 'denied' ? [[person(denied.by), textElement(' says it is not theirs.')]] : []),
      ...(againAt === undefined ? [] : [[momentAfter('Reminded again ', againAt)]]),
    ];
  }
  if (over === 'person' && back) {
    return [[textElement('Marked as returned by '), person(back.by), momentAfter(', ', back.at)]];
  }
  if (over === 'extended' && extendedBy !== undefined) {
    return [[textElement('Extended by '), person(extendedBy), momentAfter(' until ', dueAt)]];
  }
  if (over === 'rule') {
    return [
      place?.dueAt === undefined
        ? [textElement('It is due at no time any more: its list was changed.')]
        : [momentAfter('Its list was changed: due ', dueAt)],
    ];
  }
  return [
    [
      momentAfter(inside ? 'Back since ' : 'It has changed: scanned out again ', at),
      ...(gate === undefined ? [] : [textElement(`, ${shortName(gate)}`)]),
    ],
  ];
}

/** A message that others read than the holder offers to remind the holder, where Slack knows them, and to wait. */
function buttons({ incident, part, listId, place }: OverduePost, { member }: OverdueNames): Block {
  const isForOthers = part === 'late' || part === 'denied';
  const backButton = confirm(
    'Mark it as returned?',
    'It counts as back until it is scanned again. Better: scan it on its return.',
    'It is back',
    'Cancel',
    false,
  );
  return actions(
    [
      button('It is back', 'loan.back', { value: incident, style: 'primary', confirm: backButton }),
      button('Extend…', 'loan.extend', { value: incident }),
      ...(isForOthers && member ? [button('Remind now', 'loan.remind', { value: incident })] : []),
      ...(isForOthers && place ? [tellButton(listId, place)] : []),
    ],
    'loan.buttons',
  );
}

/** The message to a person who waited for a thing. */
export function returnedMessage(notice: PlacesNotice & { readonly what: 'returned' }): Message {
  const { list, value, at, outAt } = notice;
  return message(`✅ ${fallback(value)} is back`, [
    richText(
      [
        textElement('✅ '),
        barcodeElement(value),
        bold(outAt === undefined ? ' is back' : ' was back'),
        ` · ${shortName(list)}`,
      ],
      outAt === undefined
        ? [momentAfter('Since ', at)]
        : [momentAfter('It came back ', at), momentAfter(', and is out again since ', outAt)],
    ),
  ]);
}
