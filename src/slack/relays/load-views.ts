/** Loads the relay modals: the list, one relay. Each modal is read fresh from the database. */
import { ownerNames } from '../../codereadr/names.js';
import type { NamedKind, NameOf } from '../../codereadr/types.js';
import { AccountError, type Service } from '../../codereadr/types.js';
import { RelayError } from '../../relay/index.js';
import type { RelayReport } from '../../relay/relays/status.js';
import type { Relay, RelayState } from '../../relay/relays/types.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { accountOf } from '../connection/account.js';
import { relayListView } from './list-view.js';
import { type RelayViewOptions, relayView } from './relay-view.js';

/** The list of relays. `done`: the notice of the last action. */
export async function relayListModal({ deps, actor }: ActorContext, page = 0, done?: string): Promise<ModalView> {
  return relayListView(await deps.relays.list(actor.owner), page, { done, channel: actor.channelId });
}

/** The relay with an id. @throws RelayError `relay.no_such_relay` */
export async function relayOf({ deps, actor }: ActorContext, id: string): Promise<RelayState> {
  const state = await deps.relays.get(actor.owner, id);
  if (!state) {
    throw new RelayError('relay.no_such_relay', 'this workspace has no such relay');
  }
  return state;
}

/**
 * The modal of one relay. `done` and `problem`: the outcome of the last action. `more`: rarely needed parts are shown.
 * @throws RelayError `relay.no_such_relay`
 */
export async function relayModal(
  context: ActorContext,
  id: string,
  notices: Pick<RelayViewOptions, 'done' | 'problem' | 'more'> = {},
): Promise<ModalView> {
  const state = await relayOf(context, id);
  const report = await context.deps.relayStatus.report(state.relay);
  const nameOf = await knownNames(context, state.relay, report);
  return relayView(state, report, { channel: context.actor.channelId, nameOf, ...notices });
}

/** The cached names of databases and devices: reading them makes no API call. */
function knownNames({ deps, actor }: ActorContext, { settings }: Relay, { wrongClocks }: RelayReport): Promise<NameOf> {
  const kinds: readonly NamedKind[] = [
    ...(settings.judging.kind === 'database' ? ['databases' as const] : []),
    ...(wrongClocks.length > 0 ? ['devices' as const] : []),
  ];
  return ownerNames(deps, actor.owner, (names) => names.cachedNames(kinds));
}

/**
 * The account's services; undefined if the account cannot list them now. The form then offers no single service.
 * @throws SlackError `slack.not_connected`
 */
export async function servicesOf({ deps, actor }: ActorContext): Promise<readonly Service[] | undefined> {
  const account = await accountOf(deps, actor.owner);
  try {
    return await account.names.services();
  } catch (error) {
    if (error instanceof AccountError) {
      deps.log.info({ code: error.code }, 'services could not be listed for a relay');
      return undefined;
    }
    throw error;
  }
}
