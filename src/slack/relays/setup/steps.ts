/** The steps of a service setup: each makes or checks one change and reports it in a line. */
import { services } from '../../../codereadr/operations/index.js';
import { AccountError } from '../../../codereadr/types.js';
import { plural } from '../../../english.js';
import type { Relay } from '../../../relay/index.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, code, textElement } from '../../block-kit/text.js';
import { isUnconfirmed, problemLine } from '../../bolt/problem/problem.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import { isOtherAccount } from '../../connection/account.js';
import { performOperation } from '../../operations/index.js';
import { withAudit } from '../form/save.js';
import type { SetupMetadata } from './form-view.js';
import { freshService } from './load-form.js';
import type { SetUp } from './record-store.js';
import { hasFailed, resultMessage, resultView, runningView, type Step, step } from './result-view.js';
import { openWebhookPath, sealWebhookPath } from './sealed-url.js';
import type { FoundService } from './undo-record.js';

const title = 'Set up a service';
const doneTitle = 'Service set up';

/** Shows the steps while they run. The setup goes on if the modal was closed; the result is then a private message. */
export function progress(context: ViewContext) {
  const steps: Step[] = [];
  const { actor, postPrivately, modal } = context;
  return {
    add: (...more: readonly Step[]) => steps.push(...more),
    showRunning: (now: Step) => modal.showOutcome(runningView(title, [...steps, now])),
    async end(relay: Relay, service: string, path: string, setUp: SetUp | undefined, furtherSteps: readonly Step[]) {
      context.deps.rerenders.forget(context.view.id);
      const allSteps = [...steps, ...furtherSteps];
      const heading = hasFailed(allSteps) ? title : doneTitle;
      const wasShown = await modal.showOutcome(
        resultView(heading, allSteps, {
          metadata: {
            channel: actor.channelId,
            relay: relay.id,
            service,
            address: sealWebhookPath(context, relay.id, path),
          },
          setUp,
          again: setUp !== undefined,
        }),
      );
      if (!wasShown) {
        await postPrivately(resultMessage(heading, allSteps));
      }
    },
  };
}

/** The webhook URL that the person was just shown, or a new one: the secrets of older URLs are no longer known. */
export async function ensureUrl(
  context: ViewContext,
  relay: Relay,
  metadata: SetupMetadata,
): Promise<{ path: string; url: string }> {
  const { deps, actor } = context;
  const fresh = openWebhookPath(context, relay.id, metadata.address);
  const path =
    fresh ??
    (
      await withAudit(context, 'relay/new_address', { relay: relay.id }, () =>
        deps.relays.addSecret(actor.owner, relay.id),
      )
    ).path;
  return { path, url: new URL(path, deps.config.PUBLIC_URL).href };
}

/** Asks the account whether the service has the webhook URL: its response to the change may have been lost. */
export async function checkPostback(
  context: ViewContext,
  { service, connectedAt }: FoundService,
  url: string,
): Promise<'yes' | 'no' | 'unknown'> {
  try {
    const now = await freshService(context, service.id, { connectedAt });
    if (now?.postbackUrl === undefined) {
      return 'unknown';
    }
    return now.postbackUrl === url ? 'yes' : 'no';
  } catch (error) {
    if (error instanceof AccountError || isOtherAccount(error)) {
      return 'unknown';
    }
    throw error;
  }
}

export async function enteredStep(context: ViewContext, foundService: FoundService, url: string): Promise<Step> {
  const boldName = bold(shortName(foundService.service.name));
  switch (await checkPostback(context, foundService, url)) {
    case 'yes':
      return step('done', boldName, textElement(' posts to this relay now; the account confirms it.'));
    case 'no':
      return step(
        'warned',
        'The account accepted the change but reports another postback URL for ',
        boldName,
        textElement('. Check it on the account’s website.'),
      );
    case 'unknown':
      return step(
        'warned',
        'The account accepted the change to ',
        boldName,
        textElement(', but didn’t return its postback URL, so this isn’t confirmed. Scan something to check.'),
      );
  }
}

/** Adds the service to a relay for certain services; otherwise the relay would receive its scans and not post them. */
export async function addServiceToRelay(
  context: ViewContext,
  relay: Relay,
  service: { readonly id: string; readonly name: string },
): Promise<Step[]> {
  const fieldsFor = ({ serviceIds, serviceName }: Relay) =>
    serviceIds.length === 0 || serviceIds.includes(service.id)
      ? {}
      : { serviceIds: [...serviceIds, service.id], serviceName: `${serviceName}, ${service.name}` };
  const fields = fieldsFor(relay);
  if (!fields.serviceIds) {
    return [];
  }
  const { deps, actor } = context;
  await withAudit(context, 'relay/change', { relay: relay.id, ...fields }, () =>
    deps.relays.update(actor.owner, relay.id, fieldsFor),
  );
  return [step('done', 'This relay now also posts scans from ', bold(shortName(service.name)), textElement('.'))];
}

export async function usersStep(
  context: ViewContext,
  service: string,
  users: readonly string[],
  connectedAt: number | undefined,
): Promise<Step> {
  if (users.length === 0) {
    return step(
      'warned',
      'No users have access yet. Give users access in the account or with ',
      code('/scandesk services'),
      textElement('.'),
    );
  }
  try {
    const input = { service_id: [service], user_id: [...users] };
    await performOperation(context, services.adduserpermission, input, { connectedAt });
    return step('done', plural(users.length, 'One user has access.', `${users.length} users have access.`));
  } catch (error) {
    if (error instanceof AccountError || isOtherAccount(error)) {
      const outcome = isUnconfirmed(error)
        ? 'The users may not have been given access.'
        : 'The users could not be given access.';
      return step('failed', `${outcome} `, ...problemLine(error));
    }
    throw error;
  }
}

export function secretStep({ settings }: Relay): Step {
  return step(
    'warned',
    'This relay requires the property ',
    bold(shortName(settings.secretProperty?.name ?? '')),
    textElement('. Add it with its value to the service’s scan_properties.'),
  );
}
