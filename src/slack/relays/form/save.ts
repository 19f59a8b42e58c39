/**
 * Saves the relay form: checks and joins the channel, then creates or changes the relay. A new webhook URL is shown
 * once, only in the modal of the person who created it.
 */
import { retrieveServices } from '../../../codereadr/operations/index.js';
import type { Service } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import type { Relay } from '../../../relay/relays/types.js';
import { withTimeout } from '../../../timeout.js';
import { type ModalView, message } from '../../block-kit/elements.js';
import { bold, code, richText, textElement } from '../../block-kit/text.js';
import { type Recorder, record } from '../../bolt/audit.js';
import { enterChannel } from '../../bolt/channels.js';
import { encode, longest } from '../../bolt/metadata.js';
import type { ActorContext, BaseContext, ViewContext } from '../../bolt/routing/context.js';
import { accountOf } from '../../connection/account.js';
import { type RelayForm, relayFormModal, relayModal, relayOf, servicesOf } from '../load-views.js';
import { relayButton, relayMetadata } from '../relay-view.js';
import { assertUnchanged, EditConflictError, notSavedCanRetry, shownPart } from '../settings/etag.js';
import { saved } from '../settings/flow.js';
import { sealAddress } from '../setup/sealed-url.js';
import {
  anyService,
  anyServiceChoice,
  type RelayChoice,
  relaySharedMetadata,
  relaySharedView,
  severalServices,
} from './relay-form.js';
import { relayUrlView, setUpButton } from './url-view.js';

export interface RelaySubmission {
  readonly chosen: RelayChoice;
  /** The relay being changed; none for a new one. */
  readonly relay?: string | undefined;
  /** The version that the form was opened on. */
  readonly seen?: string | undefined;
  /** Whether the person accepted that another organization can read the posts. */
  readonly sharedIsFine: boolean;
}

export async function saveRelay(context: ViewContext, submission: RelaySubmission): Promise<void> {
  const { client, modal, actor } = context;
  const { chosen, relay, seen } = submission;
  const redraw = async (problem: NonNullable<RelayForm['problem']>, on: Pick<RelayForm, 'seen'> = { seen }) => {
    if (!(await modal.show(await relayFormModal(context, { relay, chosen, problem, ...on })))) {
      await postNotSaved(context, problem.line);
    }
  };

  const services = await servicesOf(context);
  const service = services?.find((each) => each.id === chosen.service);
  const relayBefore = relay === undefined ? undefined : (await relayOf(context, relay)).relay;
  const staysSeveral = relayBefore !== undefined && chosen.service === severalServices;
  if (chosen.service !== anyService && !service && !staysSeveral) {
    const line = services
      ? 'This service is no longer in the account. Choose another one.'
      : 'The account’s services could not be listed. Choose “Any service”, or try again in a minute.';
    return redraw({ field: 'service', line });
  }

  const enteredChannel = await enterChannel(client, chosen.channel, { sharedIsFine: submission.sharedIsFine });
  if (!enteredChannel.ok && enteredChannel.shared) {
    const metadata = encode(relaySharedMetadata, { channel: actor.channelId, relay, seen, chosen });
    await modal.show(relaySharedView(chosen.channel, metadata));
    return;
  }
  if (!enteredChannel.ok) {
    logCause(context, enteredChannel.cause);
    return redraw({ field: 'channel', line: enteredChannel.line });
  }

  const fields = {
    ...(staysSeveral
      ? { serviceIds: relayBefore.serviceIds, serviceName: relayBefore.serviceName }
      : { serviceIds: service ? [service.id] : [], serviceName: service ? service.name : anyServiceChoice[1] }),
    channel: chosen.channel,
    notable: chosen.notable,
  };
  if (relay === undefined) {
    return createRelay(context, fields, service);
  }
  try {
    await change(context, relay, fields, seen);
  } catch (error) {
    if (!(error instanceof EditConflictError)) {
      throw error;
    }
    await redraw({ field: 'service', line: notSavedCanRetry(error) }, {});
  }
}

type Fields = Pick<Relay, 'serviceIds' | 'serviceName' | 'channel' | 'notable'>;

