/**
 * Sets up a service for a relay: webhook URL, record of the former state, change in the account, check, test scan. A
 * failed change ends the steps; where a service could not be created, the form is shown again with the reason.
 */
import { services } from '../../../codereadr/operations/index.js';
import { AccountError, type Service } from '../../../codereadr/types.js';
import type { Relay } from '../../../relay/index.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, type Line, textElement } from '../../block-kit/text.js';
import { isUnconfirmed, problemLine } from '../../bolt/problem/problem.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import { connectedSince, isOtherAccount } from '../../connection/account.js';
import { performOperation } from '../../operations/index.js';
import { textHash } from '../../operations/metadata.js';
import { withAudit } from '../form/save.js';
import { relayOf } from '../load-views.js';
import { defaultPostbackOptions, type SetupRequest } from './form.js';
import type { SetupMetadata } from './form-view.js';
import { freshService, serviceFormModal } from './load-form.js';
import type { SetUp } from './record-store.js';
import { step } from './result-view.js';
import { addServiceToRelay, checkPostback, ensureUrl, enteredStep, progress, secretStep, usersStep } from './steps.js';
import { testSteps } from './test-scan.js';
import { type FoundService, rememberBefore } from './undo-record.js';

export async function setServiceUp(context: ViewContext<SetupMetadata>, request: SetupRequest): Promise<void> {
  const { metadata } = context;
  const { relay } = await relayOf(context, metadata.relay);
  const connectedAt = metadata.since ?? (await connectedSince(context.deps, context.actor.owner));
  if (request.mode === 'direct') {
    return createDirect(context, relay, metadata, request, connectedAt);
  }
  const redraw = async (problem: Line, fresh?: Service): Promise<void> => {
    const state = { relay: relay.id, address: metadata.address, view: context.view, problem };
    await context.modal.show(await serviceFormModal(context, fresh ? { ...state, fresh } : state));
  };
  let service: Service | undefined;
  try {
    service = await freshService(context, request.serviceId, { connectedAt });
  } catch (error) {
    if (error instanceof AccountError) {
      return redraw(problemLine(error));
    }
    throw error;
  }
  if (!service) {
    return redraw('This service is no longer in the account. Choose another one.');
  }
  // Only the URL that the form said would be replaced may be replaced.
  if (metadata.named !== textHash(service.postbackUrl ?? '')) {
    return redraw('First check below what will be replaced. Then submit the form again.', service);
  }
  const postback = request.postback ?? (metadata.defaults === service.id ? defaultPostbackOptions(relay) : undefined);
  if (service.validationMethod !== 'postback' && postback === undefined) {
    return redraw('This service validates scans itself. Check below which response devices show.', service);
  }
  await changeService(context, relay, metadata, { ...request, postback }, { service, connectedAt });
}

type ChangeRequest = Extract<SetupRequest, { mode: 'there' }>;
type CreateRequest = Extract<SetupRequest, { mode: 'direct' }>;

async function changeService(
  context: ViewContext,
  relay: Relay,
  metadata: SetupMetadata,
  request: ChangeRequest,
  foundService: FoundService,
): Promise<void> {
  const { service, connectedAt } = foundService;
  const steps = progress(context);
  const { path, url } = await ensureUrl(context, relay, metadata);
  const { setUp, forget } = await rememberBefore(context, relay, foundService, request.symbologies);
  const boldName = bold(shortName(service.name));
  const { postback } = request;
  await steps.showRunning(step('running', 'Updating ', boldName, textElement('…')));
  try {
    const input = {
      service_id: service.id,
      postback_url: url,
      ...(request.symbologies.length > 0 ? { symbologies: [...request.symbologies] } : {}),
      ...(postback
        ? {
            postback_receiver_only: postback.receiverOnly,
            postback_real_time_scans: postback.realTime,
            postback_uploaded_scans: postback.uploaded,
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
    const done = await checkPostback(context, foundService, url);
    if (done !== 'yes') {
      const outcome = done === 'no' ? 'The webhook URL was not set for ' : 'The webhook URL may not have been set for ';
      await steps.end(relay, service.id, path, done === 'no' ? undefined : setUp, [
        step(
          'failed',
          outcome,
          boldName,
          textElement('. '),
          ...(done === 'no' && isUnconfirmed(error) ? [nothingChanged] : problemLine(error)),
        ),
      ]);
      if (done === 'no') {
        await forget();
      }
      return;
    }
  }
  steps.add(await enteredStep(context, foundService, url));
  steps.add(...(await addServiceToRelay(context, relay, service)));
  await steps.showRunning(step('running', 'Sending a test scan…'));
  steps.add(...(await testSteps(context, relay, path, service.id)));
  await steps.end(relay, service.id, path, setUp, []);
}

async function createDirect(
  context: ViewContext,
  relay: Relay,
  metadata: SetupMetadata,
  request: CreateRequest,
  connectedAt: number | undefined,
): Promise<void> {
  const { deps, actor } = context;
  const steps = progress(context);
  const { path, url } = await ensureUrl(context, relay, metadata);
  const pages = request.pages
    ? await withAudit(context, 'relay/new_pages', { relay: relay.id }, () =>
        deps.devicePages.make(actor.owner, relay.id),
      )
    : undefined;
  const absoluteUrl = (page: string) => new URL(page, deps.config.PUBLIC_URL).href;
  await steps.showRunning(step('running', 'Creating the service…'));
  let id: string;
  try {
    const input = {
      validation_method: 'postback',
      service_name: request.name,
      postback_url: url,
      enable_direct_scan: true,
      // Without `auto_sync`, scans that got no answer may stay on the phone.
      auto_sync: true,
      ...(pages
        ? { direct_history_url: absoluteUrl(pages.history), direct_lookup_url: absoluteUrl(pages.lookup) }
        : {}),
      ...(request.symbologies.length > 0 ? { symbologies: [...request.symbologies] } : {}),
    } as const;
    ({ id } = await performOperation(context, services.create, input, { connectedAt }));
  } catch (error) {
    if (error instanceof AccountError) {
      const state = { relay: relay.id, address: metadata.address, view: context.view };
      await context.modal.show(await serviceFormModal(context, { ...state, problem: problemLine(error) }));
      return;
    }
    throw error;
  }
  const setUp: SetUp = {
    id,
    kind: 'made',
    serviceId: id,
    serviceName: request.name,
    by: actor.userId,
    at: deps.clock.now(),
    symbologies: [...request.symbologies],
    ...(connectedAt === undefined ? {} : { connectedAt }),
  };
  await deps.serviceSetups.add(actor.owner, relay.id, setUp);
  const boldName = bold(shortName(request.name));
  steps.add(step('done', boldName, textElement(' was created. Its devices post directly to Scandesk.')));
  if (pages) {
    steps.add(step('done', 'Devices have pages for recent scans and barcode lookup.'));
  }
  steps.add(await usersStep(context, id, request.users, connectedAt));
  if (relay.settings.secretProperty) {
    steps.add(secretStep(relay));
  }
  steps.add(...(await addServiceToRelay(context, relay, { id, name: request.name })));
  await steps.showRunning(step('running', 'Sending a test scan…'));
  steps.add(...(await testSteps(context, relay, path, id)));
  await steps.end(relay, id, path, setUp, []);
}

/** The line for a lost response, after the account confirmed that the change was not made. */
const nothingChanged = 'The account’s response was lost, but nothing was changed. Try again.';
