/** Loads the service setup form: the service read fresh from the account, and earlier setups. */
import type { ViewOutput } from '@slack/bolt';
import { retrieveServices } from '../../../codereadr/operations/index.js';
import type { Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/index.js';
import type { ModalView } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import type { BaseContext } from '../../bolt/routing/context.js';
import { accountSince, connectedSince } from '../../connection/version.js';
import { formStateIn } from '../../forms/view-state.js';
import { markOf } from '../../operations/metadata.js';
import { relayOf, servicesOf } from '../load-views.js';
import { type Chosen, chosenOf } from './chosen-service.js';
import { serviceFormView } from './form.js';
import { serviceMetadata, setUpMetadata } from './ids.js';
import { type ServiceDraft, serviceDraft } from './read-form.js';
import { relayIn } from './urls.js';

type Asking = Pick<BaseContext, 'deps' | 'actor'>;

export interface ServiceFormAsked {
  readonly relay: string;
  /** Sealed. */
  readonly address?: string | undefined;
  readonly mode?: ServiceDraft['mode'];
  /** The chosen service; none: the relay's own. */
  readonly serviceId?: string | undefined;
  /** The service, if it was already fetched. */
  readonly fresh?: Service;
  /** What was entered. */
  readonly wanted?: ServiceDraft;
  readonly problem?: string;
  readonly done?: string;
}

/** @throws SlackError `slack.not_connected`, RelayError `relay.no_such_relay` */
export async function serviceFormModal(context: Asking, asked: ServiceFormAsked): Promise<ModalView> {
  const { deps, actor } = context;
  const { relay } = await relayOf(context, asked.relay);
  const since = await connectedSince(deps, actor.owner);
  const id = asked.serviceId ?? relay.serviceIds[0];
  const mode = asked.mode ?? 'there';
  const [chosen, setUps] = await Promise.all([
    mode === 'there' && id !== undefined ? chosenService(context, relay, id, asked.fresh) : nothingChosen,
    deps.serviceSetups.list(actor.owner, relay.id),
  ]);
  return serviceFormView({
    relay,
    mode,
    chosen,
    name: `${shortName(relay.serviceName, 80)} (direct)`,
    setUps,
    setUpValue: (setUp) => setUpMetadata.write({ relay: relay.id, id: setUp }),
    metadata: serviceMetadata.write({
      channel: actor.channelId,
      relay: relay.id,
      ...(asked.address === undefined ? {} : { address: asked.address }),
      ...(since === undefined ? {} : { since }),
      ...(chosen.kind === 'known' ? { named: markOf(chosen.service.postbackUrl ?? '') } : {}),
    }),
    problem: asked.problem,
    done: asked.done,
    wanted: asked.wanted,
  });
}

/** The form redrawn with what was entered; a result modal has no fields. */
export function serviceFormRerendered(
  context: Asking,
  view: ViewOutput,
  told: Pick<ServiceFormAsked, 'problem' | 'done'> = {},
): Promise<ModalView> {
  const { relay, address } = serviceMetadata.read(view.private_metadata);
  const wanted = serviceDraft(formStateIn(view));
  const { mode, serviceId } = wanted;
  return serviceFormModal(context, { relay, address, mode, serviceId, wanted, ...told });
}

const nothingChosen: Chosen = { kind: 'none' };
const patienceMs = 2_000;

async function chosenService(context: Asking, relay: Relay, id: string, fresh: Service | undefined): Promise<Chosen> {
  const service = fresh ?? (await serviceWithin(context, id, patienceMs));
  if (service) {
    const here = relayIn(service.postbackUrl ?? '', context.deps.config.PUBLIC_URL);
    return chosenOf(service, true, here === relay.id, here === undefined ? undefined : await relayNamed(context, here));
  }
  const known = (await servicesOf(context))?.find((each) => each.id === id);
  return known ? chosenOf(known, false, false) : nothingChosen;
}

/** The name of another relay of this workspace; undefined if there is none. */
async function relayNamed({ deps, actor }: Asking, id: string): Promise<string | undefined> {
  const state = await deps.relays.get(actor.owner, id);
  return state && `another relay in this workspace (${shortName(state.relay.serviceName)})`;
}

/**
 * The service with its postback URL, which is stored nowhere. `connectedAt`: the connection that the id belongs to.
 * @throws AccountError, SlackError `slack.other_account`
 */
export async function freshService(
  { deps, actor }: Asking,
  id: string,
  { signal, connectedAt }: { readonly signal?: AbortSignal; readonly connectedAt?: number | undefined } = {},
): Promise<Service | undefined> {
  const { client } = await accountSince(deps, actor.owner, connectedAt);
  const { services } = await client.call(retrieveServices, { service_id: [id] }, signal ? { signal } : {});
  return services.find((service) => service.id === id);
}

/** Undefined if the account does not answer in time. */
async function serviceWithin(context: Asking, id: string, ms: number): Promise<Service | undefined> {
  const stop = new AbortController();
  const late = new AbortController();
  const asked = freshService(context, id, { signal: late.signal }).catch(() => undefined);
  const waited = context.deps.clock.sleep(ms, stop.signal).then(
    () => undefined,
    () => undefined,
  );
  return Promise.race([asked, waited]).finally(() => {
    stop.abort();
    late.abort();
  });
}
