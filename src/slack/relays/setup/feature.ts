/** The listeners of the service setup modals. */
import { pickable } from '../../block-kit/elements.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Feature } from '../../bolt/routing/feature.js';
import { action, modal, opener, options } from '../../bolt/routing/listeners.js';
import { optionsOf } from '../../forms/inputs.js';
import { missingFields } from '../../forms/settings-form.js';
import { formStateIn } from '../../forms/view-state.js';
import { serviceChoice } from '../form/relay-form.js';
import { setUpButton } from '../form/url-view.js';
import { relayOf, servicesOf } from '../load-views.js';
import { readSetup } from './form.js';
import { setupMetadata, undoData } from './form-view.js';
import { serviceFormModal, serviceFormRerendered } from './load-form.js';
import { pagesListeners } from './pages.js';
import { resultMetadata, resultView, step } from './result-view.js';
import { openWebhookPath } from './sealed-url.js';
import { setServiceUp } from './setup.js';
import { testSteps } from './test-scan.js';
import { undoSetup } from './undo.js';

const title = 'Set up a service';

const openSetup = opener('relay.service.open', {
  role: 'manager',
  data: setUpButton,
  modalTitle: title,
  push: true,
  view: (context) => serviceFormModal(context, { relay: context.data.relay, address: context.data.address }),
});

const setupSubmitted = modal('relay.service.form', {
  role: 'manager',
  metadata: setupMetadata,
  fields({ view }) {
    const read = readSetup(formStateIn(view));
    return 'errors' in read ? read : { show: savingView(title, 'Contacting the account…'), input: read.request };
  },
  redraw: (context) => serviceFormRerendered(context, context.metadata, context.view, { problem: missingFields }),
  run: setServiceUp,
});

const redrawn = action(['relay.service.redraw', 'relay.service.pick', 'relay.service.change'], {
  role: 'manager',
  metadata: setupMetadata,
  run: (context) => {
    const open = context.action.action_id === 'relay.service.change';
    const draw = () => serviceFormRerendered(context, context.metadata, context.inside.view, { open });
    return context.deps.rerenders.draw(context, draw);
  },
});

const test = action('relay.service.test', {
  role: 'manager',
  metadata: resultMetadata,
  run: async (context) => {
    const { inside, metadata } = context;
    const { relay } = await relayOf(context, metadata.relay);
    const path = openWebhookPath(context, relay.id, metadata.address);
    const setUp = (await context.deps.serviceSetups.list(context.actor.owner, relay.id)).find(
      ({ serviceId }) => serviceId === metadata.service,
    );
    const steps = path
      ? await testSteps(context, relay, path, metadata.service)
      : [
          step(
            'warned',
            'The webhook URL is no longer available. Set up the service again to get a new URL and a test scan.',
          ),
        ];
    await inside.show(resultView('Test scan', steps, { metadata, setUp, again: path !== undefined }));
  },
});

const undoing = action('relay.service.undo', {
  role: 'manager',
  data: undoData,
  // This schema also takes the metadata of a setup's result, which has the same button.
  metadata: setupMetadata,
  run: async (context) => {
    const { relay, id } = context.data;
    await relayOf(context, relay);
    const undone = await undoSetup(context, relay, id);
    const { inside, metadata } = context;
    await inside.show(await serviceFormRerendered(context, metadata, inside.view, undone));
  },
});

const serviceOptions = options('relay.service.pick', {
  role: 'manager',
  async offer(context) {
    const typedText = context.typed.trim().toLowerCase();
    const services = (await servicesOf(context)) ?? [];
    const found = pickable(services).filter(
      ({ id, name }) => name.toLowerCase().includes(typedText) || id.startsWith(typedText),
    );
    return optionsOf(found.map(serviceChoice));
  },
});

export const setup: Feature = {
  listeners: [openSetup, redrawn, test, undoing, ...pagesListeners, setupSubmitted, serviceOptions],
};
