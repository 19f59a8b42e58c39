/**
 * Listeners for *Acknowledge* on a relay's post, and for its note. The first person to acknowledge is shown on the post,
 * for everyone.
 */
import type { DeliveredPost } from '../../relay/index.js';
import { message } from '../block-kit/elements.js';
import { momentAfter, person, richText, textMessage } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import type { ActionContext, BaseContext } from '../bolt/routing/context.js';
import { action, modal } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { postData, postFormMetadata } from './blocks/post-actions.js';
import { acknowledgeTitle, noteTitle, noteView, readNote } from './note-form.js';
import { postFormOpener, postGone } from './watches/viewer.js';

/** The post of a relay that Scandesk paused cannot be updated, so the person needs another response. */
const acknowledgedWhilePaused =
  'You acknowledged it. The relay is paused, so the post shows this once the relay is resumed with /scandesk relay.';

const acknowledgedWhileBlocked =
  'You acknowledged it. Scandesk can’t post in this channel now, so the post shows this once it can.';

export const postAcknowledge = action('post.acknowledge', {
  role: 'everyone',
  data: postData,
  run: (context) => acknowledge(context, context.data.post),
});

const noteViewOf = (post: DeliveredPost, { actor }: ActionContext) => noteView(post, actor.userId);
export const postAcknowledgeWithNote = postFormOpener('post.ack_note', acknowledgeTitle, noteViewOf);
export const postNote = postFormOpener('post.note', noteTitle, noteViewOf);

export const noteSubmitted = modal('post.note', {
  role: 'everyone',
  metadata: postFormMetadata,
  fields: ({ view }) => ({ close: 'this', input: readNote(formStateIn(view)) }),
  run: (context, note) => acknowledge(context, context.metadata.post, note),
});

/**
 * Acknowledges a post.
 * @param note undefined: the person gives no note; empty: they remove theirs
 */
async function acknowledge(context: BaseContext, post: string, note?: string): Promise<void> {
  const { deps, actor, postPrivately } = context;
  const acknowledged = await deps.relays.postActions.acknowledge(actor.owner, post, actor.userId, note);
  if (!acknowledged) {
    return postGone(context, post);
  }
  if (acknowledged.by !== actor.userId) {
    const noteLostText = note ? ' Your note wasn’t saved: to add it, reply in the thread.' : '';
    await postPrivately(
      message('Already acknowledged.', [
        richText([
          person(acknowledged.by),
          ' already acknowledged it',
          momentAfter(', ', acknowledged.at),
          `.${noteLostText}`,
        ]),
      ]),
    );
    return;
  }
  if (acknowledged.first || note !== undefined) {
    const { relay, scan, channel, incident } = (await deps.relays.postActions.find(actor.owner, post)) ?? {};
    const auditDetail = {
      ...(relay ? { relay: relay.id } : {}),
      ...(scan ? { value: scan.tid } : {}),
      ...(incident ? { kind: 'alert' } : {}),
    };
    await record(context, {
      what: acknowledged.first ? 'relay/acknowledge' : 'relay/note',
      detail: { post, ...auditDetail },
    });
    const { blocked = [] } = (relay && (await deps.relays.get(actor.owner, relay.id))) ?? {};
    const later =
      relay?.paused && relay.paused.why !== 'person'
        ? acknowledgedWhilePaused
        : blocked.some((one) => one.channel === channel)
          ? acknowledgedWhileBlocked
          : undefined;
    if (later !== undefined) {
      await postPrivately(textMessage(later));
    }
  }
}
