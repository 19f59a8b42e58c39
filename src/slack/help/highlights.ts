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
  description: 'Get an @mention when a relay receives a barcode.',
};
const messageMenu: Highlight = {
  typed: '⋮ Look up barcodes',
  description: 'In a message’s menu: look up the barcodes in it and in its pictures.',
};
const inside: Highlight = {
  typed: '/scandesk inside',
  description: 'Show who is inside; with out, who has what.',
};
const relay: Highlight = { typed: '/scandesk relay', description: 'Post scans and alerts in channels.' };
const reports: Highlight = { typed: '/scandesk reports', description: 'Post the day’s figures in a channel.' };

const forMembers: readonly Highlight[] = [lookUp, scans, messageMenu, inside, watch];

export const highlights: Readonly<Record<RequiredRole, readonly Highlight[]>> = {
  everyone: forMembers,
  manager: [
    ...forMembers,
    relay,
    reports,
    { typed: '/scandesk databases', description: 'Add values, upload a file or empty a database.' },
  ],
  admin: [
    ...forMembers,
    { typed: '/scandesk connect', description: 'Connect the account and choose databases.' },
    relay,
    reports,
    { typed: '/scandesk access', description: 'Choose who can change settings.' },
  ],
};
