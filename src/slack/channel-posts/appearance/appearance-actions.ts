/** `/scandesk posts`, *Post appearance* on a post and in a relay's modal, and the form they open. */
import { record } from '../../bolt/audit.js';
import { isChannel } from '../../bolt/channels.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import type { CommandContext } from '../../bolt/routing/context.js';
import { action, type Listener, opener, opens } from '../../bolt/routing/listeners.js';
import { assertUnchanged, type FormScope, redraws, settingsForm } from '../../forms/settings-form.js';
import { formStateIn } from '../../forms/view-state.js';
import { postData } from '../blocks/post-actions.js';
import { appearanceOf, appearances } from './appearance.js';
import {
  appearanceData,
  appearanceForm,
  appearanceIn,
  appearanceMetadata,
  appearanceSample,
  describeAppearance,
} from './appearance-form.js';

const title = 'Post appearance';

const appearanceWindow = settingsForm({
  ...{ id: 'posts.appearance', title, metadata: appearanceMetadata },
  load: ({ deps, actor }, { of }) => appearanceOf(deps, actor.owner, of),
  form: () => appearanceForm,
  source: (appearance, { of: channel }) => ({ channel, appearance }),
  part: (appearance) => appearance,
  draw: (draft, { context }) => [
    ...appearanceForm.draw(draft, 'channel', 'look', 'buttons', 'shows'),
    ...appearanceSample(draft, context.deps.clock.now()),
  ],
  stays: () => true,
  async save(context, { channel = '', ...entered }) {
    const { deps, actor, metadata } = context;
    const isSeen = channel === metadata.of;
    assertUnchanged(await appearanceOf(deps, actor.owner, channel), isSeen ? metadata.seen : undefined);
    const appearance = appearanceIn(entered);
    await appearances.save(deps, actor.owner, appearance, channel);
    await record(context, { what: 'relay/appearance', detail: { channel, ...describeAppearance(appearance) } });
    return { done: 'Saved. It applies from the next post.' };
  },
});

function appearanceModal(context: FormScope, channel: string | undefined) {
  // Relays never post in a direct message.
  return appearanceWindow.open(context, { of: isChannel(channel) ? channel : undefined });
}

export const posts: Subcommand = {
  name: 'posts',
  usage: 'posts',
  description: 'Choose how posts look in this channel: full or one line, and which buttons they have',
  role: 'manager',
  ...opens(title, (context: CommandContext) => appearanceModal(context, context.channelId)),
};

export const appearanceListeners: readonly Listener[] = [
  opener('post.appearance', {
    role: 'manager',
    data: postData,
    modalTitle: title,
    view: (context) => appearanceModal(context, context.actor.channelId),
  }),
  // Opens the form from another modal.
  opener('posts.open', {
    role: 'manager',
    data: appearanceData,
    modalTitle: title,
    push: true,
    view: (context) => appearanceModal(context, context.data.channel),
  }),
  redraws(['posts.redraw'], [appearanceWindow]),
  // Another channel has its own settings.
  action('posts.channel', {
    role: 'manager',
    metadata: appearanceMetadata,
    run: (context) =>
      context.deps.rerenders.draw(context, () => {
        const { view } = context.inside;
        context.deps.rerenders.forget(view.id);
        return appearanceWindow.open(context, { of: appearanceForm.entered(formStateIn(view)).channel });
      }),
  }),
  appearanceWindow.submitted,
];
