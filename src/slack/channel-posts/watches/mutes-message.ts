/** Messages about mutes, and the modal that creates one. Pure. */

import { z } from 'zod';
import { noNames } from '../../../codereadr/names.js';
import type { NameOf } from '../../../codereadr/types.js';
import { countOf } from '../../../english.js';
import type { DeliveredPost, Mute } from '../../../relay/index.js';
import {
  actions,
  type Block,
  button,
  context,
  type Message,
  type ModalView,
  message,
  modalView,
  option,
  plain,
  type RichTextElement,
} from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodeElement, bold, code, momentAfter, person, richText, textElement } from '../../block-kit/text.js';
import { encode, longest, origin } from '../../bolt/metadata.js';
import { channelElement } from '../describe/describe-relay.js';
import { ruleTitle } from '../describe/describe-rule.js';
import { listedAtMost, stopData } from './watches-message.js';

/** Names of what is muted; undefined: it no longer exists. */
export interface MutedNames {
  relay(relayId: string): string | undefined;
  rule(relayId: string, ruleId: string): string | undefined;
}

/** For everyone in the channel; it names the person who muted. */
export function mutedMessage(mute: Mute, names: MutedNames): Message {
  return message('🔕 Muted here', [
    richText(
      [
        textElement('🔕 '),
        person(mute.who),
        textElement(' muted '),
        ...mutedElements(mute, names),
        textElement(' here '),
        momentAfter('until ', mute.until),
      ],
      [textElement('Scans are still received and answered; they just aren’t posted here.', { italic: true })],
    ),
    stopButton(mute.id),
  ]);
}

/** `stopped`: the mute just stopped. */
export function mutesMessage(mutes: readonly Mute[], names: MutedNames, stopped?: Mute): Message {
  const done = stopped ? [richText([textElement('✅ Unmuted '), ...mutedElements(stopped, names)])] : [];
  if (mutes.length === 0) {
    return message('Nothing is muted', [
      ...done,
      richText([
        textElement('Nothing is muted by you or in this channel. '),
        code('/scandesk mute VALUE'),
        textElement(' mutes a barcode in this channel for a day. '),
        code('/scandesk mute VALUE for 2h'),
        textElement(' sets how long. To mute a rule or a relay, press Mute on one of its posts.'),
      ]),
    ]);
  }
  const shown = mutes.slice(0, listedAtMost);
  const rest = mutes.length - shown.length;
  return message(countOf(mutes.length, 'mute'), [
    ...done,
    richText([bold(countOf(mutes.length, 'mute'))]),
    ...shown.flatMap((mute): Block[] => [richText(muteLine(mute, names)), stopButton(mute.id)]),
    ...(rest > 0 ? [richText([textElement(`and ${countOf(rest, 'older one')}`, { italic: true })])] : []),
  ]);
}

function muteLine(mute: Mute, names: MutedNames): RichTextElement[] {
  return [
    ...mutedElements(mute, names, true),
    textElement(' in '),
    channelElement(mute.channel),
    textElement(' · by '),
    person(mute.who),
    textElement(' · '),
    momentAfter('until ', mute.until),
  ];
}

/** `capitalized`: at the start of a line. */
function mutedElements({ what }: Mute, names: MutedNames, capitalized = false): RichTextElement[] {
  const [the, a] = capitalized ? ['The', 'A'] : ['the', 'a'];
  switch (what.kind) {
    case 'value':
      return [textElement(`${the} barcode `), barcodeElement(what.value)];
    case 'rule': {
      const title = names.rule(what.relayId, what.ruleId);
      return [
        textElement(title === undefined ? `${a} deleted rule` : `${the} rule “${shortName(title, longestTitle)}”`),
      ];
    }
    case 'relay': {
      const name = names.relay(what.relayId);
      return [textElement(name === undefined ? `${a} deleted relay` : `${the} relay ${shortName(name)}`)];
    }
  }
}

const longestTitle = 100;

function stopButton(id: string): Block {
  return actions([button('Unmute', 'mute.stop', { value: encode(stopData, { id }, longest.button) })], `mute.${id}`);
}

export const muteTitle = 'Mute';

/** The modal of one post. */
export const muteMetadata = z.object({ ...origin, post: z.string() });

/** Durations to choose from, in minutes. */
const spans = [
  ['60', '1 hour'],
  ['480', '8 hours'],
  ['1440', '1 day'],
  ['10080', '1 week'],
] as const;

/**
 * Option values: `value`, `relay`, and `rule.N` for the Nth of the post's rules. A removed rule without a name is left
 * out: it posts nothing that could be muted.
 */
export function muteForm(post: DeliveredPost, nameOf: NameOf = noNames): ModalView {
  const titleOf = ({ id, name }: DeliveredPost['rules'][number]) => {
    const rule = post.relay.settings.rules.find((each) => each.id === id);
    return rule ? ruleTitle(rule, nameOf) : name;
  };
  const options = [
    ...(post.scan ? [option('This barcode', 'value')] : []),
    ...post.rules
      .slice(0, 8)
      .map((rule, at) => [titleOf(rule), `rule.${at}`] as const)
      .filter(([title]) => title !== '')
      .map(([title, value]) => option(`Posts of the rule “${shortName(title)}”`, value)),
    option(`All posts of the relay ${shortName(post.relay.serviceName, 40)}`, 'relay'),
  ];
  const defaultSpan = option(spans[2][1], spans[2][0]);
  return modalView(
    muteTitle,
    [
      ...(post.scan ? [richText([barcodeElement(post.scan.tid)])] : []),
      {
        type: 'input',
        block_id: 'post.mute.what',
        label: plain('What to mute'),
        element: { type: 'radio_buttons', action_id: 'post.mute.what', options, initial_option: options[0]! },
      },
      {
        type: 'input',
        block_id: 'post.mute.for',
        label: plain('How long'),
        element: {
          type: 'static_select',
          action_id: 'post.mute.for',
          options: spans.map(([minutes, label]) => option(label, minutes)),
          initial_option: defaultSpan,
        },
      },
      context('Mutes this for everyone in the channel and posts a notice. Scans are still received and answered.'),
    ],
    {
      callback_id: 'post.mute',
      submit: 'Mute',
      private_metadata: encode(muteMetadata, { channel: post.channel, post: post.key }),
    },
  );
}