async function createRelay(context: ViewContext, fields: Fields, service: Service | undefined): Promise<void> {
  const { deps, actor, modal } = context;
  const details = service && serviceWithUrl(context, service);
  const { relay, path } = await withAudit(context, 'relay/create', fields, () =>
    deps.relays.create({ ...fields, owner: actor.owner, createdBy: actor.userId }),
  );
  const wasShown = await modal.showOutcome(
    webhookUrlModal(context, { relay, path, service: await details, kind: 'new' }),
  );
  if (!wasShown) {
    await postUrlUnseen(context);
  }
}

/** Changes the relay. @throws EditConflictError */
async function change(context: ViewContext, id: string, fields: Fields, version: string | undefined): Promise<void> {
  await withAudit(context, 'relay/change', { relay: id, ...fields }, () =>
    context.deps.relays.update(context.actor.owner, id, (relay) => {
      assertUnchanged(shownPart.relay(relay), version);
      return fields;
    }),
  );
  await context.modal.show(await relayModal(context, id, { done: saved }));
}

/** Runs the work and audits its outcome. `detail`: never a secret. */
export async function withAudit<T>(
  context: Recorder,
  action: string,
  detail: Readonly<Record<string, unknown>>,
  saveChange: () => Promise<T>,
): Promise<T> {
  try {
    const done = await saveChange();
    const made = isMade(done) ? { relay: done.relay.id } : {};
    await record(context, { what: action, detail: { ...detail, ...made } });
    return done;
  } catch (error) {
    await record(context, { what: action, detail, outcome: codeOf(error) });
    throw error;
  }
}

function isMade(done: unknown): done is { readonly relay: Relay } {
  return typeof done === 'object' && done !== null && 'relay' in done;
}

export interface WebhookUrl {
  readonly relay: Relay;
  /** The path of the new webhook URL, which includes the secret. */
  readonly path: string;
  readonly service?: Service | undefined;
  readonly kind: 'new' | 'another';
}

export function webhookUrlModal(context: ActorContext, { relay, path, service, kind }: WebhookUrl): ModalView {
  const { deps, actor } = context;
  return relayUrlView({
    relay,
    url: new URL(path, deps.config.PUBLIC_URL).href,
    service,
    kind,
    manageValue: encode(relayButton, { relay: relay.id }, longest.button),
    setUpValue: encode(setUpButton, { relay: relay.id, address: sealAddress(context, relay.id, path) }, longest.button),
    metadata: encode(relayMetadata, { channel: actor.channelId }),
  });
}

/** The message for a URL that the person did not see: it is never posted, as everyone in a channel could read it. */
export async function postUrlUnseen(context: Pick<BaseContext, 'postPrivately'>): Promise<void> {
  const sentence = 'A webhook URL was created, but the dialog was closed before it could be shown.';
  await context.postPrivately(
    message(`${sentence} Create another one with /scandesk relay.`, [
      richText([
        bold(sentence),
        textElement('\nOpen '),
        code('/scandesk relay'),
        textElement(', select Manage, then New webhook URL.'),
      ]),
    ]),
  );
}

async function postNotSaved(context: Pick<BaseContext, 'postPrivately'>, line: string): Promise<void> {
  const sentence = 'The relay was not saved.';
  await context.postPrivately(message(`${sentence} ${line}`, [richText([bold(sentence), textElement(`\n${line}`)])]));
}

const timeoutMs = 2_000;

/** The service with its current postback URL, which is stored nowhere; without the URL if the account is slow. */
export async function serviceWithUrl(context: ActorContext, service: Service): Promise<Service> {
  const { deps, actor } = context;
  const current = (signal: AbortSignal) =>
    accountOf(deps, actor.owner)
      .then(({ client }) => client.call(retrieveServices, { service_id: [service.id] }, { signal }))
      .then(({ services }) => services.find((each) => each.id === service.id) ?? service)
      .catch(() => service);
  return withTimeout(deps.clock, timeoutMs, current, service);
}

function logCause({ deps, reference }: ViewContext, cause: unknown): void {
  if (cause !== undefined) {
    deps.log.warn({ err: cause, reference }, 'a channel could not be used for a relay');
  }
}
