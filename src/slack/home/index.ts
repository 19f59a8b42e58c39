/** The App Home feature: what it adds to Slack. */
import type { CountScans } from '../../lookup/index.js';
import type { Feature } from '../bolt/routing/feature.js';
import { homeOpened } from './home.js';
import { homeLookup, homeSearch } from './lookup-action.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly countScans: CountScans;
  }
}

export const home: Feature = {
  listeners: [homeOpened, homeLookup, homeSearch],
};
