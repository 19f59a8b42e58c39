/** The feature of App Home. */

import type { Feature } from '../bolt/routing/feature.js';
import { homeOpened } from './opened-event.js';

export const home: Feature = {
  events: {
    app_home_opened: homeOpened,
  },
};
