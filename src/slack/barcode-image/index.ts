/** The barcode image feature: what it adds to Slack. */
import type { Feature } from '../bolt/routing/feature.js';
import { changeImage, shareImage } from './actions.js';
import { make } from './make-command.js';

export const barcodeImage: Feature = {
  commands: { '/barcode': [make] },
  listeners: [shareImage, changeImage],
};
