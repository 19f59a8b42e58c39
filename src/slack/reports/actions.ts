/** The listeners of the report modals. Each change writes an audit entry and shows the list anew. */
import type { z } from 'zod';
import type { Message } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { loadingView } from '../bolt/problem/loading.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action, type Listener, opener } from '../bolt/routing/listeners.js';
import { sendWithChart } from '../scans/run-search.js';
import { reportData, reportsTitle } from './list-view.js';
import { reportListModal, reportOf } from './load-views.js';
import { missingMessage, reportMessage } from './report-message.js';
import { reportFormListeners } from './window.js';

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

export const reportActions: readonly Listener[] = [
  ...[openList, pause, resume, deleteReport, sendPreview],
  ...reportFormListeners,
];
