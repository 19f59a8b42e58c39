/** The forget feature: a barcode, or all data, erased from what Scandesk keeps. */
import type { Feature } from '../bolt/routing/feature.js';
import { eraseCommand, eraseConfirmed, eraseOpen, eraseSubmitted } from './erase.js';
import { forgetCommand, forgetSubmitted } from './forget-command.js';

export const forget: Feature = {
  commands: { '/scandesk': [forgetCommand, eraseCommand] },
  listeners: [forgetSubmitted, eraseOpen, eraseSubmitted, eraseConfirmed],
};
