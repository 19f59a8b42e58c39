/** The lookup feature: `/barcode` and its card. */

import type { Feature } from '../bolt/routing/feature.js';
import { lookupAgain } from './again-action.js';
import { editDatabase, lookupChange, lookupUndo } from './edit/change-actions.js';
import { editSubmitted } from './edit/edit-response-submit.js';
import { lookupPage, lookupScans } from './scans-actions.js';
import { lookupShare, lookupShareAgreed } from './share-action.js';

export const lookup: Feature = {
  actions: {
    'lookup.share': lookupShare,
    'lookup.share.agreed': lookupShareAgreed,
    'lookup.scans': lookupScans,
    'lookup.again': lookupAgain,
    'lookup.newer': lookupPage,
    'lookup.older': lookupPage,
    'lookup.change': lookupChange,
    'lookup.add': lookupChange,
    'lookup.undo': lookupUndo,
    'lookup.edit.database': editDatabase,
  },
  views: {
    'lookup.edit': editSubmitted,
  },
};
