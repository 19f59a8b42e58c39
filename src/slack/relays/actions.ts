/**
 * Handlers for the buttons in relay modals. Each makes one change, writes it to the audit log and rerenders the relay.
 */
import { countOf } from '../../english.js';
import type { ModalView } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { ActionContext, Handler } from '../bolt/routing/context.js';
import { modalOf, withOrigin } from '../bolt/routing/origin.js';
import { postUrlUnseen, serviceWithUrl, webhookUrlModal, withAudit } from './form/save.js';
import { relaysTitle } from './list-view.js';
import { relayFormModal, relayFormRerendered, relayListModal, relayModal, relayOf, servicesOf } from './load-views.js';
import { relayButtonMetadata, relayPageMetadata } from './metadata.js';
import { relayTitle } from './relay-view.js';
import { rerendering } from './settings/flow.js';

const carried = ({ action }: ActionContext) => ('value' in action ? action.value : undefined);

/** A click in a relay's modal rerenders that modal. */
function showing(
  title: string,
  make: (context: ActionContext) => Promise<ModalView>,
  isOutcome = false,
): Handler<ActionContext> {
  return {
    role: 'manager',
    modalTitle: title,
    run: async (context) => {
      await modalOf(context).fill(title, () => make(withOrigin(context)), { isOutcome });
    },
  };
}

/** `work` resolves to the notice to show. */
function doing(
  what: string,
  work: (context: ActionContext, relay: string, secret: string | undefined) => Promise<string>,
): Handler<ActionContext> {
  const make = async (context: ActionContext) => {
    const { relay, secret } = relayButtonMetadata.read(carried(context));
    const detail = { relay, ...(secret === undefined ? {} : { address: secret }) };
    const done = await withAudit(context, what, detail, () => work(context, relay, secret));
    return relayModal(context, relay, { done });
  };
  return showing(relayTitle, make, true);
}

export const relayList = showing(relaysTitle, (context) => relayListModal(context));

export const relayPage = showing(relaysTitle, (context) => {
  return relayListModal(context, relayPageMetadata.read(carried(context)).page);
});

export const relayManage = showing(relayTitle, (context) => {
  return relayModal(context, relayButtonMetadata.read(carried(context)).relay);
});

export const relayNew = showing('New relay', (context) => relayFormModal(context, {}));

export const relayChange = showing('Edit relay', (context) => {
  return relayFormModal(context, { relay: relayButtonMetadata.read(carried(context)).relay });
});

/** Each choice in the form refreshes its preview. */
export const relayFormRerender = rerendering(relayFormRerendered);

export const relayPause = doing('relay/pause', async ({ deps, actor }, relay) => {
  await deps.relays.pause(actor.owner, relay);
  return 'Paused. Scans are still received; posts wait until you resume.';
});

export const relayResume = doing('relay/resume', async ({ deps, actor }, relay) => {
  await deps.relays.resume(actor.owner, relay);
  return 'Resumed. Waiting posts are being delivered.';
});

export const relayReplay = doing('relay/replay', async ({ deps, actor }, relay) => {
  const count = await deps.relays.replay(actor.owner, relay);
  return count === 0 ? 'There is nothing left to retry.' : `Retrying ${countOf(count, 'post')}.`;
});

export const relayRevokeSecret = doing('relay/end_address', async ({ deps, actor }, relay, secret) => {
  if (secret === undefined) {
    throw new SlackError('slack.state', `button without a webhook URL: relay ${relay}`);
  }
  await deps.relays.revokeSecret(actor.owner, relay, secret);
  return 'Webhook URL revoked. Scans sent to it are refused.';
});

const removed = async (context: ActionContext) => {
  const { deps, actor } = context;
  const { relay } = relayButtonMetadata.read(carried(context));
  await withAudit(context, 'relay/remove', { relay }, () => deps.relays.remove(actor.owner, relay));
  return relayListModal(context, 0, 'Relay deleted. Scans sent to its webhook URL are refused.');
};
export const relayRemove = showing(relaysTitle, removed, true);

export const relayRotate: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: relayTitle,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay: id } = relayButtonMetadata.read(carried(context));
    const make = async () => {
      const [{ relay }, services] = await Promise.all([
        relayOf(context, id),
        servicesOf(context).catch(() => undefined),
      ]);
      const known = services?.find((service) => service.id === relay.serviceIds[0]);
      const service = known && (await serviceWithUrl(context, known));
      const { path } = await withAudit(context, 'relay/new_address', { relay: id }, () =>
        context.deps.relays.addSecret(context.actor.owner, id),
      );
      return webhookUrlModal(context, { relay, path, service, kind: 'another' });
    };
    const shown = await modalOf(context).fill('New webhook URL', make, { isOutcome: true });
    if (!shown) {
      await postUrlUnseen(context);
    }
  },
};
