/** Loads a relay's list of rules, with a preview of the posts that the rules would have made. */
import type { ModalView } from '../../../block-kit/elements.js';
import type { ViewNotice } from '../../../block-kit/notice.js';
import type { ActorContext } from '../../../bolt/routing/context.js';
import { cachedRuleNames } from '../../../connection/cached-names.js';
import { relayOf } from '../../load-views.js';
import { previewedPosts } from '../../preview.js';
import { rulesView } from './rules-view.js';

/** The modal of a relay's rules. @throws RelayError `relay.no_such_relay` */
export async function rulesModal(
  context: ActorContext,
  id: string,
  { page = 0, ...notice }: ViewNotice & { readonly page?: number | undefined } = {},
): Promise<ModalView> {
  const { deps, actor } = context;
  const { relay } = await relayOf(context, id);
  const [nameOf, preview] = await Promise.all([
    cachedRuleNames({ deps, actor }, relay.settings.rules),
    previewedPosts(context, relay, relay.settings),
  ]);
  return rulesView(relay, { channel: actor.channelId, page, preview, nameOf, ...notice });
}
