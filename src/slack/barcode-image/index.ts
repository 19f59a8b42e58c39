/** The barcode image feature: what it adds to Slack. */
import type { Feature } from '../bolt/routing/feature.js';
import { madeChange, madeShare } from './actions.js';
import { make } from './make-command.js';

export const barcodeImage: Feature = {
  commands: { '/barcode': [make] },
  listeners: [madeShare, madeChange],
};
