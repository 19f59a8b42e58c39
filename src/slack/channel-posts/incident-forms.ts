/** The modals for handing an alert over and for resolving it. Pure. */
import type { DeliveredPost } from '../../relay/index.js';
import { context, type ModalView, modalView } from '../block-kit/elements.js';
import { momentAfter, person, richText } from '../block-kit/text.js';
import { encode } from '../bolt/metadata.js';
import type { Acknowledged } from '../bolt/routing/context.js';
import { createForm, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { postFormMetadata } from './blocks/post-actions.js';
import { longestNote } from './note-form.js';

export const handOverTitle = 'Hand over';
export const resolveTitle = 'Resolve';

const field = fieldsOf<object>();

const handOverForm = createForm(
  'post.hand_over',
  { field: 'post.hand_over.to', rerender: 'post.hand_over.to' },
  { to: field(kinds.user({ missing: 'Choose a person.' }), { label: 'Hand over to' }) },
);

const reasons = [
  ['fixed', 'Fixed'],
  ['false_alarm', 'False alarm'],
  ['known', 'Known issue'],
  ['other', 'Other'],
] as const;

const resolveForm = createForm(
  'post.resolve',
  { field: 'post.resolve.field', rerender: 'post.resolve.field' },
  {
    why: field(kinds.radio(reasons, { missing: 'Choose one.' }), { label: 'Reason', initial: 'fixed' }),
    details: field(kinds.text({ max: longestNote, placeholder: 'Reader restarted' }), {
      label: 'Details',
      hint: 'Shown on the alert, for everyone in the channel.',
      optional: true,
    }),
  },
);

/** The person that the form hands the incident over to. */
export function readHandOver(state: FormState): Acknowledged<string> {
  const errors: Errors = {};
  const { to } = handOverForm.read(state, errors);
  return to === undefined ? { errors } : { close: 'this', input: to };
}

/** The reason as shown text: `Fixed: reader restarted`. */
export function readResolve(state: FormState): Acknowledged<string> {
  const errors: Errors = {};
  const { why, details: entered = '' } = resolveForm.read(state, errors);
  const details = entered.trim();
  if (why === 'other' && details === '') {
    errors[resolveForm.nameOf('details')] = 'Say why.';
  }
  if (why === undefined || Object.keys(errors).length > 0) {
    return { errors };
  }
  const label = reasons.find(([value]) => value === why)?.[1] ?? '';
  return { close: 'this', input: why === 'other' ? details : details === '' ? label : `${label}: ${details}` };
}

export function handOverView(post: DeliveredPost): ModalView {
  return (
    closedView(handOverTitle, post) ??
    modalView(
      handOverTitle,
      [
        ...handOverForm.draw(handOverForm.draft({}), 'to'),
        context('Shown on the alert. Scandesk mentions them in its thread.'),
      ],
      { callback_id: 'post.hand_over', submit: 'Hand over', private_metadata: metadataOf(post) },
    )
  );
}

export function resolveView(post: DeliveredPost): ModalView {
  return (
    closedView(resolveTitle, post) ??
    modalView(
      resolveTitle,
      [
        ...resolveForm.draw(resolveForm.draft({}), 'why', 'details'),
        context('If it goes on, it stays quiet until it is over.'),
      ],
      { callback_id: 'post.resolve', submit: 'Resolve', private_metadata: metadataOf(post) },
    )
  );
}

/** The view that says why people can no longer act on the alert; undefined if they can. */
function closedView(title: string, post: DeliveredPost): ModalView | undefined {
  const why = whyClosed(post);
  return why && modalView(title, [richText(why)]);
}

export function whyClosed({ incident }: Pick<DeliveredPost, 'incident'>) {
  if (!incident) {
    return ['This alert was posted before Scandesk kept track of alerts. Reply in its thread instead.'];
  }
  if (incident.ended) {
    return ['This alert is over', momentAfter(' since ', incident.ended.at), '.'];
  }
  const { resolved } = incident;
  return resolved ? [person(resolved.by), ' already resolved it', momentAfter(', ', resolved.at), '.'] : undefined;
}

function metadataOf({ channel, key }: DeliveredPost): string {
  return encode(postFormMetadata, { channel, post: key });
}
