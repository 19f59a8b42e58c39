/** Messages about watches: created, listed, or not possible here. Pure. */
import type { Watch } from '../../../relay/index.js';
import { actions, type Block, button, type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import {
  barcodeElement,
  bold,
  code,
  fallback,
  momentAfter,
  person,
  richText,
  textElement,
} from '../../block-kit/text.js';
import { countOf } from '../../block-kit/verdict.js';
import { channelElement } from '../describe/describe-relay.js';
import { postActions, stopNotes } from '../ids.js';

/** Two blocks each; a message takes 50. */
export const listedAtMost = 20;

/** @param nothingTakes the workspace has no relay, so nothing can be posted yet */
export function watchedMessage({ id, value, until }: Watch, { nothingTakes = false } = {}): Message {
  return message(`Watching ${fallback(value)}`, [
    richText(
      [bold('👀 Watching '), barcodeElement(value)],
      [
        textElement('Each time a relay takes it, it is posted here and you are called, '),
        momentAfter('until ', until),
        textElement('.'),
      ],
      ...(nothingTakes
        ? [
            [
              textElement('⚠️ No relay is set up, so no scan reaches Scandesk yet. An admin sets one up with '),
              code('/scandesk relay'),
              textElement('.'),
            ],
          ]
        : []),
    ),
    stopButton(id),
  ]);
}

/** For the person who watched, when somebody else in the channel ended it. */
export function watchEndedMessage({ value, channel }: Watch, by: string): Message {
  return message(`No longer watching ${fallback(value)}`, [
    richText([
      person(by),
      textElement(' ended your watch for '),
      barcodeElement(value),
      textElement(' in '),
      channelElement(channel),
      textElement('. To go on, type '),
      code('/scandesk watch'),
      textElement(' and the barcode there.'),
    ]),
  ]);
}

/** The watches of one person and of the channel. `stopped`: the watch just stopped. */
export function watchesMessage(watches: readonly Watch[], stopped?: Watch): Message {
  const done = stopped ? [richText([textElement('✅ No longer watching '), barcodeElement(stopped.value)])] : [];
  if (watches.length === 0) {
    return message('Nothing is watched', [
      ...done,
      richText([
        textElement('Nothing is watched by you or in this channel. '),
        code('/scandesk watch VALUE'),
        textElement(' calls you here when a relay takes that barcode; '),
        code('/scandesk watch VALUE for 2d'),
        textElement(' says for how long.'),
      ]),
    ]);
  }
  const shown = watches.slice(0, listedAtMost);
  const rest = watches.length - shown.length;
  return message(`${countOf(watches.length, 'barcode')} watched`, [
    ...done,
    richText([bold(`${countOf(watches.length, 'barcode')} watched`)]),
    ...shown.flatMap((watch): Block[] => [richText(watchLine(watch)), stopButton(watch.id)]),
    ...(rest > 0 ? [richText([textElement(`and ${countOf(rest, 'older one')}`, { italic: true })])] : []),
  ]);
}

function watchLine({ value, who, channel, until }: Watch): RichTextElement[] {
  return [
    barcodeElement(value),
    textElement(' · '),
    person(who),
    textElement(' in '),
    channelElement(channel),
    textElement(' · '),
    momentAfter('until ', until),
  ];
}

function stopButton(id: string): Block {
  return actions([button('Stop', postActions.watchStop, { value: stopNotes.write({ id }) })], `watch.${id}`);
}

/** Why nothing can be posted in the channel of the command. */
export function notHereMessage(why: string): Message {
  return message(why, [richText([bold('Not here. '), textElement(why)])]);
}
