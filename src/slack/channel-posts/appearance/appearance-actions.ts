/** `/scandesk posts`, *Post appearance* on a post and in a relay's modal, and the form they open. */
import type { ModalView } from '../../block-kit/elements.js';
import { record } from '../../bolt/audit.js';
import { isChannel } from '../../bolt/channels.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import type { ActorContext, CommandContext } from '../../bolt/routing/context.js';
import { action, modal, opener, opens } from '../../bolt/routing/listeners.js';
import { formStateIn } from '../../forms/view-state.js';
import { postData } from '../blocks/post-actions.js';
import { appearanceOf, appearances } from './appearance.js';
import {
  type AppearanceDraft,
  appearanceData,
  appearanceForm,
  appearanceMetadata,
  appearanceTitle,
  appearanceView,
  describeAppearance,
  readAppearance,
} from './appearance-form.js';

export const posts: Subcommand = {
  name: 'posts',
  usage: 'posts',
  description: 'Choose how posts look in this channel: full or one line, and which buttons they have',
  role: 'manager',
  ...opens(appearanceTitle, (context: CommandContext) => appearanceModal(context, context.channelId)),
};

export const postAppearance = opener('post.appearance', {
  role: 'manager',
  data: postData,
  modalTitle: appearanceTitle,
  view: (context) => appearanceModal(context, context.actor.channelId),
});

/** Opens the form from another modal. */
export const appearanceOpen = opener('posts.open', {
  role: 'manager',
  data: appearanceData,
  modalTitle: appearanceTitle,
  push: true,
  view: (context) => appearanceModal(context, context.data.channel),
});

async function appearanceModal(context: ActorContext, channel: string | undefined): Promise<ModalView> {
  // Relays never post in a direct message.
  return view(context, await storedDraft(context, isChannel(channel) ? channel : undefined));
}

async function storedDraft({ deps, actor }: ActorContext, channel: string | undefined): Promise<AppearanceDraft> {
  return appearanceForm.draft({ channel, appearance: await appearanceOf(deps, actor.owner, channel) });
}

function view({ deps, actor }: ActorContext, draft: AppearanceDraft, done?: string): ModalView {
  const now = deps.clock.now();
  return appearanceView(draft, { now, channel: actor.channelId, ...(done === undefined ? {} : { done }) });
}

/** Each choice redraws the preview; another channel has its own settings. */
export const appearanceRedraw = action(['posts.redraw', 'posts.channel'], {
  role: 'manager',
  metadata: appearanceMetadata,
  async run(context) {
    const { deps, inside, action: chosenAction } = context;
    await deps.rerenders.draw(context, async () => {
      const entered = appearanceForm.entered(formStateIn(inside.view));
      return chosenAction.action_id === 'posts.channel'
        ? view(context, await storedDraft(context, entered.channel))
        : view(context, entered);
    });
  },
});

export const appearanceSubmitted = modal('posts.appearance', {
  role: 'manager',
  metadata: appearanceMetadata,

  fields({ view: form }) {
    const read = readAppearance(formStateIn(form));
    return 'errors' in read ? read : { show: savingView(appearanceTitle), input: read };
  },

  async run(context, { channel, appearance }) {
    const { deps, actor } = context;
    await appearances.save(deps, actor.owner, appearance, channel);
    await record(context, { what: 'relay/appearance', detail: { channel, ...describeAppearance(appearance) } });
    const done = 'Saved. It applies from the next post.';
    await context.modal.showOutcome(view(context, appearanceForm.draft({ channel, appearance }), done));
  },
});
