/** Handlers of the service setup modals, and the list that adds them to Slack. */

import { pickable } from '../../block-kit/elements.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { ActionContext, Handler, OptionsHandler, ViewHandler } from '../../bolt/routing/context.js';
import type { Feature } from '../../bolt/routing/feature.js';
import { action, modal, options } from '../../bolt/routing/listeners.js';
import { withOrigin } from '../../bolt/routing/origin.js';
import { optionsOf } from '../../forms/inputs.js';
import { formStateIn } from '../../forms/view-state.js';
import { serviceChoice } from '../form/relay-form.js';
import { relayOf, servicesOf } from '../load-views.js';
import { buttonValue, clickedModal, missingFields, rerendering } from '../settings/flow.js';
import { readSetup } from './form.js';
import {
  openMetadata,
  resultMetadata,
  serviceActions,
  serviceCallbacks,
  serviceMetadata,
  setUpMetadata,
} from './ids.js';
import { serviceFormModal, serviceFormRerendered } from './load-form.js';
import { pagesEnd, pagesNew, pagesOpen } from './pages.js';
import { resultView, step } from './result-view.js';
import { openAddress } from './sealed-url.js';
import { type SetupSubmission, setServiceUp } from './setup.js';
import { testSteps } from './test-scan.js';
import { undo } from './undo.js';

const title = 'Set up a service';

const open: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: title,
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay, address } = openMetadata.read(buttonValue(context));
    await context.modal.fill(title, () => serviceFormModal(context, { relay, address }));
  },
};

const rerender = rerendering((context, view) => serviceFormRerendered(context, view));

const submitted: ViewHandler<SetupSubmission> = {
  role: 'manager',
  fields({ view }) {
    const metadata = serviceMetadata.read(view.private_metadata);
    const read = readSetup(formStateIn(view));
    return 'errors' in read
      ? read
      : { show: savingView(title, 'Contacting the account…'), input: { metadata, request: read.request } };
  },
  redraw: (context) => serviceFormRerendered(context, context.view, { problem: missingFields }),
  run: setServiceUp,
};

const test: Handler<ActionContext> = {
  role: 'manager',
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const inside = clickedModal(context);
    const metadata = resultMetadata.read(inside.view.private_metadata);
    const { relay } = await relayOf(context, metadata.relay);
    const path = openAddress(context, relay.id, metadata.address);
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
    await inside.show(
      resultView('Test scan', steps, {
        metadata: resultMetadata.write(metadata),
        setUp,
        setUpValue: setUpMetadata.write({ relay: relay.id, id: setUp?.id ?? '' }),
        again: path !== undefined,
      }),
    );
  },
};

const undoing: Handler<ActionContext> = {
  role: 'manager',
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay, id } = setUpMetadata.read(buttonValue(context));
    await relayOf(context, relay);
    const undone = await undo(context, relay, id);
    const inside = clickedModal(context);
    await inside.show(await serviceFormRerendered(context, inside.view, undone));
  },
};

const offered: OptionsHandler = {
  role: 'manager',
  async offer(context) {
    const typed = context.typed.trim().toLowerCase();
    const services = (await servicesOf(context)) ?? [];
    const found = pickable(services).filter(
      ({ id, name }) => name.toLowerCase().includes(typed) || id.startsWith(typed),
    );
    return optionsOf(found.map(serviceChoice));
  },
};

export const setup: Feature = {
  listeners: [
    action(serviceActions.open, open),
    action([serviceActions.redraw, serviceActions.pick], rerender),
    action(serviceActions.test, test),
    action(serviceActions.undo, undoing),
    action(serviceActions.pages, pagesOpen),
    action(serviceActions.pagesNew, pagesNew),
    action(serviceActions.pagesEnd, pagesEnd),
    modal(serviceCallbacks.form, submitted),
    options(serviceActions.pick, offered),
  ],
};
