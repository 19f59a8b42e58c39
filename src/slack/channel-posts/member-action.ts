/** Handler for *Link user to Slack member* on the post of a scan. */
import { opener } from '../bolt/routing/listeners.js';
import { memberModal, memberTitle } from '../members/index.js';
import { postData } from './blocks/post-actions.js';
import { postGone, postOf } from './watches/viewer.js';

export const postMember = opener('post.member', {
  role: 'manager',
  data: postData,
  modalTitle: memberTitle,
  async view(context) {
    const { scan } = await postOf(context, context.data.post);
    if (scan?.userid === undefined) {
      return postGone(context, context.data.post);
    }
    return memberModal(context, { user: scan.userid });
  },
});
