/**
 * Saves the relay form: checks and joins the channel, then creates or changes the relay. A new webhook URL is shown
 * once, only in the modal of the person who created it.
 */

import type { z } from 'zod';
import type { Service } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import type { Relay } from '../../../relay/relays/types.js';
import { type ModalView, message } from '../../block-kit/elements.js';
import { bold, code, richText, textMessage } from '../../block-kit/text.js';
import { type Recorder, record } from '../../bolt/audit.js';
import { enterChannel } from '../../bolt/channels.js';
import { encode } from '../../bolt/metadata.js';
import { sharedView } from '../../bolt/problem/shared-channel.js';
import type { ActorContext, BaseContext, ViewContext } from '../../bolt/routing/context.js';
import { assertUnchanged, EditConflictError } from '../../forms/settings-form.js';
import { type RelayForm, relayFormModal, relayModal, relayOf, servicesOf, shownRelay } from '../load-views.js';
import { saved } from '../settings/flow.js';
import { serviceWithin } from '../setup/load-form.js';
import { sealWebhookPath } from '../setup/sealed-url.js';
import { anyService, anyServiceChoice, relaySharedMetadata, severalServices } from './relay-form.js';
import { type RelayUrlOptions, relayUrlView } from './url-view.js';

/** @param sharedIsFine whether the person accepted that another organization can read the posts */
export async function saveRelay(
  context: ViewContext,
  { chosen, relay, seen, sharedIsFine }: z.output<typeof relaySharedMetadata> & { readonly sharedIsFine: boolean },
): Promise<void> {
  const { client, modal, actor } = context;
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

  const enteredChannel = await enterChannel(client, chosen.channel, { sharedIsFine });
  if (!enteredChannel.ok && enteredChannel.shared) {
    const metadata = encode(relaySharedMetadata, { channel: actor.channelId, relay, seen, chosen });
    const warning = 'People there can read every scan that is posted: barcode, answers and names.';
    await modal.show(sharedView(chosen.channel, warning, { callback_id: 'relay.shared', private_metadata: metadata }));
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
    await redraw({ field: 'service', line: error.message }, {});
  }
}

type Fields = Pick<Relay, 'serviceIds' | 'serviceName' | 'channel' | 'notable'>;

async function createRelay(context: ViewContext, fields: Fields, service: Service | undefined): Promise<void> {
  const { deps, actor, modal } = context;
  const details = service && serviceWithin(context, service.id);
  const { relay, path } = await withAudit(context, 'relay/create', fields, () =>
    deps.relays.create({ ...fields, owner: actor.owner, createdBy: actor.userId }),
  );
  const wasShown = await modal.showOutcome(
    webhookUrlModal(context, { relay, path, service: (await details) ?? service, kind: 'new' }),
  );
  if (!wasShown) {
    await postUrlNotShown(context);
  }
}

/** Changes the relay, unless it was changed since the form's version. @throws EditConflictError */
async function change(context: ViewContext, id: string, fields: Fields, version: string | undefined): Promise<void> {
  await withAudit(context, 'relay/change', { relay: id, ...fields }, () =>
    context.deps.relays.update(context.actor.owner, id, (relay) => {
      assertUnchanged(shownRelay(relay), version);
      return fields;
    }),
  );
  await context.modal.show(await relayModal(context, id, { done: saved }));
}

/** Runs `saveChange` and writes its outcome to the audit log. `detail` never holds a secret. */
export async function withAudit<T>(
  context: Recorder,
  action: string,
  detail: Readonly<Record<string, unknown>>,
  saveChange: () => Promise<T>,
): Promise<T> {
  try {
    const done = await saveChange();
    const createdRelay = hasRelay(done) ? { relay: done.relay.id } : {};
    await record(context, { what: action, detail: { ...detail, ...createdRelay } });
    return done;
  } catch (error) {
    await record(context, { what: action, detail, outcome: codeOf(error) });
    throw error;
  }
}

function hasRelay(done: unknown): done is { readonly relay: Relay } {
  return typeof done === 'object' && done !== null && 'relay' in done;
}

/** The modal of a new webhook URL. `path`: the path of the URL, with its secret. */
export function webhookUrlModal(
  context: ActorContext,
  { path, ...shown }: Pick<RelayUrlOptions, 'relay' | 'service' | 'kind'> & { readonly path: string },
): ModalView {
  return relayUrlView({
    ...shown,
    url: new URL(path, context.deps.config.PUBLIC_URL).href,
    address: sealWebhookPath(context, shown.relay.id, path),
    channel: context.actor.channelId,
  });
}

/** Tells a person privately that a webhook URL was created but not shown. The message does not contain the URL. */
export async function postUrlNotShown(context: Pick<BaseContext, 'postPrivately'>): Promise<void> {
  const sentence = 'A webhook URL was created, but the dialog was closed before it could be shown.';
  await context.postPrivately(
    message(`${sentence} Create another one with /scandesk relay.`, [
      richText([bold(sentence), '\nOpen ', code('/scandesk relay'), ', select Manage, then New webhook URL.']),
    ]),
  );
}

async function postNotSaved(context: Pick<BaseContext, 'postPrivately'>, line: string): Promise<void> {
  await context.postPrivately(textMessage([bold('The relay was not saved.')], line));
}

function logCause({ deps, reference }: ViewContext, cause: unknown): void {
  if (cause !== undefined) {
    deps.log.warn({ err: cause, reference }, 'a channel could not be used for a relay');
  }
}
