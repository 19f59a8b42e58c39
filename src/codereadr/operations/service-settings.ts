/**
 * The settings of a service, shared by services/create and services/update. Checks that need the validation method,
 * which only create knows, are in services.ts.
 */
import type { Params } from './operation.js';
import { symbologies } from './symbologies.js';

const onOff = { type: 'flag' } as const;

const basics = {
  service_name: {
    type: 'text',
    label: 'Name',
    means: 'The name that people see on their devices. If left blank: Service and a number.',
    group: 'Basics',
    errors: ['215', '219'],
  },
  description: {
    type: 'text',
    multiline: true,
    means: 'The text shown on the device. For a web view, the page to show: <html>…</html> or <curl>URL</curl>.',
    group: 'Basics',
    errors: ['210'],
  },
  database_id: {
    type: 'id',
    of: 'database',
    label: 'Database',
    means: 'The database to validate scans against.',
    group: 'Basics',
    errors: ['204', '211', '270'],
  },
} as const satisfies Params;

const judging = {
  duplicate_value: {
    ...onOff,
    fallback: '1',
    label: 'Duplicates are valid',
    means: 'A repeat scan of a value in the database is valid.',
    group: 'Results',
  },
  device_duplicate_value: {
    ...onOff,
    label: 'Duplicates on the same device are valid',
    means: 'A repeat scan on the same device is valid.',
    group: 'Results',
    advanced: true,
  },
  viewOtherScans: {
    ...onOff,
    fallback: '1',
    label: 'View other users’ scans',
    means: 'Users can view scans made by other users.',
    group: 'Results',
    advanced: true,
  },
  regex_response_pattern: {
    type: 'text',
    requires: ['regex_response_replacement'],
    requiresCode: '224',
    means: 'A regular expression for the text to replace in a response. Requires a replacement.',
    group: 'Results',
    advanced: true,
    errors: ['224'],
  },
  regex_response_replacement: {
    type: 'text',
    requires: ['regex_response_pattern'],
    requiresCode: '224',
    means: 'The text to insert instead. Requires a pattern.',
    group: 'Results',
    advanced: true,
    errors: ['224'],
  },
} as const satisfies Params;

const period = {
  period_start_date: {
    type: 'date',
    american: true,
    label: 'Start date',
    means: 'The first day the service can be used.',
    group: 'Period',
    errors: ['217'],
  },
  period_start_time: {
    type: 'time',
    american: true,
    requires: ['period_start_date'],
    requiresCode: '217',
    label: 'Start time',
    means: 'The time on the start date. Requires a start date.',
    group: 'Period',
  },
  period_end_date: {
    type: 'date',
    american: true,
    label: 'End date',
    means: 'The last day the service can be used.',
    group: 'Period',
    errors: ['213', '214', '218'],
  },
  period_end_time: {
    type: 'time',
    american: true,
    requires: ['period_end_date'],
    requiresCode: '218',
    label: 'End time',
    means: 'The time on the end date. Requires an end date.',
    group: 'Period',
  },
} as const satisfies Params;

