/** Submission handler for the *Mute this* modal. It also posts a notice in the channel. */

import type { Muted } from '../../../relay/relays/types.js';
import { choiceIn } from '../../block-kit/view-state.js';
import { record } from '../../bolt/audit.js';
import { SlackError } from '../../bolt/errors.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';
import { muteMetadata, postMetadata } from '../ids.js';
import { mutedMessage } from './mutes-message.js';
import { mutedNames, mutedOnRecord, notifyChannel, postOf } from './viewer.js';

interface Sent {
  readonly post: string;
  readonly what: string;
  readonly minutes: number;
}

export const muteSubmitted = modal('post.mute', {
  role: 'everyone',

  fields({ view }): Acknowledged<Sent> {
    const { post } = muteMetadata.read(view.private_metadata);
    const what = choiceIn(view, 'post.mute.what', 'post.mute.what');
    const minutes = Number(choiceIn(view, 'post.mute.for', 'post.mute.for'));
    if (what === undefined || !(minutes > 0)) {
      return { errors: { [what === undefined ? 'post.mute.what' : 'post.mute.for']: 'Choose one.' } };
    }
    return { close: 'this', input: { post, what, minutes } };
  },

  async run(context, { post, what, minutes }) {
    const { deps, actor } = context;
    const found = await postOf(context, postMetadata.write({ post }));
    const { relay, rules, scan, channel } = found;
    const [, at] = /^rule\.(\d)$/.exec(what) ?? [];
    const rule = rules[Number(at)];
    const muted: Muted | undefined = rule
      ? { kind: 'rule', relayId: relay.id, ruleId: rule.id }
      : what === 'relay'
        ? { kind: 'relay', relayId: relay.id }
        : scan && { kind: 'value', value: scan.tid };
    if (!muted) {
      throw new SlackError('slack.state', `post ${post} has no option ${what}`);
    }
    const change = { what: muted, channel, who: actor.userId, forMs: minutes * 60_000 };
    const mute = await deps.relays.mutes.mute(actor.owner, change);
    const names = await mutedNames(context);
    await record(context, { what: 'relay/mute', detail: { ...mutedOnRecord(mute, names), until: mute.until } });
    await notifyChannel(context, channel, mutedMessage(mute, names));
  },
});
