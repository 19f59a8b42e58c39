/** Messages about mutes. Pure. */
import { countOf } from '../../../english.js';
import type { Mute } from '../../../relay/index.js';
import { type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import {
  barcodeElement,
  channelElement,
  code,
  type LinePart,
  momentAfter,
  person,
  richText,
  textElement,
  textMessage,
} from '../../block-kit/text.js';
import { stopButton, stoppableMessage } from './watches-message.js';

/** Names of muted rules, relays and barcodes; undefined for one that no longer exists. */
export interface MutedNames {
  relay(relayId: string): string | undefined;
  rule(relayId: string, ruleId: string): string | undefined;
}

/** What a mute leaves out. */
const unposted: Readonly<Record<Mute['what']['kind'], string>> = {
  value: 'they just aren’t posted',
  relay: 'they just aren’t posted',
  rule: 'this rule just doesn’t post',
};

/** The notice of a mute for everyone in the channel; it names the person who muted. */
export function mutedMessage(mute: Mute, names: MutedNames): Message {
  return message('🔕 Muted here', [
    richText(
      [
        '🔕 ',
        person(mute.who),
        ' muted ',
        ...mutedElements(mute, names),
        ' here ',
        mute.posts === undefined ? endElement(mute) : `for ${countOf(mute.posts, 'more post')}`,
      ],
      [textElement(`Scans are still received and answered; ${unposted[mute.what.kind]} here.`, { italic: true })],
    ),
    stopButton('mute', 'Unmute', mute.id),
  ]);
}

/** The list of mutes. `stopped`: the mute just stopped. */
export function mutesMessage(mutes: readonly Mute[], names: MutedNames, stopped?: Mute): Message {
  const notice = stopped ? [richText(['✅ Unmuted ', ...mutedElements(stopped, names)])] : [];
  if (mutes.length === 0) {
    return message('Nothing is muted', [
      ...notice,
      richText([
        'Nothing is muted by you or in this channel. ',
        code('/scandesk mute VALUE'),
        ' mutes a barcode in this channel for a day. ',
        code('/scandesk mute VALUE for 2h'),
        ' sets how long, and ',
        code('/scandesk mute VALUE for 5 more'),
        ' mutes its next 5 posts. To mute a rule or a relay, press Mute on one of its posts.',
      ]),
    ]);
  }
  const items = mutes.map((mute) => [richText(muteLine(mute, names)), stopButton('mute', 'Unmute', mute.id)]);
  return stoppableMessage('mute', notice, items);
}

/** The answer to a mute until an alert is over, where no alert is open any more. */
export function alreadyOverMessage(): Message {
  return textMessage('No alert is open here, so nothing was muted.');
}

function muteLine(mute: Mute, names: MutedNames): LinePart[] {
  return [
    ...mutedElements(mute, names, true),
    ' in ',
    channelElement(mute.channel),
    ' · by ',
    person(mute.who),
    ' · ',
    endElement(mute),
  ];
}

function endElement({ posts, incidentId, until }: Mute): RichTextElement {
  return posts !== undefined
    ? textElement(`${countOf(posts, 'post')} left`)
    : incidentId !== undefined
      ? textElement('until the alert is over')
      : momentAfter('until ', until);
}

/** What is muted, in words. `capitalized`: at the start of a line. */
function mutedElements({ what }: Mute, names: MutedNames, capitalized = false): LinePart[] {
  const [article, a] = capitalized ? ['The', 'A'] : ['the', 'a'];
  switch (what.kind) {
    case 'value':
      return [`${article} barcode `, barcodeElement(what.value)];
    case 'rule': {
      const title = names.rule(what.relayId, what.ruleId);
      return [title === undefined ? `${a} deleted rule` : `${article} rule “${shortName(title, longestTitle)}”`];
    }
    case 'relay': {
      const name = names.relay(what.relayId);
      return [name === undefined ? `${a} deleted relay` : `${article} relay ${shortName(name)}`];
    }
  }
}

const longestTitle = 100;
