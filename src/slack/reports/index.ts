/** The reports feature: daily reports of a relay or a saved search. */
import type { CountReportDeps } from '../../reports/index.js';
import { savedSearches } from '../../search/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import type { Feature } from '../bolt/routing/feature.js';
import { reportActions } from './actions.js';
import { reportsCommand } from './reports-command.js';
import { seeScans } from './scans-of-day.js';

type Deps = Pick<
  SlackDeps,
  'store' | 'clock' | 'random' | 'log' | 'accounts' | 'relays' | 'scans' | 'mirror' | 'places'
>;

/** The dependencies for counting a report, with the saved searches of this store. */
export function reportDeps<D extends Deps>(deps: D): D & Pick<CountReportDeps, 'savedSearch'> {
  return { ...deps, savedSearch: (owner, id) => savedSearches.find(deps, owner, id) };
}

export const reports: Feature = {
  commands: { '/scandesk': [reportsCommand] },
  listeners: [...reportActions, seeScans],
};
