/** The lookup feature: `/barcode` and its card. */

import type { Feature } from '../bolt/routing/feature.js';
import { lookupAgain } from './again-action.js';
import { editDatabase, lookupChange, lookupUndo } from './edit/change-actions.js';
import { editSubmitted } from './edit/edit-response-submit.js';
import { lookupPage, lookupScans } from './more-scans.js';
import { lookupShare, lookupShareAgreed } from './share-action.js';

export const lookup: Feature = {
  listeners: [
    lookupShare,
    lookupShareAgreed,
    lookupScans,
    lookupAgain,
    lookupPage,
    lookupChange,
    lookupUndo,
    editDatabase,
    editSubmitted,
  ],
};

export {
  eraseRecentLookups,
  forgetRecentLookups,
  mostRecent,
  type RecentLookup,
  recentLookups,
} from './recent-lookups.js';
