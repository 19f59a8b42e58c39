/** Handlers of *Details* and *More actions* in a post's menu: all that a post shows, and what does not fit its menu. */
import { modalView } from '../block-kit/elements.js';
import { encode, originMetadata } from '../bolt/metadata.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { opener } from '../bolt/routing/listeners.js';
import { appearanceOf } from './appearance/appearance.js';
import { moreActionsTitle, moreActionsView, postData } from './blocks/post-actions.js';
import { postDetails } from './blocks/relay-post.js';
import { createPostNames } from './scan-names.js';
import { postGone } from './watches/viewer.js';

const detailsTitle = 'Details';

export const postDetailsOpen = opener('post.details', {
  role: 'everyone',
  data: postData,
  modalTitle: detailsTitle,
  async view(context) {
    const post = await contentOf(context, context.data.post);
    const names = await createPostNames(context.deps)(post);
    return modalView(detailsTitle, postDetails(post, names), { callback_id: 'notice' });
  },
});

export const postMore = opener('post.more', {
  role: 'everyone',
  data: postData,
  modalTitle: moreActionsTitle,
  async view(context) {
    const post = await contentOf(context, context.data.post);
    const appearance = await appearanceOf(context.deps, post.owner, post.channel);
    return moreActionsView(post, appearance, encode(originMetadata, { channel: context.actor.channelId }));
  },
});

async function contentOf(context: ActionContext, key: string) {
  const { deps, actor } = context;
  return (await deps.relays.postActions.content(actor.owner, key)) ?? postGone(context, key);
}
