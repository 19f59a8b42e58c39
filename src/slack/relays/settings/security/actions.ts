/** Listeners of the sender verification form. */
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '../../../block-kit/elements.js';
import type { ActorContext } from '../../../bolt/routing/context.js';
import { modal } from '../../../bolt/routing/listeners.js';
import { formStateIn } from '../../../forms/view-state.js';
import { relayOf } from '../../load-views.js';
import { shownPart, versionOf } from '../etag.js';
import { expands, formRerender, pushedModal, saveAndShow } from '../flow.js';
import { readSecurity, securityDraft, securityMetadata, securityView } from './form.js';

interface RerenderedForm {
  readonly view: ViewOutput;
  readonly expanded: boolean;
  readonly seen: string | undefined;
}

async function securityModal(context: ActorContext, relay: string, redrawn?: RerenderedForm): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  const draft = securityDraft(settings, redrawn && formStateIn(redrawn.view));
  const metadata = {
    ...{ channel: context.actor.channelId, relay },
    ...(draft.isSet ? { kept: true } : {}),
    seen: redrawn ? redrawn.seen : versionOf(shownPart.security(settings)),
  };
  return securityView(draft, metadata, redrawn?.expanded || Object.keys(settings.names).length > 0);
}

export const securityOpen = pushedModal('Security', (context, relay) => securityModal(context, relay));

export const securityRerender = formRerender(securityMetadata, (context, { relay, seen }, view) =>
  securityModal(context, relay, { view, expanded: expands(context), seen }),
);

export const securitySubmitted = modal('relay.security', {
  role: 'manager',
  metadata: securityMetadata,

  fields({ view, metadata }) {
    const read = readSecurity(formStateIn(view), metadata.kept === true);
    return 'errors' in read ? read : { close: 'this', input: read.change };
  },

  run: async (context, change) => {
    const { relay, seen: version } = context.metadata;
    await saveAndShow(context, relay, 'relay/security', change, { part: shownPart.security, version });
  },
});
