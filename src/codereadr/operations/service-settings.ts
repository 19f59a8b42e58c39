/**
 * The settings of a service, shared by services/create and services/update. Checks that need the validation method,
 * which only create knows, are in services.ts.
 */
import type { Params } from './operation.js';
import { posting, reporting, syncing } from './service-urls.js';
import { symbologies } from './symbologies.js';

const onOff = { type: 'boolean' } as const;

const basicParams = {
  service_name: {
    type: 'text',
    label: 'Name',
    description: 'The name that people see on their devices. If left blank: Service and a number.',
    group: 'Basics',
    errors: ['215', '219'],
  },
  description: {
    type: 'text',
    multiline: true,
    description: 'The text shown on the device. For a web view, the page to show: <html>…</html> or <curl>URL</curl>.',
    group: 'Basics',
    errors: ['210'],
  },
  database_id: {
    type: 'id',
    of: 'database',
    label: 'Database',
    description: 'The database to validate scans against.',
    group: 'Basics',
    errors: ['204', '211', '270'],
  },
} as const satisfies Params;

const validation = {
  duplicate_value: {
    ...onOff,
    default: '1',
    label: 'Duplicates are valid',
    description: 'A repeat scan of a value in the database is valid.',
    group: 'Results',
  },
  device_duplicate_value: {
    ...onOff,
    default: '1',
    label: 'Duplicates on the same device are valid',
    description: 'A repeat scan on the same device is valid.',
    group: 'Results',
    advanced: true,
  },
  viewOtherScans: {
    ...onOff,
    default: '1',
    label: 'View other users’ scans',
    description: 'Users can view scans made by other users.',
    group: 'Results',
    advanced: true,
  },
  regex_response_pattern: {
    type: 'text',
    requires: ['regex_response_replacement'],
    requiresCode: '224',
    description: 'A regular expression for the text to replace in a response. Requires a replacement.',
    group: 'Results',
    advanced: true,
    errors: ['224'],
  },
  regex_response_replacement: {
    type: 'text',
    requires: ['regex_response_pattern'],
    requiresCode: '224',
    description: 'The text to insert instead. Requires a pattern.',
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
    description: 'The first day the service can be used.',
    group: 'Period',
    errors: ['217'],
  },
  period_start_time: {
    type: 'time',
    american: true,
    label: 'Start time',
    description: 'The time on the start date.',
    group: 'Period',
  },
  period_end_date: {
    type: 'date',
    american: true,
    label: 'End date',
    description: 'The last day the service can be used.',
    group: 'Period',
    errors: ['213', '214', '218'],
  },
  period_end_time: {
    type: 'time',
    american: true,
    label: 'End time',
    description: 'The time on the end date.',
    group: 'Period',
  },
} as const satisfies Params;

const scanning = {
  symbologies: {
    type: 'enumList',
    options: symbologies,
    description: 'The types of barcode the camera reads. An edit that leaves them out resets them.',
    group: 'Scanning',
  },
  auto_next_scan: {
    type: 'enum',
    options: [
      ['0', 'Off'],
      ['1', 'Only when valid'],
      ['2', 'Always; keep the scan after an error'],
      ['3', 'Always; discard the scan after an error'],
    ],
    default: '0',
    description: 'Start the next scan automatically.',
    group: 'Scanning',
  },
  auto_next_scan_delay: {
    type: 'integer',
    min: 0,
    description: 'Seconds to wait before the next scan starts automatically.',
    group: 'Scanning',
    advanced: true,
  },
  enableGPS: {
    ...onOff,
    label: 'Record location',
    description: 'Record where each scan was made.',
    group: 'Scanning',
  },
  block_camera_scan: {
    ...onOff,
    description: 'Don’t allow scanning with the camera.',
    group: 'Scanning',
    advanced: true,
  },
  block_manual_scan: {
    ...onOff,
    description: 'Don’t allow typing in a barcode.',
    group: 'Scanning',
    advanced: true,
  },
  block_db_search: {
    ...onOff,
    label: 'Block database search',
    description: 'Don’t allow searching the database on the device.',
    group: 'Scanning',
    advanced: true,
  },
  regex_scan_pattern: {
    type: 'text',
    requires: ['regex_scan_replacement'],
    requiresCode: '224',
    description: 'A regular expression for the text to replace in a scanned barcode. Requires a replacement.',
    group: 'Scanning',
    advanced: true,
    errors: ['224'],
  },
  regex_scan_replacement: {
    type: 'text',
    requires: ['regex_scan_pattern'],
    requiresCode: '224',
    description: 'The text to insert instead. Requires a pattern.',
    group: 'Scanning',
    advanced: true,
    errors: ['224'],
  },
  decoder_config: {
    type: 'json',
    clearedBy: '{}',
    description:
      'Decoder settings as JSON, saved as entered, for every device. A mistake can stop cameras from reading.',
    group: 'Scanning',
    advanced: true,
  },
  scan_properties: {
    type: 'json',
    object: true,
    description: 'A JSON object. Each pair is posted with every scan. A value can serve as a shared secret.',
    group: 'Scanning',
    advanced: true,
  },
} as const satisfies Params;

export const serviceSettings = {
  ...basicParams,
  ...posting,
  ...validation,
  ...period,
  ...scanning,
  ...reporting,
  ...syncing,
} as const satisfies Params;
