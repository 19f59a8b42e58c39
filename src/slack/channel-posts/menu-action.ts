/** The menu of a relay's post: an option runs the listener that a button of the same action has. */
import { SlackError } from '../bolt/errors.js';
import { type ActionSpec, action, type Listener, type ListenerOf } from '../bolt/routing/listeners.js';
import { postMenuData } from './blocks/post-actions.js';

export function postMenu(listeners: readonly Listener[]): ListenerOf<'action'> {
  const specOf = (id: string): ActionSpec => {
    const found = listeners.find(({ kind, ids }) => kind === 'action' && ids.includes(id));
    if (found?.kind !== 'action') {
      throw new SlackError('slack.state', `unknown action in a post's menu: ${id}`);
    }
    return found.spec;
  };
  return action('post.menu', {
    role(click) {
      const { role } = specOf(click.data.do);
      return typeof role === 'function' ? role(click) : role;
    },
    data: postMenuData,
    modalTitle(context) {
      const { modalTitle } = specOf(context.data.do);
      return typeof modalTitle === 'function' ? modalTitle(context) : modalTitle;
    },
    run: (context) => specOf(context.data.do).run(context),
  });
}
