/** Loads the service setup form: the service read fresh from the account, and earlier setups. */
import type { ViewOutput } from '@slack/bolt';
import { retrieveServices } from '../../../codereadr/operations/index.js';
import type { Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/index.js';
import { withTimeout } from '../../../timeout.js';
import type { ModalView } from '../../block-kit/elements.js';
import type { ViewNotice } from '../../block-kit/notice.js';
import { shortName } from '../../block-kit/short-text.js';
import { encode } from '../../bolt/metadata.js';
import type { ActorContext } from '../../bolt/routing/context.js';
import { accountSince, connectedSince } from '../../connection/account.js';
import { formStateIn } from '../../forms/view-state.js';
import { textHash } from '../../operations/metadata.js';
import { relayOf, servicesOf } from '../load-views.js';
import { setupDraft } from './form.js';
import { type ChosenService, type SetupMetadata, setupMetadata, setupView, validatesItself } from './form-view.js';
import { relayIn, shownAddress } from './urls.js';

export interface ServiceFormState extends Pick<ViewNotice, 'done' | 'problem'> {
  readonly relay: string;
  /** The sealed path of a new webhook URL. */
  readonly address?: string | undefined;
  /** The service, if it was already fetched. */
  readonly fresh?: Service;
  /** The form from which entered values are taken; none: the form opens on the relay's own service. */
  readonly view?: ViewOutput;
  /** Whether settings that have a default can be changed. */
  readonly open?: boolean;
}

/** The form's modal. @throws SlackError `slack.not_connected`, RelayError `relay.no_such_relay` */
export async function serviceFormModal(context: ActorContext, state: ServiceFormState): Promise<ModalView> {
  const { deps, actor } = context;
  const { relay } = await relayOf(context, state.relay);
  const connectedAt = await connectedSince(deps, actor.owner);
  const entered = state.view && formStateIn(deps.rerenders.remembered(state.view));
  const draft = setupDraft(relay, entered, state.open);
  const id = draft.id?.value ?? relay.serviceIds[0];
  const [choice, setUps] = await Promise.all([
    draft.mode !== 'direct' && id !== undefined ? chosenService(context, relay, id, state.fresh) : nothingChosen,
    deps.serviceSetups.list(actor.owner, relay.id),
  ]);
  return setupView({
    relay,
    draft,
    chosen: choice,
    setUps,
    metadata: encode(setupMetadata, {
      channel: actor.channelId,
      relay: relay.id,
      ...(state.address === undefined ? {} : { address: state.address }),
      ...(connectedAt === undefined ? {} : { since: connectedAt }),
      ...(choice.kind === 'known' ? { named: textHash(choice.service.postbackUrl ?? '') } : {}),
      ...(validatesItself(choice) && !draft.open ? { defaults: id } : {}),
    }),
    problem: state.problem,
    done: state.done,
  });
}

/** The form, redrawn with the entered values. Over a result modal, which has no fields, it opens as at first. */
export function serviceFormRerendered(
  context: ActorContext,
  { relay, address }: Pick<SetupMetadata, 'relay' | 'address'>,
  view: ViewOutput,
  fields: Pick<ServiceFormState, 'problem' | 'done' | 'open'> = {},
): Promise<ModalView> {
  return serviceFormModal(context, { relay, address, view, ...fields });
}

const nothingChosen: ChosenService = { kind: 'none' };
const timeoutMs = 2_000;

async function chosenService(
  context: ActorContext,
  relay: Relay,
  id: string,
  fresh: Service | undefined,
): Promise<ChosenService> {
  const service = fresh ?? (await serviceWithin(context, id));
  if (!service) {
    const listed = (await servicesOf(context))?.find((each) => each.id === id);
    return listed ? { kind: 'unknown', service: listed } : nothingChosen;
  }
  const { postbackUrl } = service;
  if (!postbackUrl) {
    return { kind: 'known', service, sends: 'nowhere' };
  }
  const to = relayIn(postbackUrl, context.deps.config.PUBLIC_URL);
  return to === relay.id
    ? { kind: 'known', service, sends: 'here' }
    : {
        kind: 'known',
        service,
        sends: 'elsewhere',
        to: (to && (await relayNamed(context, to))) ?? shownAddress(postbackUrl),
      };
}

/** A relay of this workspace in words, with its service's name; undefined if there is no relay with the id. */
async function relayNamed({ deps, actor }: ActorContext, id: string): Promise<string | undefined> {
  const found = await deps.relays.get(actor.owner, id);
  return found && `another relay in this workspace (${shortName(found.relay.serviceName)})`;
}

/**
 * The service as the account reports it now, with its postback URL. `connectedAt`: the connection the id belongs to.
 * @throws AccountError, SlackError `slack.other_account`
 */
export async function freshService(
  { deps, actor }: ActorContext,
  id: string,
  { signal, connectedAt }: { readonly signal?: AbortSignal; readonly connectedAt?: number | undefined } = {},
): Promise<Service | undefined> {
  const { client } = await accountSince(deps, actor.owner, connectedAt);
  const { services } = await client.call(retrieveServices, { service_id: [id] }, signal ? { signal } : {});
  return services.find((service) => service.id === id);
}

/** The service as the account reports it now; undefined if the account fails, or does not answer in time. */
export async function serviceWithin(context: ActorContext, id: string): Promise<Service | undefined> {
  const fetched = (signal: AbortSignal) => freshService(context, id, { signal }).catch(() => undefined);
  return withTimeout(context.deps.clock, timeoutMs, fetched, undefined);
}
