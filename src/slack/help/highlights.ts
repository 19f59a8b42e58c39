/**
 * The first lines of help: what a member does most, then what people with more rights do. Each is a command or in a
 * message's menu.
 */
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

const forMembers: readonly Highlight[] = [lookUp, scans, messageMenu, watch, mute];

export const highlights: Readonly<Record<RequiredRole, readonly Highlight[]>> = {
  everyone: forMembers,
  manager: [
    ...forMembers,
    relay,
    { typed: '/scandesk databases', description: 'Add values, upload a file or empty a database.' },
  ],
  admin: [
    ...forMembers,
    { typed: '/scandesk connect', description: 'Connect the account and choose databases.' },
    relay,
    { typed: '/scandesk access', description: 'Choose who can change settings.' },
    { typed: '/scandesk audit', description: 'Show who changed what.' },
  ],
};
