/** The modal that mutes a barcode, a rule or a relay in a channel. Pure. */
import { noNames } from '../../../codereadr/names.js';
import type { NameOf } from '../../../codereadr/types.js';
import type { DeliveredPost, NewMute } from '../../../relay/index.js';
import { context, type ModalView, modalView } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodeElement, richText } from '../../block-kit/text.js';
import { encode } from '../../bolt/metadata.js';
import { createForm, fieldsOf } from '../../forms/form.js';
import type { Choice } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import type { Errors, FormState } from '../../forms/view-state.js';
import { postFormMetadata } from '../blocks/post-actions.js';
import { ruleTitle } from '../describe/describe-rule.js';

export const muteTitle = 'Mute';

/** How long a mute can last: minutes, or a number of posts. */
const spans: readonly Choice[] = [
  ['60', '1 hour'],
  ['480', '8 hours'],
  ['1440', '1 day'],
  ['10080', '1 week'],
  ['posts.5', 'The next 5 posts'],
  ['posts.20', 'The next 20 posts'],
  ['posts.100', 'The next 100 posts'],
];

/** The choice to mute until an alert that is open is over. */
const untilOverValue = 'over';
const untilOver: Choice = [untilOverValue, 'Until the alert is over'];

const missingText = 'Choose one.';
const field = fieldsOf<object>();

/** The form. `choices`: what can be muted, the initial choice first. */
const formOf = (choices: readonly Choice[], isIncident = false) =>
  createForm(
    'post.mute',
    { field: 'post.mute.what', rerender: 'post.mute.what' },
    {
      what: field(kinds.radio(choices, { missing: missingText }), { label: 'What to mute', initial: choices[0]?.[0] }),
      for: field(kinds.select(isIncident ? [untilOver, ...spans] : spans, { missing: missingText }), {
        label: 'How long',
        action: 'post.mute.for',
        initial: isIncident ? untilOverValue : '1440',
      }),
    },
  );

const muteForm = formOf([], true);

export type MuteEnd = Pick<NewMute, 'forMs' | 'posts'> & { readonly untilOver?: true };

export function readMute(
  state: FormState,
): { readonly errors: Errors } | { readonly what: string; readonly end: MuteEnd } {
  const errors: Errors = {};
  const { what = '', for: span } = muteForm.read(state, errors);
  return Object.keys(errors).length > 0 ? { errors } : { what, end: muteEndOf(span) };
}

function ruleFirst(choices: readonly Choice[]): Choice[] {
  const isRule = ([value]: Choice) => value.startsWith('rule.');
  return [...choices.filter(isRule), ...choices.filter((choice) => !isRule(choice))];
}

function muteEndOf(span: string | undefined): MuteEnd {
  if (span === untilOverValue) {
    return { untilOver: true };
  }
  const [, posts] = /^posts\.(\d+)$/.exec(span ?? '') ?? [];
  return posts === undefined ? { forMs: Number(span) * 60_000 } : { posts: Number(posts) };
}

/**
 * The form of a post. A choice's value is `value`, `relay`, or `rule.N` with the rule's index among the post's rules. A
 * deleted rule without a name is left out: it posts nothing that could be muted.
 */
export function muteView(post: DeliveredPost, nameOf: NameOf = noNames): ModalView {
  const titleOf = ({ id, name }: DeliveredPost['rules'][number]) => {
    const rule = post.relay.settings.rules.find((each) => each.id === id);
    return rule ? ruleTitle(rule, nameOf) : name;
  };
  const rules = post.rules.slice(0, 8).map((rule, at) => [`rule.${at}`, titleOf(rule)] as const);
  const choices: Choice[] = [
    ...(post.scan ? [['value', 'This barcode'] as const] : []),
    ...rules
      .filter(([, title]) => title !== '')
      .map(([value, title]): Choice => [value, `Posts of the rule “${shortName(title)}”`]),
    ['relay', `All posts of the relay ${shortName(post.relay.serviceName, 40)}`],
  ];
  const { incident } = post;
  // The rule comes first for an alert, since a rule makes it.
  const form = formOf(incident ? ruleFirst(choices) : choices, incident !== undefined && !incident.ended);
  return modalView(
    muteTitle,
    [
      ...(post.scan ? [richText([barcodeElement(post.scan.tid)])] : []),
      ...form.draw(form.draft({}), 'what', 'for'),
      context('Mutes this for everyone in the channel and posts a notice. Scans are still received and answered.'),
    ],
    {
      callback_id: 'post.mute',
      submit: 'Mute',
      private_metadata: encode(postFormMetadata, { channel: post.channel, post: post.key }),
    },
  );
}
