/** Handler for *Link user to Slack member* on the post of a scan. */

import { RelayError } from '../../relay/index.js';
import { action } from '../bolt/routing/listeners.js';
import { memberModal, memberTitle } from '../members/index.js';
import { postData } from './blocks/post-actions.js';
import { postOf } from './watches/viewer.js';

export const postMember = action('post.member', {
  role: 'manager',
  data: postData,
  modalTitle: memberTitle,
  async run(context) {
    await context.modal.fill(memberTitle, async () => {
      const { scan } = await postOf(context, context.data.post);
      if (scan?.userid === undefined) {
        throw new RelayError('relay.no_such_relay', `post without a user: ${context.data.post}`);
      }
      return memberModal(context, { user: scan.userid });
    });
  },
});
