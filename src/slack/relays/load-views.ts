/** Loads the relay modals: the list, one relay, the form. Each modal is read fresh from the database. */
import type { ViewOutput } from '@slack/bolt';
import type { z } from 'zod';
import { ownerNames } from '../../codereadr/names.js';
import type { NamedKind, NameOf } from '../../codereadr/types.js';
import { AccountError, type Service } from '../../codereadr/types.js';
import { RelayError } from '../../relay/index.js';
import type { RelayReport } from '../../relay/relays/status.js';
import type { Relay, RelayState } from '../../relay/relays/types.js';
import type { ModalView } from '../block-kit/elements.js';
import { isChannel } from '../bolt/channels.js';
import { encode } from '../bolt/metadata.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { accountOf } from '../connection/account.js';
import { versionOf } from '../forms/settings-form.js';
import { type FormState, formStateIn } from '../forms/view-state.js';
import { previewOfChange, previewOfNew } from './form/preview.js';
import {
  anyService,
  type RelayChoice,
  type RelayFormOptions,
  relayForm,
  relayFormMetadata,
  relayFormView,
  severalServices,
} from './form/relay-form.js';
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
  const { deps, actor } = context;
  return relayView(state, report, { channel: actor.channelId, now: deps.clock.now(), nameOf, ...notices });
}

/** The cached names of databases and devices: reading them makes no API call. */
function knownNames({ deps, actor }: ActorContext, { settings }: Relay, { wrongClocks }: RelayReport): Promise<NameOf> {
  const kinds: readonly NamedKind[] = [
    ...(settings.judging.kind === 'database' ? ['databases' as const] : []),
    ...(wrongClocks.length > 0 ? ['devices' as const] : []),
  ];
  return ownerNames(deps, actor.owner, (names) => names.cachedNames(kinds));
}

export interface RelayForm {
  /** The relay being changed; none for a new one. */
  readonly relay?: string | undefined;
  /** The entered values of the form. */
  readonly state?: FormState;
  readonly chosen?: RelayChoice;
  readonly problem?: RelayFormOptions['problem'];
  /** The version that the form was opened on; defaults to the current one. */
  readonly seen?: string | undefined;
}

/** The relay form. @throws SlackError `slack.not_connected`, RelayError `relay.no_such_relay` */
export async function relayFormModal(context: ActorContext, form: RelayForm): Promise<ModalView> {
  const { actor } = context;
  const [services, state] = await Promise.all([
    servicesOf(context),
    form.relay === undefined ? undefined : relayOf(context, form.relay),
  ]);
  const initialDraft = relayForm.draft(state ? choiceOf(state) : newChoice(actor, services));
  const draft = form.state ? relayForm.entered(form.state, initialDraft) : (form.chosen ?? initialDraft);
  const hasRules = state !== undefined && state.relay.settings.rules.length > 0;
  return relayFormView({
    services,
    relay: state?.relay,
    metadata: encode(relayFormMetadata, {
      channel: actor.channelId,
      relay: form.relay,
      ...(state ? { seen: form.seen ?? versionOf(shownRelay(state.relay)) } : {}),
      ...(hasRules ? { notable: state.relay.notable } : {}),
    }),
    draft,
    problem: form.problem,
    preview: await (state ? previewOfChange(context, state.relay, draft) : previewOfNew(context, draft, services)),
  });
}

/** The relay form, redrawn with the entered values. */
export function relayFormRerendered(
  context: ActorContext,
  { relay, seen }: z.output<typeof relayFormMetadata>,
  view: ViewOutput,
): Promise<ModalView> {
  return relayFormModal(context, { relay, seen, state: formStateIn(view) });
}

/** What the form of a relay overwrites. */
export function shownRelay({ serviceIds, channel, notable }: Relay): unknown {
  return [serviceIds, channel, notable];
}

function choiceOf({ relay }: RelayState): RelayChoice {
  const [first = anyService, ...more] = relay.serviceIds;
  return { service: more.length > 0 ? severalServices : first, channel: relay.channel, notable: relay.notable };
}

/** The initial values for a new relay. */
function newChoice(
  { channelId }: ActorContext['actor'],
  services: readonly Service[] | undefined,
): Partial<RelayChoice> {
  const onlyService = services === undefined || services.length === 0 ? { service: anyService } : {};
  // A relay cannot post in a direct message: a form opened in one starts without a channel.
  return { ...onlyService, ...(isChannel(channelId) ? { channel: channelId } : {}) };
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
