/**
 * Sets up a service for a relay: webhook URL, record of the former state, change in the account, check, test scan. A
 * failure is reported with the steps that succeeded.
 */
import { services } from '../../../codereadr/operations/index.js';
import { AccountError, type Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/index.js';
import type { Option } from '../../block-kit/elements.js';
import { bold, code, textElement } from '../../block-kit/text.js';
import { shortName } from '../../block-kit/verdict.js';
import { isUnconfirmed, problemLine } from '../../bolt/problem/problem.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import { connectedSince, isOtherAccount } from '../../connection/version.js';
import { performOperation } from '../../operations/index.js';
import { markOf } from '../../operations/metadata.js';
import { relayOf } from '../load-views.js';
import { onRecord } from '../save-relay.js';
import { openAddress, sealAddress } from './address.js';
import { resultNotes, type ServiceNotes, setUpNotes } from './ids.js';
import { freshService, serviceFormWindow } from './load-form.js';
import type { SetupRequest } from './read-form.js';
import type { SetUp } from './record-store.js';
import { type Found, rememberBefore } from './remember.js';
import { goingView, resultMessage, resultView, type Step, step } from './result.js';
import { testSteps } from './test.js';

const title = 'Set up a service';
const doneTitle = 'Service set up';

export interface SetupSubmission {
  readonly notes: ServiceNotes;
  readonly wanted: SetupRequest;
}

export async function setServiceUp(context: ViewContext, { notes, wanted }: SetupSubmission): Promise<void> {
  const { relay } = await relayOf(context, notes.relay);
  const connectedAt = notes.since ?? (await connectedSince(context.deps, context.actor.owner));
  if (wanted.mode === 'direct') {
    return makeDirect(context, relay, notes, wanted, connectedAt);
  }
  const again = async (trouble: string, fresh?: Service): Promise<void> => {
    const asked = { relay: relay.id, address: notes.address, serviceId: wanted.serviceId, wanted, trouble };
    await context.modal.show(await serviceFormWindow(context, fresh ? { ...asked, fresh } : asked));
  };
  let service: Service | undefined;
  try {
    service = await freshService(context, wanted.serviceId, { connectedAt });
  } catch (error) {
    if (error instanceof AccountError) {
      return again(problemLine(error));
    }
    throw error;
  }
  if (!service) {
    return again('This service is no longer in the account. Choose another one.');
  }
  // Only the URL that the form named may be replaced.
  if (notes.named !== markOf(service.postbackUrl ?? '')) {
    return again('First check below what will be replaced. Then submit the form again.', service);
  }
  if (service.validationMethod !== 'postback' && wanted.own === undefined) {
    return again('This service validates scans itself. Choose below which response devices show.', service);
  }
  await change(context, relay, notes, wanted, { service, connectedAt });
}

type Change = Extract<SetupRequest, { mode: 'there' }>;
type Make = Extract<SetupRequest, { mode: 'direct' }>;

async function change(
  context: ViewContext,
  relay: Relay,
  notes: ServiceNotes,
  wanted: Change,
  found: Found,
): Promise<void> {
  const { service, connectedAt } = found;
  const steps = progress(context);
  const { path, url } = await addressFor(context, relay, notes);
  const { setUp, forget } = await rememberBefore(context, relay, found, wanted.symbologies);
  const name = bold(shortName(service.name));
  const { own } = wanted;
  await steps.going(step('going', 'Updating ', name, textElement('…')));
  try {
    const input = {
      service_id: service.id,
      postback_url: url,
      ...(wanted.symbologies.length > 0 ? { symbologies: [...wanted.symbologies] } : {}),
      ...(own
        ? {
            postback_receiver_only: own.receiverOnly,
            postback_real_time_scans: own.realTime,
            postback_uploaded_scans: own.uploaded,
          }
        : {}),
    };
    await performOperation(context, services.update, input, { connectedAt });
  } catch (error) {
    if (!(error instanceof AccountError)) {
      if (isOtherAccount(error)) {
        await forget();
      }
      throw error;
    }
    const done = await isThere(context, found, url);
    if (done !== 'yes') {
      const what = done === 'no' ? 'The webhook URL was not set for ' : 'The webhook URL may not have been set for ';
      await steps.end(relay, service.id, path, done === 'no' ? undefined : setUp, [
        step(
          'failed',
          what,
          name,
          textElement(`. ${done === 'no' && isUnconfirmed(error) ? sentAgain : problemLine(error)}`),
        ),
      ]);
      if (done === 'no') {
        await forget();
      }
      return;
    }
  }
  steps.add(await enteredStep(context, found, url));
  steps.add(...(await widened(context, relay, service)));
  await steps.going(step('going', 'Sending a test scan…'));
  steps.add(...(await testSteps(context, relay, path, service.id)));
  await steps.end(relay, service.id, path, setUp, []);
}

async function makeDirect(
  context: ViewContext,
  relay: Relay,
  notes: ServiceNotes,
  wanted: Make,
  connectedAt: number | undefined,
): Promise<void> {
  const { deps, actor } = context;
  const steps = progress(context);
  const { path, url } = await addressFor(context, relay, notes);
  const pages = wanted.pages
    ? await onRecord(context, 'relay/new_pages', { relay: relay.id }, () =>
        deps.relayRoom.pages.make(actor.owner, relay.id),
      )
    : undefined;
  const absolute = (page: string) => new URL(page, deps.config.PUBLIC_URL).href;
  await steps.going(step('going', 'Creating the service…'));
  let id: string;
  try {
    const input = {
      validation_method: 'postback',
      service_name: wanted.name,
      postback_url: url,
      enable_direct_scan: true,
      ...(pages ? { direct_history_url: absolute(pages.history), direct_lookup_url: absolute(pages.lookup) } : {}),
      ...(wanted.symbologies.length > 0 ? { symbologies: [...wanted.symbologies] } : {}),
    } as const;
    ({ id } = await performOperation(context, services.create, input, { connectedAt }));
  } catch (error) {
    if (error instanceof AccountError) {
      const asked = { relay: relay.id, address: notes.address, mode: 'direct' as const, wanted };
      await context.modal.show(await serviceFormWindow(context, { ...asked, trouble: problemLine(error) }));
      return;
    }
    throw error;
  }
  const setUp: SetUp = {
    ...{ id, kind: 'made', serviceId: id, serviceName: wanted.name, by: actor.userId, at: deps.clock.now() },
    symbologies: [...wanted.symbologies],
    ...(connectedAt === undefined ? {} : { connectedAt }),
  };
  await deps.relayRoom.setUps.add(actor.owner, relay.id, setUp);
  const name = bold(shortName(wanted.name));
  steps.add(step('done', name, textElement(' was created. Its devices post directly to Scandesk.')));
  if (pages) {
    steps.add(step('done', 'Devices have pages for recent scans and barcode lookup.'));
  }
  steps.add(await usersStep(context, id, wanted.users, connectedAt));
  if (relay.settings.secretProperty) {
    steps.add(secretStep(relay));
  }
  steps.add(...(await widened(context, relay, { id, name: wanted.name })));
  await steps.going(step('going', 'Sending a test scan…'));
  steps.add(...(await testSteps(context, relay, path, id)));
  await steps.end(relay, id, path, setUp, []);
}

/** The account confirmed that a change whose response was lost was not made. */
const sentAgain = 'The account’s response was lost, but nothing was changed. Try again.';

/** Shows the steps as they are done. The work continues if they cannot be shown. */
function progress(context: ViewContext) {
  const steps: Step[] = [];
  const { actor, postPrivately, modal } = context;
  return {
    add: (...more: readonly Step[]) => steps.push(...more),
    going: (now: Step) => modal.showOutcome(goingView(title, [...steps, now])),
    async end(relay: Relay, service: string, path: string, setUp: SetUp | undefined, more: readonly Step[]) {
      const all = [...steps, ...more];
      const heading = all.some(({ state }) => state === 'failed') ? title : doneTitle;
      const shown = await modal.showOutcome(
        resultView(heading, all, {
          notes: resultNotes.write({
            channel: actor.channelId,
            relay: relay.id,
            address: sealAddress(context, relay.id, path),
            service,
          }),
          setUp,
          setUpValue: setUpNotes.write({ relay: relay.id, id: setUp?.id ?? '' }),
          again: setUp !== undefined,
        }),
      );
      if (!shown) {
        await postPrivately(resultMessage(heading, all));
      }
    },
  };
}

/** The webhook URL just created, or a new one: older ones are no longer known. */
async function addressFor(
  context: ViewContext,
  relay: Relay,
  notes: ServiceNotes,
): Promise<{ path: string; url: string }> {
  const { deps, actor } = context;
  const fresh = openAddress(context, relay.id, notes.address);
  const path =
    fresh ??
    (
      await onRecord(context, 'relay/new_address', { relay: relay.id }, () =>
        deps.relays.addSecret(actor.owner, relay.id),
      )
    ).path;
  return { path, url: new URL(path, deps.config.PUBLIC_URL).href };
}

/** Whether the account has the webhook URL, whatever the response to the change was. */
async function isThere(
  context: ViewContext,
  { service, connectedAt }: Found,
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

async function enteredStep(context: ViewContext, found: Found, url: string): Promise<Step> {
  const name = bold(shortName(found.service.name));
  switch (await isThere(context, found, url)) {
    case 'yes':
      return step('done', name, textElement(' posts to this relay now; the account confirms it.'));
    case 'no':
      return step(
        'warned',
        'The account accepted the change but reports another postback URL for ',
        name,
        textElement('. Check it on the account’s website.'),
      );
    case 'unknown':
      return step(
        'warned',
        'The account accepted the change to ',
        name,
        textElement(', but does not report its postback URL to confirm it.'),
      );
  }
}

/** Adds the service to a relay for certain services; otherwise its scans would be received and not posted. */
async function widened(
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
  await onRecord(context, 'relay/change', { relay: relay.id, ...fields }, () =>
    deps.relays.update(actor.owner, relay.id, fieldsFor),
  );
  return [step('done', 'This relay now also posts scans from ', bold(shortName(service.name)), textElement('.'))];
}

async function usersStep(
  context: ViewContext,
  service: string,
  chosen: readonly Option[],
  connectedAt: number | undefined,
): Promise<Step> {
  const users = chosen.map(({ value = '' }) => value);
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
    return step('done', users.length === 1 ? 'One user has access.' : `${users.length} users have access.`);
  } catch (error) {
    if (error instanceof AccountError || isOtherAccount(error)) {
      const what = isUnconfirmed(error)
        ? 'The users may not have been given access.'
        : 'The users could not be given access.';
      return step('failed', `${what} ${problemLine(error)}`);
    }
    throw error;
  }
}

function secretStep({ settings }: Relay): Step {
  return step(
    'warned',
    'This relay requires the property ',
    bold(shortName(settings.secretProperty?.name ?? '')),
    textElement('. Add it with its value to the service’s scan_properties.'),
  );
}
