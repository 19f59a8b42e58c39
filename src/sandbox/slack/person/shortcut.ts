/** Global and message shortcuts, and opening App Home. */

import { withTimeout } from '../../../timeout.js';
import type { ActionResult, ShortcutRequest, ShownView } from '../api.js';
import type { Core } from '../core.js';
import { messageAsSlack } from '../messages.js';
import { isOutsider } from '../people.js';
import { SandboxRefusal } from '../refusal.js';
import { viewAsSlack, viewShown } from '../views.js';
import { type Actor, joinedChannel, seenMessage } from './who.js';

export async function useShortcut(
  core: Core,
  actor: Actor,
  request: Omit<ShortcutRequest, 'as'>,
): Promise<ActionResult> {
  const type = request.message_ts === undefined ? 'global' : 'message';
  const shortcut = core.manifest.features.shortcuts?.find(
    (one) => one.callback_id === request.callback_id && one.type === type,
  );
  if (!shortcut || !core.world.installOf(actor.team.id) || isOutsider(actor.person)) {
    throw new SandboxRefusal(404, 'unknown_shortcut', `the app has no ${type} shortcut ${request.callback_id}`);
  }
  const place = { team: actor.team.id, user: actor.person.id };
  const stamp = core.world.stamp();
  if (request.message_ts === undefined) {
    const sent = await core.outbound.interaction(actor.team, actor.person, {
      type: 'shortcut',
      action_ts: stamp,
      callback_id: request.callback_id,
      trigger_id: core.triggers.make({
        ...place,
        ...(request.channel === undefined ? {} : { channel: request.channel }),
      }),
    });
    return sent.ok ? { ok: true } : { ok: false, error: sent.error };
  }
  const channel = joinedChannel(core, actor, request.channel ?? '');
  const message = seenMessage(core, actor, channel.id, request.message_ts);
  if (message.ephemeral_for !== undefined) {
    throw new SandboxRefusal(400, 'not_on_ephemeral', 'an ephemeral message has no menu');
  }
  const thread = message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts };
  const path = core.responseUrls.make({
    ...place,
    channel: channel.id,
    kind: 'shortcut',
    message: { ts: message.ts, ...thread },
  });
  const response = await core.outbound.interaction(actor.team, actor.person, {
    type: 'message_action',
    action_ts: stamp,
    callback_id: request.callback_id,
    trigger_id: core.triggers.make({ ...place, channel: channel.id }),
    channel: {
      id: channel.id,
      name: channel.is_im ? 'directmessage' : channel.is_private ? 'privategroup' : channel.name,
    },
    message_ts: message.ts,
    message: messageAsSlack(core, message),
    response_url: `${core.origin()}${path}`,
  });
  return response.ok ? { ok: true } : { ok: false, error: response.error };
}

/** Opens a tab of the app: sends app_home_opened, and waits for the acknowledgement no longer than Slack does. */
export async function openHome(core: Core, actor: Actor, tab: 'home' | 'messages'): Promise<ShownView | null> {
  const hasTab = tab === 'messages' || core.manifest.features.app_home?.home_tab_enabled === true;
  if (!hasTab || !core.world.installOf(actor.team.id)) {
    throw new SandboxRefusal(404, 'no_home', 'the app has no home');
  }
  const homeBefore = core.views.home(actor.person.id);
  const event = core.outbound.event(actor.team, {
    type: 'app_home_opened',
    user: actor.person.id,
    channel: core.world.directChannel(actor.team, actor.person.id).id,
    tab,
    event_ts: core.world.stamp(),
    ...(homeBefore && tab === 'home' ? { view: viewAsSlack(homeBefore, actor.team, core) } : {}),
  });
  await withTimeout(core.clock, core.rules.acknowledgeMs, () => event.then(() => undefined), undefined);
  const home = core.views.home(actor.person.id);
  return home ? viewShown(home) : null;
}
