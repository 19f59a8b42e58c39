/** The listeners of relay modals. A button opens a modal, or makes one audited change and then shows its outcome. */
import type { z } from 'zod';
import { countOf } from '../../english.js';
import type { ModalView } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action, type Listener, opener } from '../bolt/routing/listeners.js';
import { postUrlNotShown, webhookUrlModal, withAudit } from './form/save.js';
import { relayWindow } from './form/window.js';
import { relayPageData, relaysTitle } from './list-view.js';
import { relayListModal, relayModal, relayOf, servicesOf } from './load-views.js';
import { relayButton, relayTitle } from './relay-view.js';
import { serviceWithin } from './setup/load-form.js';

type RelayClick = ActionContext<z.output<typeof relayButton>>;

const relaySpec = { role: 'manager', data: relayButton, modalTitle: relayTitle } as const;

/** The listener of a button that changes a relay; `work` resolves to the notice to show. */
function relayChangeButton(
  id: string,
  section: string,
  work: (context: ActionContext, relayId: string, secretId: string | undefined) => Promise<string>,
): Listener {
  return opener(id, {
    ...relaySpec,
    isOutcome: true,
    async view(context) {
      const { relay, secret } = context.data;
      const detail = { relay, ...(secret === undefined ? {} : { address: secret }) };
      const done = await withAudit(context, section, detail, () => work(context, relay, secret));
      return relayModal(context, relay, { done });
    },
  });
}

/** How long *Try again* waits for the outcome. */
const outcomeWaitMs = 2_000;
const pollMs = 200;

async function retryBlockedChannels(context: RelayClick): Promise<ModalView> {
  const { deps, actor, data } = context;
  const { relay } = data;
  await withAudit(context, 'relay/try_again', { relay }, () => deps.relays.retryBlocked(actor.owner, relay));
  const tryUntil = deps.clock.now() + outcomeWaitMs;
  for (;;) {
    const { blocked } = await relayOf(context, relay);
    if (blocked.length === 0) {
      return relayModal(context, relay, { done: 'Scandesk can post there again. Waiting posts are being delivered.' });
    }
    if (blocked.every(({ retryAt }) => retryAt > deps.clock.now())) {
      return relayModal(context, relay, { problem: 'Still blocked. See below why, and what to do.' });
    }
    if (deps.clock.now() >= tryUntil) {
      return relayModal(context, relay, { done: 'Trying again. Open this relay again in a moment for the outcome.' });
    }
    await deps.clock.sleep(pollMs);
  }
}

async function removeRelay(context: RelayClick): Promise<ModalView> {
  const { deps, actor, data } = context;
  await withAudit(context, 'relay/remove', { relay: data.relay }, () => deps.relays.remove(actor.owner, data.relay));
  return relayListModal(context, 0, 'Relay deleted. Scans sent to its webhook URL are refused.');
}

const rotate = action('relay.rotate', {
  role: 'manager',
  data: relayButton,
  modalTitle: relayTitle,
  run: async (context) => {
    const { relay: id } = context.data;
    const addUrl = async () => {
      const [{ relay }, services] = await Promise.all([
        relayOf(context, id),
        servicesOf(context).catch(() => undefined),
      ]);
      const firstService = services?.find((service) => service.id === relay.serviceIds[0]);
      const service = firstService && ((await serviceWithin(context, firstService.id)) ?? firstService);
      const { path } = await withAudit(context, 'relay/new_address', { relay: id }, () =>
        context.deps.relays.addSecret(context.actor.owner, id),
      );
      return webhookUrlModal(context, { relay, path, service, kind: 'another' });
    };
    const wasShown = await context.modal.fill('New webhook URL', addUrl, { isOutcome: true });
    if (!wasShown) {
      await postUrlNotShown(context);
    }
  },
});

export const relayActions: readonly Listener[] = [
  opener('relay.list', { role: 'manager', modalTitle: relaysTitle, view: (context) => relayListModal(context) }),
  opener(['relay.before', 'relay.after'], {
    role: 'manager',
    data: relayPageData,
    modalTitle: relaysTitle,
    view: (context) => relayListModal(context, context.data.page),
  }),
  opener('relay.manage', { ...relaySpec, view: (context) => relayModal(context, context.data.relay) }),
  opener('relay.view.more', { ...relaySpec, view: (click) => relayModal(click, click.data.relay, { more: true }) }),
  opener('relay.new', { role: 'manager', modalTitle: 'New relay', view: (context) => relayWindow.open(context, {}) }),
  opener('relay.change', {
    ...relaySpec,
    modalTitle: 'Edit relay',
    view: (context) => relayWindow.open(context, { relay: context.data.relay }),
  }),
  relayChangeButton('relay.pause', 'relay/pause', async ({ deps, actor }, relayId) => {
    await deps.relays.pause(actor.owner, relayId);
    return 'Paused. Scans are still received; posts wait until you resume.';
  }),
  relayChangeButton('relay.resume', 'relay/resume', async ({ deps, actor }, relayId) => {
    await deps.relays.resume(actor.owner, relayId);
    return 'Resumed. Waiting posts are being delivered.';
  }),
  opener('relay.try_again', { ...relaySpec, isOutcome: true, view: retryBlockedChannels }),
  relayChangeButton('relay.replay', 'relay/replay', async ({ deps, actor }, relayId) => {
    const count = await deps.relays.replay(actor.owner, relayId);
    return count === 0 ? 'There is nothing left to retry.' : `Retrying ${countOf(count, 'post')}.`;
  }),
  relayChangeButton('relay.end_secret', 'relay/end_address', async ({ deps, actor }, relayId, secretId) => {
    if (secretId === undefined) {
      throw new SlackError('slack.state', `button without a webhook URL: relay ${relayId}`);
    }
    await deps.relays.revokeSecret(actor.owner, relayId, secretId);
    return 'Webhook URL revoked. Scans sent to it are refused.';
  }),
  opener('relay.remove', { ...relaySpec, modalTitle: relaysTitle, isOutcome: true, view: removeRelay }),
  rotate,
];
