/**
 * Saves the relay form: checks and joins the channel, then creates or changes the relay. A new webhook URL is shown
 * once, only in the modal of the person who created it.
 */

import type { z } from 'zod';
import type { Service } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import type { Relay } from '../../../relay/relays/types.js';
import { type ModalView, message } from '../../block-kit/elements.js';
import { bold, code, richText } from '../../block-kit/text.js';
import { type Recorder, record } from '../../bolt/audit.js';
import type { ActorContext, BaseContext, ViewContext } from '../../bolt/routing/context.js';
import { enterFormChannel } from '../../forms/form-channel.js';
import { assertUnchanged, FormProblem, type Outcome } from '../../forms/settings-form.js';
import { relayModal, relayOf, servicesOf } from '../load-views.js';
import { saved } from '../settings/flow.js';
import { serviceWithin } from '../setup/load-form.js';
import { sealWebhookPath } from '../setup/sealed-url.js';
import {
  anyService,
  anyServiceChoice,
  type RelayChoice,
  type relayFormMetadata,
  severalServices,
} from './relay-form.js';
import { type RelayUrlOptions, relayUrlView } from './url-view.js';

/** Undefined: the outcome is shown. @throws FormProblem */
export async function saveRelay(
  context: ViewContext<z.output<typeof relayFormMetadata>>,
  { service: chosen, channel, notable, isAgreed }: RelayChoice & { readonly isAgreed: boolean },
): Promise<Outcome | undefined> {
  const { deps, actor, metadata } = context;
  const services = await servicesOf(context);
  const service = services?.find(({ id }) => id === chosen);
  const before = metadata.relay === undefined ? undefined : (await relayOf(context, metadata.relay)).relay;
  const several = chosen === severalServices ? before : undefined;
  if (chosen !== anyService && !service && !several) {
    throw new FormProblem(
      services
        ? 'This service is no longer in the account. Choose another one.'
        : 'The account’s services could not be listed. Choose “Any service”, or try again in a minute.',
      'service',
    );
  }
  await enterFormChannel(context, channel, { isAgreed });
  const { serviceIds, serviceName } = several ?? {
    serviceIds: service ? [service.id] : [],
    serviceName: service ? service.name : anyServiceChoice[1],
  };
  const fields = { serviceIds, serviceName, channel, notable };
  if (!before) {
    return createRelay(context, fields, service);
  }
  await withAudit(context, 'relay/change', { relay: before.id, ...fields }, () =>
    deps.relays.update(actor.owner, before.id, (relay) => {
      assertUnchanged(overwrittenRelay(relay), metadata.seen);
      return fields;
    }),
  );
  return { done: saved, here: await relayModal(context, before.id, { done: saved }) };
}

/** What the form of a relay overwrites. */
export function overwrittenRelay({ serviceIds, channel, notable }: Relay): unknown {
  return [serviceIds, channel, notable];
}

type Fields = Pick<Relay, 'serviceIds' | 'serviceName' | 'channel' | 'notable'>;

async function createRelay(context: ViewContext, fields: Fields, service: Service | undefined): Promise<undefined> {
  const { deps, actor, modal } = context;
  deps.rerenders.forget(context.view.id);
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
