/** The messages of a list's alerts, and direct messages about a board or alert that its channel does not take. Pure. */
import type { NameOf } from '../../codereadr/types.js';
import { countOf } from '../../english.js';
import type { DoublePost, DoubleScan, PlacesNotice, ThresholdPost } from '../../places/index.js';
import { actions, button, type Message, message } from '../block-kit/elements.js';
import { shortBarcode, shortName } from '../block-kit/short-text.js';
import {
  bold,
  channelElement,
  code,
  escaped,
  fallback,
  type LinePart,
  momentAfter,
  person,
  richText,
} from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { postData } from '../channel-posts/blocks/post-actions.js';
import { blockReason } from '../channel-posts/describe/describe-relay.js';
import { unnamedGate } from './gates.js';

type Line = LinePart[];

const number = (count: number) => count.toLocaleString('en-US');

/** The alert of a crossed threshold in words: "⚠️ Main hall: 80% of 1,500 inside". */
export function crossedText({
  name,
  percent,
  capacity,
}: Pick<ThresholdPost['threshold'], 'name' | 'percent' | 'capacity'>): string {
  return `${percent >= 100 ? '🚨' : '⚠️'} ${shortName(name)}: ${percent}% of ${number(capacity)} inside`;
}

export function thresholdMessage({ key, threshold, incident }: ThresholdPost): Message {
  const { name, percent, capacity, inside, until } = threshold;
  const { ended, acknowledged, openedAt } = incident;
  const thresholdText = `${percent}% of ${number(capacity)}`;
  const headline = ended
    ? ended.why === 'calm'
      ? `🟢 ${shortName(name)}: below ${thresholdText} again`
      : `🟢 ${shortName(name)}: ${thresholdText} is no longer watched`
    : crossedText(threshold);
  const late = incident.inside - until;
  const openingLine: Line = [`${number(inside)} inside`, momentAfter(' at ', openedAt, '{time}')];
  const endLine: Line = ended
    ? [
        momentAfter(
          { calm: ', over since ', rule: ', ended by a change of the list at ', reset: ', ended by a reset at ' }[
            ended.why
          ],
          ended.at,
          '{time}',
        ),
      ]
    : [];
  return message(escaped(headline), [
    richText(
      [bold(headline)],
      [...openingLine, ...endLine],
      ...(late === 0
        ? []
        : [`Scans that came late changed this: ${number(Math.max(0, inside + late))} were inside then.`]),
      ...(acknowledged
        ? [[person(acknowledged.by), momentAfter(' acknowledged it at ', acknowledged.at, '{time}')]]
        : []),
    ),
    ...(ended || acknowledged
      ? []
      : [
          actions([
            button('Acknowledge', 'post.acknowledge', { value: encode(postData, { post: key }, longest.button) }),
          ]),
        ]),
  ]);
}

const longestListed = 60;
const minuteMs = 60_000;
/** How late a scan may arrive before the alert mentions it. */
const lateMs = 2 * minuteMs;

export function doubleMessage({ double }: DoublePost, nameOf: NameOf): Message {
  const { name, value, earlier, later, undone } = double;
  const [sign, sentence] = undone === undefined ? ['⚠️', 'came in twice'] : ['ℹ️', 'did not come in twice'];
  const line = (scan: DoubleScan): Line => [
    `– ${shortName(scan.gate === '' ? unnamedGate : (nameOf('device', scan.gate) ?? scan.gate))}`,
    momentAfter(', ', scan.at, '{date_short_pretty} {time_secs}'),
    ...(scan.user === '' ? [] : [`, ${shortName(nameOf('user', scan.user) ?? `user ${scan.user}`)}`]),
    ...clockText(scan),
  ];
  const reasonText = {
    double: 'No scan out between them.',
    gone: 'Not a double: one of these scans was changed or deleted in the account.',
    out: 'Not a double: an upload that came late has an out between them:',
  };
  return message(`${sign} ${escaped(shortName(name))}: ${fallback(value)} ${sentence}`, [
    richText(
      [bold(`${sign} ${shortName(name)}: `), ...shortBarcode(value, longestListed), bold(` ${sentence}`)],
      ...[line(earlier), line(later)],
      reasonText[undone === undefined ? 'double' : undone === 'gone' ? 'gone' : 'out'],
      ...(typeof undone === 'object' ? [line(undone)] : []),
    ),
  ]);
}

function clockText({ at, arrivedAt, said }: DoubleScan): Line {
  if (said !== undefined) {
    return [momentAfter(' (its clock said ', said), ', so the time it arrived counts)'];
  }
  return arrivedAt !== undefined && arrivedAt - at > lateMs
    ? [` (uploaded ${countOf(Math.round((arrivedAt - at) / minuteMs), 'minute')} later)`]
    : [];
}

export function boardLost({ board, name }: Extract<PlacesNotice, { readonly what: 'board_lost' }>): Message {
  const lossCode = board.lost?.code ?? '';
  const isDeleted = lossCode === 'slack.message_not_found';
  const { what, remedy } = blockReason(board.channel, lossCode);
  const reasonLine: Line = isDeleted ? ['Somebody deleted its message in ', channelElement(board.channel)] : [...what];
  return message(`⚠️ The board of ${escaped(shortName(name))} is no longer updated`, [
    richText(
      [bold(`⚠️ The board of ${shortName(name)} is no longer updated.`)],
      [...reasonLine, '. The list still counts.'],
      [
        isDeleted
          ? 'To show it again, press Show in a channel below '
          : `${remedy}, then press Show in a channel below `,
        code('/scandesk inside'),
        ' › Manage lists.',
      ],
    ),
  ]);
}

/** The alert as it would have been posted, below the reason why it is a direct message. */
export function alertUndelivered(channel: string, { text, blocks }: Message): Message {
  return message(text, [
    richText([
      'Scandesk couldn’t post this in ',
      channelElement(channel),
      ', so you get it directly. Invite it to the channel again, or choose another one below ',
      code('/scandesk inside'),
      ' › Manage lists.',
    ]),
    ...blocks,
  ]);
}
