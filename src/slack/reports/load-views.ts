/** Loads the report modals: the list, and the form. */
import type { ViewOutput } from '@slack/bolt';
import type { z } from 'zod';
import type { Report, ReportFields } from '../../reports/index.js';
import { savedSearches } from '../../search/index.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { SlackError } from '../bolt/errors.js';
import type { ActorContext, BaseContext } from '../bolt/routing/context.js';
import { relayName } from '../channel-posts/describe/describe-relay.js';
import { formStateIn } from '../forms/view-state.js';
import { type Draft, formDraft, type formMetadata, reportFormView, type Subjects } from './form.js';
import { reportListView } from './list-view.js';

export async function reportListModal(context: ActorContext, notice: ViewNotice = {}): Promise<ModalView> {
  const { deps, actor } = context;
  const [reports, relays] = await Promise.all([deps.reports.list(actor.owner), deps.relays.list(actor.owner)]);
  const names = new Map(relays.map(({ relay }) => [relay.id, relayName(relay)]));
  const listed = await Promise.all(
    reports.map(async (report) => ({ report, name: await nameOf(context, report, names) })),
  );
  return reportListView(listed, { ...notice, channel: actor.channelId });
}

async function nameOf({ deps, actor }: ActorContext, { subject }: Report, relays: ReadonlyMap<string, string>) {
  if ('relay' in subject) {
    return relays.get(subject.relay);
  }
  const search = await savedSearches.find(deps, actor.owner, subject.search);
  return search && shortName(search.name, 75);
}

/** How many of the latest audit entries are read to find who deleted a report that somebody still looks at. */
const mostEntries = 200;

/** The report with an id. @throws SlackError `slack.report_gone` for a report that somebody deleted meanwhile */
export async function reportOf({ deps, actor }: ActorContext, id: string): Promise<Report> {
  const report = await deps.reports.find(actor.owner, id);
  if (!report) {
    const entries = await deps.store.audit.list(actor.owner, { limit: mostEntries, sections: ['report'] });
    const by = entries.find(({ what, detail }) => what === 'report/delete' && detail.report === id)?.who;
    throw new SlackError('slack.report_gone', `this workspace has no such report: ${id}`, { by });
  }
  return report;
}

export interface OpenReportForm {
  /** The report being changed; none for a new one. */
  readonly report?: string | undefined;
  /** The initial values of the form. */
  readonly draft?: Draft;
  readonly problem?: string;
}

type FormContext = ActorContext & Pick<BaseContext, 'person'>;

export async function reportFormModal(
  context: FormContext,
  { report: id, ...form }: OpenReportForm,
): Promise<ModalView> {
  const { actor } = context;
  const report = id === undefined ? undefined : await reportOf(context, id);
  const given = { ...newReport(context), ...report, ...form.draft };
  return reportFormView({
    subjects: await subjectsOf(context, report),
    draft: formDraft(given),
    ...{ report: id, channel: actor.channelId, problem: form.problem },
  });
}

/** The form redrawn after another time was chosen. */
export async function reportFormRerendered(
  context: FormContext,
  { report, morning = false }: z.output<typeof formMetadata>,
  view: ViewOutput,
): Promise<ModalView> {
  const was = report === undefined ? undefined : await reportOf(context, report);
  const given = { ...newReport(context), ...was };
  return reportFormView({
    subjects: await subjectsOf(context, was),
    draft: formDraft(given, { state: formStateIn(view), wasMorning: morning }),
    ...{ report, channel: context.actor.channelId },
  });
}

function newReport({ actor, person }: FormContext): Partial<ReportFields> {
  const { channelId } = actor;
  return {
    zone: person.zone ?? 'Etc/UTC',
    // The initial channel is no direct message, which has no reports, though Slack offers it.
    ...(channelId && /^[CG]/.test(channelId) ? { channel: channelId } : {}),
  };
}

/** The subjects to choose from: relays, the person's searches and the channel's, and what the report counts already. */
async function subjectsOf({ deps, actor }: ActorContext, report: Report | undefined): Promise<Subjects> {
  const [relays, ownSearches] = await Promise.all([
    deps.relays.list(actor.owner),
    savedSearches.list(deps, actor.owner, actor),
  ]);
  const id = report && 'search' in report.subject ? report.subject.search : undefined;
  const current =
    id === undefined || ownSearches.some((each) => each.id === id)
      ? undefined
      : await savedSearches.find(deps, actor.owner, id);
  return { relays: relays.map(({ relay }) => relay), searches: [...(current ? [current] : []), ...ownSearches] };
}
