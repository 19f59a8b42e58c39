/** The lookup feature: `/barcode` and its card. */

import { actionIds, callbackIds } from '../bolt/ids.js';
import type { Feature } from '../bolt/routing/feature.js';
import { lookupAgain } from './again-action.js';
import { editDatabase, lookupChange, lookupUndo } from './edit/change-actions.js';
import { editSubmitted } from './edit/edit-response-submit.js';
import { lookupPage, lookupScans } from './scans-actions.js';
import { lookupShare, lookupShareAgreed } from './share-action.js';

export const lookup: Feature = {
  actions: {
    [actionIds.lookupShare]: lookupShare,
    [actionIds.lookupShareAgreed]: lookupShareAgreed,
    [actionIds.lookupScans]: lookupScans,
    [actionIds.lookupAgain]: lookupAgain,
    [actionIds.lookupNewer]: lookupPage,
    [actionIds.lookupOlder]: lookupPage,
    [actionIds.lookupChange]: lookupChange,
    [actionIds.lookupAdd]: lookupChange,
    [actionIds.lookupUndo]: lookupUndo,
    [actionIds.editDatabase]: editDatabase,
  },
  views: {
    [callbackIds.lookupEdit]: editSubmitted,
  },
};
