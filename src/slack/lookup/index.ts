/**
 * The lookup feature. A typed text is parsed (`parse-barcodes`) and resolved (`resolve-barcodes`), each barcode is read
 * (`read-barcode`), the answer is drawn (`draw-answer`): `answer-barcodes` calls these steps, after the first one.
 */
import type { Feature } from '../bolt/routing/feature.js';
import { lookupAgain, lookupOpen, lookupSuggestion, severalAgain } from './again-action.js';
import { editDatabase, lookupChange, lookupUndo } from './edit/change-actions.js';
import { editSubmitted } from './edit/edit-response-submit.js';
import { walkUpSubmitted } from './edit/walk-up.js';
import { lookupFormOpened, lookupFormSubmitted, lookupRecent } from './form/actions.js';
import { lookupPage, lookupScans } from './more-scans.js';
import { lookupShare, severalShare } from './share-action.js';

export const lookup: Feature = {
  listeners: [
    lookupShare,
    lookupScans,
    lookupAgain,
    lookupOpen,
    lookupSuggestion,
    lookupFormOpened,
    lookupFormSubmitted,
    lookupRecent,
    severalAgain,
    severalShare,
    lookupPage,
    lookupChange,
    lookupUndo,
    editDatabase,
    editSubmitted,
    walkUpSubmitted,
  ],
};

export {
  eraseRecentLookups,
  forgetRecentLookups,
  mostRecent,
  type RecentLookup,
  recentLookups,
} from './recent-lookups.js';
export { severalRecords } from './several/record-store.js';
