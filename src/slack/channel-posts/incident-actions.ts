/** Listeners for *Hand over…* and *Resolve…* on an alert. The alert shows the change, for everyone. */
import type { IncidentChange } from '../../relay/index.js';
import { message } from '../block-kit/elements.js';
import { richText } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { modal } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { postFormMetadata } from './blocks/post-actions.js';
import {
  handOverTitle,
  handOverView,
  readHandOver,
  readResolve,
  resolveTitle,
  resolveView,
  whyClosed,
} from './incident-forms.js';
import { postFormOpener, postGone } from './watches/viewer.js';

export const postHandOver = postFormOpener('post.hand_over', handOverTitle, handOverView);
export const postResolve = postFormOpener('post.resolve', resolveTitle, resolveView);

export const handOverSubmitted = modal('post.hand_over', {
  role: 'everyone',
  metadata: postFormMetadata,
  fields: ({ view }) => readHandOver(formStateIn(view)),
  async run(context, to) {
    const { deps, actor } = context;
    const { post } = context.metadata;
    const change = await deps.relays.postActions.handOver(actor.owner, post, { who: actor.userId, to });
    await finishChange(context, post, change, { what: 'relay/hand_over', detail: { to } });
  },
});

export const resolveSubmitted = modal('post.resolve', {
  role: 'everyone',
  metadata: postFormMetadata,
  fields: ({ view }) => readResolve(formStateIn(view)),
  async run(context, reason) {
    const { deps, actor } = context;
    const { post } = context.metadata;
    const change = await deps.relays.postActions.resolve(actor.owner, post, { who: actor.userId, reason });
    await finishChange(context, post, change, { what: 'relay/resolve', detail: { reason } });
  },
});

/** Writes the change to the audit log, or tells the person why nothing changed. */
async function finishChange(
  context: BaseContext,
  post: string,
  change: IncidentChange | undefined,
  entry: { readonly what: string; readonly detail: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (!change) {
    return postGone(context, post);
  }
  const { done, incident } = change;
  if (done) {
    const about = incident ? { relay: incident.relayId } : {};
    await record(context, { what: entry.what, detail: { post, ...about, ...entry.detail } });
    return;
  }
  const refusalText = whyClosed({ incident }) ?? ['They have it already.'];
  await context.postPrivately(message('Nothing changed.', [richText(refusalText)]));
}
