/** Click and submission handlers for the sender verification form. */
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '../../block-kit/elements.js';
import type { ActorContext, ViewHandler } from '../../bolt/routing/context.js';
import { formStateIn } from '../../forms/view-state.js';
import { relayOf } from '../load-views.js';
import { shownPart, versionOf } from './etag.js';
import { expands, pushing, rerendering, saveAndShow } from './flow.js';
import { settingMetadata } from './ids.js';
import type { Change } from './save.js';
import { readSecurity, securityDraft, securityView } from './security-form.js';

async function securityModal(
  context: ActorContext,
  relay: string,
  view?: ViewOutput,
  unfolded = false,
): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  const draft = securityDraft(settings, view && formStateIn(view));
  const more = unfolded || Object.keys(settings.names).length > 0;
  return securityView(draft, {
    more,
    metadata: settingMetadata.write({
      channel: context.actor.channelId,
      relay,
      ...(draft.isSet ? { kept: true } : {}),
      seen: view ? settingMetadata.read(view.private_metadata).seen : versionOf(shownPart.security(settings)),
    }),
  });
}

export const securityOpen = pushing('Security', (context, relay) => securityModal(context, relay));

export const securityRerender = rerendering((context, view) => {
  const { relay } = settingMetadata.read(view.private_metadata);
  return securityModal(context, relay, view, expands(context));
});

interface Sent {
  readonly relay: string;
  readonly change: Change;
  readonly seen: string | undefined;
}

export const securitySubmitted: ViewHandler<Sent> = {
  role: 'manager',

  fields({ view }) {
    const { relay, kept, seen } = settingMetadata.read(view.private_metadata);
    const read = readSecurity(formStateIn(view), kept === true);
    return 'errors' in read ? read : { close: 'this', input: { relay, seen, change: read.change } };
  },

  run: (context, { relay, change, seen: version }) =>
    saveAndShow(context, relay, 'relay/security', change, { part: shownPart.security, version }),
};
