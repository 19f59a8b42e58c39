/** The first lines of help: the five things a person of each role does most, each a command or in a message's menu. */
import type { RequiredRole } from '../bolt/people/permissions.js';

export interface Highlight {
  readonly typed: string;
  readonly description: string;
}

const lookUp: Highlight = {
  typed: '/barcode VALUE',
  description: 'Look up a barcode, or several. Leave VALUE blank for a form.',
};
const scans: Highlight = {
  typed: '/scans TEXT',
  description: 'Search scans by time, barcode, result, service or user.',
};
const watch: Highlight = {
  typed: '/scandesk watch VALUE',
  description: 'Get an @mention when a barcode is scanned.',
};
const messageMenu: Highlight = {
  typed: '⋮ Look up barcodes',
  description: 'In a message’s menu: look up the barcodes in it and in its pictures.',
};
const mute: Highlight = { typed: '/scandesk mute VALUE', description: 'Stop posts about a barcode here for a day.' };
const relay: Highlight = { typed: '/scandesk relay', description: 'Post scans in channels as they happen.' };

export const highlights: Readonly<Record<RequiredRole, readonly Highlight[]>> = {
  everyone: [lookUp, scans, messageMenu, watch, mute],
  manager: [
    lookUp,
    relay,
    { typed: '/scandesk databases', description: 'Add values, upload a file or empty a database.' },
    scans,
    watch,
  ],
  admin: [
    lookUp,
    { typed: '/scandesk connect', description: 'Connect the account and choose databases.' },
    relay,
    { typed: '/scandesk access', description: 'Choose who can change settings.' },
    { typed: '/scandesk audit', description: 'Show who changed what.' },
  ],
};
