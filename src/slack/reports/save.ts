/** Saves the form of a report: checks and joins the channel, then creates or changes the report. */

import { mostReports, nextDue, type ReportFields } from '../../reports/index.js';
import { momentAfter } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { enterChannel } from '../bolt/channels.js';
import { encode } from '../bolt/metadata.js';
import { sharedView } from '../bolt/problem/shared-channel.js';
import type { ViewContext } from '../bolt/routing/context.js';
import { sharedMetadata } from './form.js';
import { reportFormModal, reportListModal, reportOf } from './load-views.js';

export interface ReportSubmission {
  readonly fields: ReportFields;
  /** The report being changed; none for a new one. */
  readonly report?: string | undefined;
  /** Whether the person accepted that another organization can read the report. */
  readonly sharedIsFine: boolean;
}

export async function saveReport(context: ViewContext, submission: ReportSubmission): Promise<void> {
  const { client, modal, actor, deps } = context;
  const { fields, report } = submission;
  const redraw = async (problem: string) => {
    await modal.show(await reportFormModal(context, { report, draft: fields, problem }));
  };
  const enteredChannel = await enterChannel(client, fields.channel, { sharedIsFine: submission.sharedIsFine });
  if (!enteredChannel.ok && enteredChannel.shared) {
    const metadata = encode(sharedMetadata, { channel: actor.channelId, report, fields });
    const read = 'People there can read the report: how many scans there were, where, and why some were not valid.';
    await modal.show(sharedView(fields.channel, read, { callback_id: 'reports.shared', private_metadata: metadata }));
    return;
  }
  if (!enteredChannel.ok) {
    return redraw(enteredChannel.line);
  }
  if (report === undefined && (await deps.reports.list(actor.owner)).length >= mostReports) {
    return redraw(`A workspace has at most ${mostReports} daily reports. Delete one first.`);
  }
  const reportBefore = report === undefined ? undefined : await reportOf(context, report);
  if (reportBefore) {
    await deps.reports.change(actor.owner, reportBefore, fields);
  }
  const id = reportBefore?.id ?? (await deps.reports.create(actor.owner, fields, actor.userId)).id;
  await record(context, { what: reportBefore ? 'report/change' : 'report/create', detail: { report: id, ...fields } });
  const first = nextDue(fields, deps.clock.now());
  const savedText = ['Saved. ', momentAfter('Next report: ', first), '.'];
  await modal.showOutcome(await reportListModal(context, { done: savedText }));
}
