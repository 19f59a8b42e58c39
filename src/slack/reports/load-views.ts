/** Loads the list of reports, one report, and what reports can count. */
import type { Report } from '../../reports/index.js';
import { savedSearches } from '../../search/index.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { SlackError } from '../bolt/errors.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { relayName } from '../channel-posts/describe/describe-relay.js';
import type { Subjects } from './form.js';
import { type ListedReport, reportListView } from './list-view.js';

type Reader = Pick<ActorContext, 'deps' | 'actor'>;

export async function listedReports(reader: Reader): Promise<readonly ListedReport[]> {
  const { deps, actor } = reader;
  const [reports, relays] = await Promise.all([deps.reports.list(actor.owner), deps.relays.list(actor.owner)]);
  const names = new Map(relays.map(({ relay }) => [relay.id, relayName(relay)]));
  return await Promise.all(reports.map(async (report) => ({ report, name: await nameOf(reader, report, names) })));
}

export async function reportListModal(context: ActorContext, notice: ViewNotice = {}): Promise<ModalView> {
  return reportListView(await listedReports(context), { ...notice, channel: context.actor.channelId });
}

async function nameOf({ deps, actor }: Reader, { subject }: Report, relays: ReadonlyMap<string, string>) {
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

/** The subjects to choose from: relays, the person's searches and the channel's, and what the report counts already. */
export async function subjectsOf({ deps, actor }: ActorContext, report?: Report): Promise<Subjects> {
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
