/** The listeners of the report modals. Each change writes an audit entry and shows the list anew. */
import type { z } from 'zod';
import type { Message } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { loadingView, savingView } from '../bolt/problem/loading.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action, type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { reportFor } from '../relays/report-button.js';
import { sendWithChart } from '../scans/run-search.js';
import { formMetadata, readReport, sharedMetadata } from './form.js';
import { reportData, reportsTitle } from './list-view.js';
import { reportFormModal, reportListModal, reportOf } from './load-views.js';
import { missingMessage, reportMessage } from './report-message.js';
import { saveReport } from './save.js';

type Click = ActionContext<z.output<typeof reportData>>;

/** A listener that makes a change; `work` resolves to the notice about it. */
function reportAction(id: string, work: (context: Click) => Promise<string>): Listener {
  return opener(id, {
    role: 'manager',
    data: reportData,
    modalTitle: reportsTitle,
    isOutcome: true,
    view: async (context) => reportListModal(context, { done: await work(context) }),
  });
}

const openForm = opener('reports.new', {
  role: 'manager',
  data: reportFor.optional().catch(undefined),
  modalTitle: 'New report',
  async view(context) {
    const { data, deps, actor } = context;
    const relay = data?.relay === undefined ? undefined : await deps.relays.get(actor.owner, data.relay);
    const draft = {
      ...(relay ? { subject: { relay: relay.relay.id }, channel: relay.relay.channel } : {}),
      ...(data?.search === undefined ? {} : { subject: { search: data.search } }),
    };
    return reportFormModal(context, { draft });
  },
});

const edit = opener('reports.edit', {
  role: 'manager',
  data: reportData,
  modalTitle: 'Edit report',
  view: (context) => reportFormModal(context, { report: context.data }),
});

const openList = opener('reports.list', { role: 'manager', modalTitle: reportsTitle, view: reportListModal });

const pause = reportAction('reports.pause', async (context) => {
  await reportOf(context, context.data);
  await context.deps.reports.pause(context.actor.owner, context.data);
  await record(context, { what: 'report/pause', detail: { report: context.data } });
  return 'Paused. Nothing is posted until you resume it.';
});

const resume = reportAction('reports.resume', async (context) => {
  const { deps, actor, data } = context;
  await deps.reports.change(actor.owner, await reportOf(context, data), {});
  await record(context, { what: 'report/resume', detail: { report: data } });
  return 'Resumed.';
});

const deleteReport = reportAction('reports.delete', async (context) => {
  await context.deps.reports.remove(context.actor.owner, context.data);
  await record(context, { what: 'report/delete', detail: { report: context.data } });
  return 'Report deleted.';
});

const sendPreview = action('reports.try', {
  role: 'manager',
  data: reportData,
  modalTitle: reportsTitle,
  run: async (context) => {
    const { deps, data, postPrivately } = context;
    const report = await reportOf(context, data);
    await context.modal.show(loadingView(reportsTitle, 'Counting…'));
    const content = await deps.reports.preview(report);
    const make = (rich: boolean): Message =>
      'missing' in content
        ? missingMessage(report, content.missing)
        : reportMessage(report, content, { rich, isPreview: true });
    await sendWithChart(make, postPrivately);
    const place =
      context.actor.channelId === undefined ? 'a direct message from Scandesk' : 'the channel behind this window';
    await context.modal.show(await reportListModal(context, { done: `Sent to you alone, in ${place}.` }));
  },
});

const rerendered = action('reports.redraw', {
  role: 'manager',
  metadata: formMetadata,
  run: async (context) => {
    const { report, morning: wasMorning = false } = context.metadata;
    const entered = { state: formStateIn(context.inside.view), wasMorning };
    await context.deps.rerenders.draw(context, () => reportFormModal(context, { report, entered }));
  },
});

const formSubmitted = modal('reports.form', {
  role: 'manager',
  metadata: formMetadata,
  fields({ view, metadata: { report } }) {
    const read = readReport(formStateIn(view));
    return 'errors' in read
      ? read
      : {
          show: savingView(report === undefined ? 'New report' : 'Edit report'),
          input: { fields: read.fields, report, sharedIsFine: false },
        };
  },
  run: saveReport,
});

const sharedAgreed = modal('reports.shared', {
  role: 'manager',
  metadata: sharedMetadata,
  fields: ({ metadata: { report, fields } }) => ({
    show: savingView('Shared channel'),
    input: { report, fields, sharedIsFine: true },
  }),
  run: saveReport,
});

export const reportActions: readonly Listener[] = [
  ...[openForm, edit, openList, pause, resume, deleteReport, sendPreview, rerendered],
  ...[formSubmitted, sharedAgreed],
];
