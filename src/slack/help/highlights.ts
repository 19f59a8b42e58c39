/** The first lines of help: the five things a person of each role does most. Each exists as a command. */
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
const relay: Highlight = { typed: '/scandesk relay', description: 'Post scans in channels as they happen.' };

export const highlights: Readonly<Record<RequiredRole, readonly Highlight[]>> = {
  everyone: [
    lookUp,
    watch,
    scans,
    { typed: '/barcode make', description: 'Create a QR code or another barcode.' },
    { typed: '/scandesk status', description: 'See whether the account is connected, and API calls left.' },
  ],
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
