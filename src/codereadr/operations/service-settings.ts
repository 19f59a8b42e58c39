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
    means: 'What people see on their devices; Service N by default.',
    group: 'Basics',
    errors: ['215', '219'],
  },
  description: {
    type: 'text',
    multiline: true,
    means: 'Shown on the device; for a web view it is the page: <html>…</html>, or <curl>URL</curl>.',
    group: 'Basics',
    errors: ['210'],
  },
  database_id: {
    type: 'id',
    of: 'database',
    label: 'Database',
    means: 'The database that scans are checked against.',
    group: 'Basics',
    errors: ['204', '211', '270'],
  },
} as const satisfies Params;

const judging = {
  duplicate_value: {
    ...onOff,
    fallback: '1',
    label: 'Duplicates are valid',
    means: 'Whether a second scan of a value in the database is valid.',
    group: 'Results',
  },
  device_duplicate_value: {
    ...onOff,
    label: 'Duplicates on a device are valid',
    means: 'Whether a second scan on the same device is valid.',
    group: 'Results',
    advanced: true,
  },
  viewOtherScans: {
    ...onOff,
    fallback: '1',
    label: 'See others’ scans',
    means: 'Whether users may see the scans of other users.',
    group: 'Results',
    advanced: true,
  },
  regex_response_pattern: {
    type: 'text',
    requires: ['regex_response_replacement'],
    requiresCode: '224',
    means: 'A regular expression: what to replace in a response. Goes with its replacement.',
    group: 'Results',
    advanced: true,
    errors: ['224'],
  },
  regex_response_replacement: {
    type: 'text',
    requires: ['regex_response_pattern'],
    requiresCode: '224',
    means: 'What to put there. Goes with its pattern.',
    group: 'Results',
    advanced: true,
    errors: ['224'],
  },
} as const satisfies Params;

const period = {
  period_start_date: {
    type: 'date',
    american: true,
    label: 'Starts on',
    means: 'The first day on which the service can be used.',
    group: 'Period',
    errors: ['217'],
  },
  period_start_time: {
    type: 'time',
    american: true,
    requires: ['period_start_date'],
    requiresCode: '217',
    label: 'Starts at',
    means: 'The time of that day. Goes with a start date.',
    group: 'Period',
  },
  period_end_date: {
    type: 'date',
    american: true,
    label: 'Ends on',
    means: 'The last day on which the service can be used.',
    group: 'Period',
    errors: ['213', '214', '218'],
  },
  period_end_time: {
    type: 'time',
    american: true,
    requires: ['period_end_date'],
    requiresCode: '218',
    label: 'Ends at',
    means: 'The time of that day. Goes with an end date.',
    group: 'Period',
  },
} as const satisfies Params;

const scanning = {
  symbologies: {
    type: 'choices',
    options: symbologies,
    means: 'Which kinds of barcode the camera reads. A change without them resets them.',
    group: 'Scanning',
  },
  auto_next_scan: {
    type: 'choice',
    options: [
      ['0', 'Off'],
      ['1', 'Only when valid'],
      ['2', 'Always; keep the scan on an error'],
      ['3', 'Always; discard the scan on an error'],
    ],
    means: 'Whether the next scan begins by itself.',
    group: 'Scanning',
  },
  auto_next_scan_delay: {
    type: 'whole',
    min: 0,
    means: 'Seconds until the next scan begins by itself.',
    group: 'Scanning',
    advanced: true,
  },
  enableGPS: {
    ...onOff,
    label: 'Record the place',
    means: 'Whether a scan records where it was made.',
    group: 'Scanning',
  },
  block_camera_scan: {
    ...onOff,
    means: 'Whether scanning by camera is blocked.',
    group: 'Scanning',
    advanced: true,
  },
  block_manual_scan: {
    ...onOff,
    means: 'Whether typing a barcode is blocked.',
    group: 'Scanning',
    advanced: true,
  },
  block_db_search: {
    ...onOff,
    label: 'Block database search',
    means: 'Whether searching the database on the device is blocked.',
    group: 'Scanning',
    advanced: true,
  },
  regex_scan_pattern: {
    type: 'text',
    requires: ['regex_scan_replacement'],
    requiresCode: '224',
    means: 'A regular expression: what to replace in a scanned barcode. Goes with its replacement.',
    group: 'Scanning',
    advanced: true,
    errors: ['224'],
  },
  regex_scan_replacement: {
    type: 'text',
    requires: ['regex_scan_pattern'],
    requiresCode: '224',
    means: 'What to put there. Goes with its pattern.',
    group: 'Scanning',
    advanced: true,
    errors: ['224'],
  },
  decoder_config: {
    type: 'json',
    means: 'Settings of the barcode decoder as JSON, kept as given; {} clears them.',
    group: 'Scanning',
    advanced: true,
  },
  scan_properties: {
    type: 'json',
    object: true,
    means: 'A JSON object; each pair is posted with every scan. A value can serve as a shared secret.',
    group: 'Scanning',
    advanced: true,
  },
} as const satisfies Params;

const reporting = {
  upload_email: {
    type: 'email',
    label: 'E-mail for uploads',
    means: 'Who is told by e-mail of uploaded scans.',
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
    label: 'Format of that e-mail',
    means: 'What the e-mail about uploaded scans holds.',
    group: 'Reports',
    advanced: true,
  },
  direct_history_url: {
    type: 'url',
    means: 'A page that devices open for the history of scans.',
    group: 'Reports',
    advanced: true,
    errors: ['221', '222'],
  },
  direct_lookup_url: {
    type: 'url',
    means: 'A page that devices open to look a barcode up.',
    group: 'Reports',
    advanced: true,
    errors: ['221', '222'],
  },
} as const satisfies Params;

const posting = {
  postback_url: {
    type: 'url',
    label: 'Postback URL',
    means: 'Where each scan is posted.',
    group: 'Postback',
    errors: ['210', '221', '222', '226'],
  },
  postback_receiver_only: {
    ...onOff,
    label: 'URL only receives',
    means: 'Whether the URL’s answer is ignored. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
  postback_real_time_scans: {
    ...onOff,
    label: 'Post scans made online',
    means: 'Whether scans are posted the moment they are made. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
  postback_uploaded_scans: {
    ...onOff,
    label: 'Post uploaded scans',
    means: 'Whether scans are posted when a device uploads them. Not for postback services.',
    group: 'Postback',
    advanced: true,
    errors: ['225', '226'],
  },
} as const satisfies Params;

const syncing = {
  auto_sync: { ...onOff, means: 'Whether devices sync by themselves.', group: 'Auto sync', advanced: true },
  auto_sync_up_url: {
    type: 'url',
    label: 'Sync up: URL',
    means: 'Where devices post the scans they made offline.',
    group: 'Auto sync',
    advanced: true,
    errors: ['221', '222'],
  },
  auto_sync_up_delay: {
    type: 'whole',
    min: 0,
    fallback: '2',
    label: 'Sync up: delay',
    means: 'Seconds between a scan and its upload.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_down_url: {
    ...onOff,
    label: 'Sync down',
    means: 'Whether devices fetch the database by themselves.',
    group: 'Auto sync',
    advanced: true,
  },
  auto_sync_down_delay: {
    type: 'whole',
    min: 0,
    fallback: '120',
    label: 'Sync down: delay',
    means: 'Seconds between two fetches of the database.',
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