const scanning = {
  symbologies: {
    type: 'choices',
    options: symbologies,
    means: 'The types of barcode the camera reads. An edit that leaves them out resets them.',
    group: 'Scanning',
  },
  auto_next_scan: {
    type: 'choice',
    options: [
      ['0', 'Off'],
      ['1', 'Only when valid'],
      ['2', 'Always; keep the scan after an error'],
      ['3', 'Always; discard the scan after an error'],
    ],
    means: 'Start the next scan automatically.',
    group: 'Scanning',
  },
  auto_next_scan_delay: {
    type: 'whole',
    min: 0,
    means: 'Seconds to wait before the next scan starts automatically.',
    group: 'Scanning',
    advanced: true,
  },
  enableGPS: {
    ...onOff,
    label: 'Record location',
    means: 'Record where each scan was made.',
    group: 'Scanning',
  },
  block_camera_scan: {
    ...onOff,
    means: 'Don’t allow scanning with the camera.',
    group: 'Scanning',
    advanced: true,
  },
  block_manual_scan: {
    ...onOff,
    means: 'Don’t allow typing in a barcode.',
    group: 'Scanning',
    advanced: true,
  },
  block_db_search: {
    ...onOff,
    label: 'Block database search',
    means: 'Don’t allow searching the database on the device.',
    group: 'Scanning',
    advanced: true,
  },
  regex_scan_pattern: {
    type: 'text',
    requires: ['regex_scan_replacement'],
    requiresCode: '224',
    means: 'A regular expression for the text to replace in a scanned barcode. Requires a replacement.',
    group: 'Scanning',
    advanced: true,
    errors: ['224'],
  },
  regex_scan_replacement: {
    type: 'text',
    requires: ['regex_scan_pattern'],
    requiresCode: '224',
    means: 'The text to insert instead. Requires a pattern.',
    group: 'Scanning',
    advanced: true,
    errors: ['224'],
  },
  decoder_config: {
    type: 'json',
    means: 'Barcode decoder settings as JSON, saved exactly as entered. Enter {} to clear them.',
    group: 'Scanning',
    advanced: true,
  },
  scan_properties: {
    type: 'json',
    object: true,
    means: 'A JSON object. Each pair is posted with every scan. A value can serve as a shared secret.',
    group: 'Scanning',
    advanced: true,
  },
} as const satisfies Params;

const reporting = {
  upload_email: {
    type: 'email',
    label: 'Email for uploads',
    means: 'The address that is emailed about uploaded scans.',
    group: 'Reports',
    advanced: true,
    errors: ['330'],
  },
  upload_email_format: {
    type: 'choice',
    options: [
      ['regular', 'Regular'],
      ['properties', 'With properties'],
    ],
    label: 'Email format',
    means: 'What the email about uploaded scans contains.',
    group: 'Reports',
    advanced: true,
  },
  direct_history_url: {
    type: 'url',
    means: 'The page that devices open to show the scan history.',
    group: 'Reports',
    advanced: true,
    errors: ['221', '222'],
  },
  direct_lookup_url: {
    type: 'url',
    means: 'The page that devices open to look up a barcode.',
    group: 'Reports',
    advanced: true,
    errors: ['221', '222'],
  },
} as const satisfies Params;

const posting = {
  postback_url: {
    type: 'url',
    label: 'Postback URL',
    means: 'The URL that each scan is posted to.',
    group: 'Postback',
    errors: ['210', '221', '222', '226'],
  },
  postback_receiver_only: {
    ...onOff,
    label: 'Ignore the URL’s response',
    means: 'Post scans to the URL without waiting for its response. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
  postback_real_time_scans: {
    ...onOff,
    label: 'Post scans in real time',
    means: 'Post each scan as soon as it is made. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
  postback_uploaded_scans: {
    ...onOff,
    label: 'Post uploaded scans',
    means: 'Post scans when a device uploads them. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
} as const satisfies Params;

const syncing = {
  auto_sync: { ...onOff, means: 'Sync devices automatically.', group: 'Auto sync', advanced: true },
  auto_sync_up_url: {
    type: 'url',
    label: 'Sync up URL',
    means: 'The URL that devices post offline scans to.',
    group: 'Auto sync',
    advanced: true,
    errors: ['221', '222'],
  },
  auto_sync_up_delay: {
    type: 'whole',
    min: 0,
    fallback: '2',
    label: 'Sync up delay',
    means: 'Seconds between a scan and its upload.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_down_url: {
    ...onOff,
    label: 'Sync down',
    means: 'Download the database to devices automatically.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_down_delay: {
    type: 'whole',
    min: 0,
    fallback: '120',
    label: 'Sync down delay',
    means: 'Seconds between downloads of the database.',
    group: 'Auto sync',
    advanced: true,
  },
} as const satisfies Params;

export const serviceSettings = {
  ...basics,
  ...posting,
  ...judging,
  ...period,
  ...scanning,
  ...reporting,
  ...syncing,
} as const satisfies Params;

/** API codes with which a service's settings can be refused. */
export const serviceSettingErrors = [
  '204',
  '210',
  '211',
  '213',
  '214',
  '215',
  '217',
  '218',
  '219',
  '221',
  '222',
  '224',
  '225',
  '226',
  '270',
  '330',
] as const;
