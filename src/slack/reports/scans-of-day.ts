/** *See scans* on a report: searches for the scans that it counted, for the person alone. */
import { z } from 'zod';
import type { Report } from '../../reports/index.js';
import type { ScanQuery } from '../../search/index.js';
import { savedSearches } from '../../search/index.js';
import { message } from '../block-kit/elements.js';
import { code, richText } from '../block-kit/text.js';
import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { resultsView } from '../scans/results-message.js';
import { firstPage } from '../scans/run-search.js';

export const scansOfDay = 'reports.scans';

/** The button's data. `when`: the day, as a search spells it. */
export const scansOfDayData = z.object({ report: z.string(), when: z.string() });

export const seeScans = action(scansOfDay, {
  role: 'everyone',
  data: scansOfDayData,
  modalTitle: 'Scans',
  run: async (context) => {
    const { deps, actor, data, modal, postPrivately } = context;
    const report = await deps.reports.find(actor.owner, data.report);
    const query = report && (await queryOf(context, report));
    if (!report || !query) {
      const gone = 'This report can’t be searched any more: it was deleted, or what it counts was.';
      await postPrivately(message(gone, [richText([`${gone} Search that day with `, code(`/scans ${data.when}`)])]));
      return;
    }
    const search = { ...query, when: data.when };
    await modal.fill('Scans', async () => resultsView(await firstPage(context, search, { zone: report.zone })));
  },
});

async function queryOf({ deps, actor }: ActionContext, { subject }: Report): Promise<ScanQuery | undefined> {
  if ('search' in subject) {
    return (await savedSearches.find(deps, actor.owner, subject.search))?.query;
  }
  const state = await deps.relays.get(actor.owner, subject.relay);
  return state && { relay: { id: subject.relay, name: state.relay.serviceName } };
}
