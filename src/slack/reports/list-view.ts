/** The modal of `/scandesk reports`: the workspace's daily reports, each with its buttons. Pure. */
import { z } from 'zod';
import { mostReports, type Report, type ReportPause } from '../../reports/index.js';
import { actions, type Block, button, confirm, divider, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { bold, channelElement, type LinePart, momentAfter, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { describeReason } from '../channel-posts/describe/describe-state.js';
import { zoneLabel } from '../operations/form/zones.js';

export const reportsTitle = 'Daily reports';

/** The data of a report's buttons: its id. */
export const reportData = z.string();
export const reportsMetadata = z.object(origin);

export interface ListedReport {
  readonly report: Report;
  /** The name of the relay or saved search; undefined where it is deleted. */
  readonly name: string | undefined;
}

export function reportListView(
  reports: readonly ListedReport[],
  { channel, ...notice }: ViewNotice & { readonly channel?: string | undefined },
): ModalView {
  return modalView(
    reportsTitle,
    [
      ...noticeBlocks(notice),
      ...(reports.length === 0 ? [introduction] : []),
      ...reports.flatMap(reportBlocks),
      ...(reports.length < mostReports
        ? [actions([button('New report', 'reports.new', { style: 'primary' })], 'reports.new')]
        : [richText(`A workspace has at most ${mostReports} daily reports.`)]),
    ],
    { callback_id: 'reports.list', private_metadata: encode(reportsMetadata, { channel }) },
  );
}

const introduction = richText(
  [bold('See once a day how it went.')],
  'Scandesk posts how many scans a relay received, or a saved search found, and why scans were not valid, compared with the day before.',
);

function reportBlocks({ report, name }: ListedReport): Block[] {
  const { id, paused, channel } = report;
  const label = (verb: string) => ({
    accessibility_label: `${verb} the report about ${name ?? 'what was deleted'}`.slice(0, 75),
  });
  return [
    richText(
      [bold(name ?? 'Deleted relay or search'), ' → ', channelElement(channel)],
      `Daily at ${scheduleText(report)}`,
      stateLine(report),
    ),
    actions(
      [
        paused
          ? button('Resume', 'reports.resume', { value: id, style: 'primary', ...label('Resume') })
          : button('Pause', 'reports.pause', { value: id, ...label('Pause') }),
        button('Edit', 'reports.edit', { value: id, ...label('Edit') }),
        ...(name === undefined
          ? []
          : [button('Send me one now', 'reports.try', { value: id, ...label('Send me one now:') })]),
        button('Delete', 'reports.delete', {
          value: id,
          style: 'danger',
          ...label('Delete'),
          confirm: confirm('Delete this report?', 'It is no longer posted. Reports already posted stay.', 'Delete'),
        }),
      ],
      `reports.${id}`,
    ),
    divider,
  ];
}

/** A report's time in words: "22:00 (Europe/Berlin), about the day so far". */
export function scheduleText({ hour, minute, zone, day }: Pick<Report, 'hour' | 'minute' | 'zone' | 'day'>): string {
  const about = day === 'today' ? 'the day so far' : 'the day before';
  return `${clockText(hour, minute)} (${zoneLabel(zone)}), about ${about}`;
}

export function clockText(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const pauses: Readonly<Record<ReportPause, string>> = {
  person: 'Paused',
  relay_gone: 'Paused: its relay was deleted. Choose another one with Edit.',
  search_gone: 'Paused: its saved search was deleted. Choose another one with Edit.',
  not_connected: 'Paused: no account is connected. Connect one with /scandesk connect, then press Resume.',
  channel_gone: 'Paused: Scandesk can’t post in the channel. Invite it again or choose another channel with Edit.',
  token_revoked: 'Paused: Slack revoked Scandesk’s access. Ask an admin to reinstall Scandesk, then press Resume.',
  failing: 'Paused: it couldn’t be posted three days in a row. Look at it with Send me one now, then press Resume.',
};

/** What keeps the report from being posted, though nobody paused it. */
export function reportProblem({ paused, missed }: Report): string | undefined {
  return paused && paused.why !== 'person'
    ? pauses[paused.why]
    : missed > 0
      ? 'the last one was not posted'
      : undefined;
}

function stateLine({ paused, dueAt, postedAt, lastCode, missed }: Report): LinePart[] {
  if (paused) {
    return [`⏸ ${pauses[paused.why]}`];
  }
  return [
    momentAfter('Next: ', dueAt),
    ...(postedAt === undefined ? [] : [momentAfter(' · last posted ', postedAt, '{date_short} {time}')]),
    ...(missed > 0 ? [' · ⚠️ the last one was not posted'] : []),
    ...(lastCode === undefined ? [] : [` (${describeReason(lastCode)})`]),
  ];
}
