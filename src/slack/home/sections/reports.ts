/** App Home's section with the daily reports, for people with access: a line for each. Pure. */
import { countOf } from '../../../english.js';
import { actions, type Block, button, context } from '../../block-kit/elements.js';
import { bold, channelElement, momentAfter, richText } from '../../block-kit/text.js';
import type { ListedReport } from '../../reports/list-view.js';

const mostShown = 3;

export function reportBlocks(reports: readonly ListedReport[]): Block[] {
  const left = reports.length - mostShown;
  return reports.length === 0
    ? []
    : [
        richText(
          [bold('Daily reports')],
          ...reports
            .slice(0, mostShown)
            .map(({ name, report: { channel, paused, dueAt } }) => [
              `${name ?? 'Deleted relay or search'} → `,
              channelElement(channel),
              ...(paused ? [' · ⏸ Paused'] : [momentAfter(' · next ', dueAt)]),
            ]),
        ),
        ...(left > 0 ? [context(`And ${countOf(left, 'more report')}.`)] : []),
        actions([button('Manage reports', 'reports.list')], 'home.reports'),
      ];
}
