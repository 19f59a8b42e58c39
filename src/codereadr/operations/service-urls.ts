/** A service's parameters about reports (emails, history and look-up pages), postback and sync. */
import type { Params } from './operation.js';

const onOff = { type: 'boolean' } as const;

export const reporting = {
  upload_email: {
    type: 'email',
    label: 'Email for uploads',
    description: 'After each upload, a CSV file of its scans goes to this address, outside Slack.',
    group: 'Reports',
    advanced: true,
    errors: ['330'],
  },
  upload_email_format: {
    type: 'enum',
    options: [
      ['regular', 'Regular'],
      ['properties', 'With properties'],
    ],
    default: 'regular',
    label: 'Email format',
    description: 'What the email about uploaded scans contains.',
    group: 'Reports',
    advanced: true,
  },
  direct_history_url: {
    type: 'url',
    description: 'The page that devices open to show the scan history.',
    group: 'Reports',
    advanced: true,
    errors: ['221', '222'],
  },
  direct_lookup_url: {
    type: 'url',
    description: 'The page that devices open to look up a barcode.',
    group: 'Reports',
    advanced: true,
    errors: ['221', '222'],
  },
} as const satisfies Params;

export const posting = {
  postback_url: {
    type: 'url',
    label: 'Postback URL',
    description: 'The URL that each scan is posted to.',
    group: 'Postback',
    errors: ['210', '221', '222', '226'],
  },
  postback_receiver_only: {
    ...onOff,
    label: 'Ignore the URL’s response',
    description: 'Post scans to the URL without waiting for its response. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
  postback_real_time_scans: {
    ...onOff,
    label: 'Post scans in real time',
    description: 'Post each scan as soon as it is made. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
  postback_uploaded_scans: {
    ...onOff,
    label: 'Post uploaded scans',
    description: 'Post scans when a device uploads them. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
} as const satisfies Params;

export const syncing = {
  auto_sync: {
    ...onOff,
    description: 'Devices send kept scans and load changed values by themselves. For databases of up to 50,000 values.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_up_url: {
    type: 'url',
    label: 'Sync up URL',
    description: 'Devices post kept scans to this URL instead of the account, which then has no record of them.',
    group: 'Auto sync',
    advanced: true,
    errors: ['221', '222'],
  },
  auto_sync_up_delay: {
    type: 'integer',
    min: 0,
    default: '2',
    label: 'Sync up delay',
    description: 'Seconds between a scan and its upload.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_down_url: {
    ...onOff,
    default: '1',
    label: 'Sync down',
    description: 'Download the database to devices automatically.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_down_delay: {
    type: 'integer',
    min: 0,
    default: '120',
    label: 'Sync down delay',
    description: 'Seconds between downloads of the database.',
    group: 'Auto sync',
    advanced: true,
  },
} as const satisfies Params;
