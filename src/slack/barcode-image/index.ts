/** The barcode image feature: what it adds to Slack. */

import { actionIds } from '../bolt/ids.js';
import type { Feature } from '../bolt/routing/feature.js';
import { madeChange, madeShare, madeShareAgreed } from './actions.js';
import { make } from './make-command.js';

export const barcodeImage: Feature = {
  commands: { '/barcode': [make] },
  actions: {
    [actionIds.madeShare]: madeShare,
    [actionIds.madeShareAgreed]: madeShareAgreed,
    [actionIds.madeChange]: madeChange,
  },
};
