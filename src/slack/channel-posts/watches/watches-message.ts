/** Messages about watches: one is created or stopped, all are listed, or the channel takes none. Pure. */
import { z } from 'zod';
import { countOf } from '../../../english.js';
import type { Watch } from '../../../relay/index.js';
import { actions, type Block, button, type Message, message } from '../../block-kit/elements.js';
import {
  barcodeElement,
  bold,
  channelElement,
  code,
  fallback,
  type LinePart,
  momentAfter,
  person,
  richText,
  textElement,
} from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';

/** The data of *Stop watching* and *Unmute*: the id of the watch or the mute. */
export const stopData = z.object({ id: z.string() });

/** The most watches or mutes in a list: each takes two blocks, and a message holds 50. */
const listedAtMost = 20;

/** A list of watches or mutes, each with a button that stops it. `done`: the notice of the last click. */
export function stoppableMessage(noun: string, done: readonly Block[], items: readonly (readonly Block[])[]): Message {
  const title = countOf(items.length, noun);
  const leftCount = items.length - listedAtMost;
  return message(title, [
    ...done,
    richText([bold(title)]),
    ...items.slice(0, listedAtMost).flat(),
    ...(leftCount > 0 ? [richText([textElement(`and ${countOf(leftCount, 'older one')}`, { italic: true })])] : []),
  ]);
}

interface WatchedOptions {
  /** Whether the workspace has no relay, so that nothing can be posted yet. */
  readonly noRelays?: boolean;
  /** The maximum in days, where a longer duration was asked for. */
  readonly cutToDays?: number | undefined;
}

export function watchedMessage(
  { id, value, until }: Watch,
  { noRelays = false, cutToDays }: WatchedOptions = {},
): Message {
  return message(`Watching ${fallback(value)}`, [
    richText(
      [bold('👀 Watching '), barcodeElement(value)],
      [
        'Each scan of it that a relay receives is posted here with an @mention for you, ',
        momentAfter('until ', until),
        '.',
        ...(cutToDays === undefined ? [] : [` A watch lasts at most ${countOf(cutToDays, 'day')}.`]),
      ],
      ...(noRelays
        ? [
            [
              '⚠️ No relay is set up yet, so no scans reach Scandesk. An admin can set one up with ',
              code('/scandesk relay'),
              '.',
            ],
          ]
        : []),
    ),
    stopWatchingButton(id),
  ]);
}

/** The message to a watcher whose watch somebody else in the channel ended. */
export function watchStoppedMessage({ value, channel }: Watch, stoppedBy: string): Message {
  return message(`No longer watching ${fallback(value)}`, [
    richText([
      person(stoppedBy),
      ' stopped your watch on ',
      barcodeElement(value),
      ' in ',
      channelElement(channel),
      '. To watch it again, type ',
      code('/scandesk watch'),
      ' and the barcode there.',
    ]),
  ]);
}

/** The watches of one person and of the channel. `stopped`: the watch just stopped. */
export function watchesMessage(watches: readonly Watch[], stopped?: Watch): Message {
  const notice = stopped ? [richText(['✅ No longer watching ', barcodeElement(stopped.value)])] : [];
  if (watches.length === 0) {
    return message('Nothing is watched', [
      ...notice,
      richText([
        'Nothing is watched by you or in this channel. ',
        code('/scandesk watch VALUE'),
        ' @mentions you here when a relay receives a scan of that barcode. ',
        code('/scandesk watch VALUE for 2d'),
        ' sets how long.',
      ]),
    ]);
  }
  const items = watches.map((watch) => [richText(watchLine(watch)), stopWatchingButton(watch.id)]);
  return stoppableMessage('watched barcode', notice, items);
}

/** One watch as a line. `isMine`: the reader is the watcher. */
export function watchLine({ value, who, channel, until, loan }: Watch, isMine = false): LinePart[] {
  return [
    barcodeElement(value),
    ...(isMine ? [] : [' · ', person(who)]),
    ...(loan ? [' · once it is back'] : [' in ', channelElement(channel)]),
    ' · ',
    momentAfter('until ', until),
  ];
}

export function stopWatchingButton(id: string): Block {
  return stopButton('watch', 'Stop watching', id);
}

/** The button that ends a watch or a mute. */
export function stopButton(kind: 'watch' | 'mute', label: string, id: string): Block {
  return actions([button(label, `${kind}.stop`, { value: encode(stopData, { id }, longest.button) })], `${kind}.${id}`);
}

/** The answer that says why nothing can be posted in the command's channel. */
export function cannotWatchMessage(why: string): Message {
  return message(why, [richText([bold('Can’t watch here. '), why])]);
}
