/** Loads a relay's list of rules, with a preview of the posts that these would have made. */
import type { ModalView } from '../../../block-kit/elements.js';
import { encode } from '../../../bolt/metadata.js';
import type { ActorContext } from '../../../bolt/routing/context.js';
import { cachedRuleNames } from '../../../connection/cached-names.js';
import { relayOf } from '../../load-views.js';
import { rulesMetadata, rulesView } from './rules-view.js';

export interface RulesModalState {
  readonly page?: number | undefined;
  readonly done?: string;
  readonly problem?: string;
}

/** The modal of a relay's rules. @throws RelayError `relay.no_such_relay` */
export async function rulesModal(
  { deps, actor }: ActorContext,
  id: string,
  state: RulesModalState = {},
): Promise<ModalView> {
  const { relay } = await relayOf({ deps, actor }, id);
  const { page = 0, done, problem } = state;
  const [nameOf, preview] = await Promise.all([
    cachedRuleNames({ deps, actor }, relay.settings.rules),
    deps.relayStatus.preview(relay, relay.settings),
  ]);
  return rulesView(relay, {
    metadata: encode(rulesMetadata, { channel: actor.channelId, relay: id, page }),
    page,
    preview,
    nameOf,
    done,
    problem,
  });
}
