/** The App Home feature: what it adds to Slack. */

import type { Feature } from '../bolt/routing/feature.js';
import { homeOpened } from './home.js';

export const home: Feature = {
  listeners: [homeOpened],
};
