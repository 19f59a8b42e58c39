/** Declarations of the section `scans`. */
import type { RecordedScan, ScanStatus } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy, paging } from './common.js';
import { operation } from './operation.js';
import {
  attribute,
  childrenNamed,
  count,
  firstNamed,
  idAndName,
  mapInTurns,
  optionalText,
  readNothing,
  text,
} from './read.js';
import { requestInUtc } from './scan-zone.js';

const statuses: Readonly<Record<string, ScanStatus>> = { '1': 'valid', '0': 'invalid', '-1': 'not_validated' };

function scan(element: Element): RecordedScan {
  const sentStatus = text(element, 'status').trim();
  const status = statuses[sentStatus] ?? 'other';
  const timestampReceived = optionalText(element, 'timestamp_received');
  const timestampModified = optionalText(element, 'timestamp_modified');
  return {
    id: attribute(element, 'id'),
    value: text(element, 'tid'),
    status,
    ...(status === 'other' && { statusSent: sentStatus }),
    result: text(element, 'result'),
    timestamp: text(element, 'timestamp'),
    ...(timestampReceived !== undefined && { timestampReceived }),
    ...(timestampModified !== undefined && { timestampModified }),
    device: idAndName(element, 'device'),
    service: idAndName(element, 'service'),
    user: idAndName(element, 'user'),
    answers: childrenNamed(element, 'answer').map((answer) => ({
      questionId: attribute(answer, 'qid'),
      question: attribute(answer, 'qtext'),
      answer: answer.text,
    })),
    properties: (firstNamed(element, 'properties')?.children ?? []).map((property) => ({
      name: property.name,
      value: property.text,
    })),
  };
}

const scanOrders = [
  ['barcode', 'Barcode'],
  ['device_name', 'Device name'],
  ['device_id', 'Device ID'],
  ['response', 'Response'],
  ['scan_id', 'Scan ID'],
  ['service_id', 'Service ID'],
  ['service_name', 'Service name'],
  ['status', 'Result'],
  ['timestamp', 'Scan time'],
  ['timestamp_received', 'Received time'],
  ['timestamp_modified', 'Modified time'],
  ['user_id', 'User ID'],
  ['user_name', 'User name'],
  ['barcode_desc', 'Barcode, descending'],
  ['device_name_desc', 'Device name, descending'],
  ['device_id_desc', 'Device ID, descending'],
  ['response_desc', 'Response, descending'],
  ['scan_id_desc', 'Scan ID, descending'],
  ['service_id_desc', 'Service ID, descending'],
  ['service_name_desc', 'Service name, descending'],
  ['status_desc', 'Result, descending'],
  ['timestamp_desc', 'Scan time, newest first'],
  ['timestamp_received_desc', 'Received time, newest first'],
  ['timestamp_modified_desc', 'Modified time, newest first'],
  ['user_id_desc', 'User ID, descending'],
  ['user_name_desc', 'User name, descending'],
] as const;

const shownFields = [
  ['1', 'Show it, and apply the dates to it'],
  ['2', 'Show it'],
] as const;

export const retrieve = operation('scans', 'retrieve', {
  title: 'Search scans',
  effect: 'read',
  input: {
    keyword: { type: 'text', description: 'Find scans that contain this anywhere.', group: 'Barcode and result' },
    value: {
      type: 'barcode',
      label: 'Barcode',
      description: 'Find exactly this barcode.',
      group: 'Barcode and result',
    },
    valuelike: {
      type: 'barcode',
      label: 'Barcode contains',
      description: 'Find barcodes that contain this text.',
      group: 'Barcode and result',
    },
    response: { type: 'text', description: 'Find exactly this response.', group: 'Barcode and result', advanced: true },
    responselike: {
      type: 'text',
      label: 'Response contains',
      description: 'Find responses that contain this text.',
      group: 'Barcode and result',
      advanced: true,
    },
    status: {
      type: 'enumList',
      default: 'all',
      options: [
        ['1', 'Valid'],
        ['0', 'Not valid'],
        ['-1', 'Not validated (offline)'],
        ['all', 'All'],
      ],
      label: 'Result',
      description: 'The results to include.',
      group: 'Barcode and result',
    },
    service_id: {
      ...filterBy('service', 'Find scans made with these services.'),
      group: 'Service, device, and user',
      errors: ['131', '200'],
    },
    device_id: { ...filterBy('device', 'Find scans made on these devices.'), group: 'Service, device, and user' },
    user_id: {
      ...filterBy('user', 'Find scans made by these users.'),
      group: 'Service, device, and user',
      errors: ['132', '201', '300'],
    },
    scan_id: {
      type: 'ids',
      of: 'scan',
      description: 'Find these scans.',
      group: 'Service, device, and user',
      advanced: true,
      errors: ['135'],
    },
    upload_id: {
      type: 'ids',
      of: 'upload',
      description: 'Find scans from these uploads.',
      group: 'Service, device, and user',
      advanced: true,
    },
    start_date: {
      type: 'date',
      label: 'Start date',
      description: 'Find scans from this day on.',
      group: 'Date and time',
      errors: ['217'],
    },
    start_time: {
      type: 'time',
      label: 'Start time',
      description: 'The time of that day.',
      group: 'Date and time',
      requires: ['start_date'],
      requiresCode: '217',
    },
    end_date: {
      type: 'date',
      label: 'End date',
      description: 'Find scans up to and including this day.',
      group: 'Date and time',
      errors: ['213', '218'],
    },
    end_time: {
      type: 'time',
      label: 'End time',
      description: 'The time of that day.',
      group: 'Date and time',
      requires: ['end_date'],
      requiresCode: '218',
    },
    timezone: {
      type: 'zone',
      account: true,
      default: 'America/New_York',
      label: 'Time zone',
      description: 'The time zone of all dates and times, in the search and in the results.',
      group: 'Date and time',
    },
    timezone_offset: {
      type: 'text',
      pattern: 'account|[+-]?\\d{1,2}(:?\\d{2})?',
      conflictsWith: ['timezone'],
      description: 'Offset from UTC, such as +08:00, or the word account. Deprecated: use the time zone instead.',
      group: 'Date and time',
      advanced: true,
    },
    timestamp_received: {
      type: 'enum',
      options: shownFields,
      label: 'Received time',
      description: 'Show when the account received a scan.',
      group: 'Date and time',
      advanced: true,
    },
    timestamp_modified: {
      type: 'enum',
      options: shownFields,
      label: 'Modified time',
      description: 'Show when a scan was modified.',
      group: 'Date and time',
      advanced: true,
    },
    modified_diff: {
      type: 'text',
      pattern: '[<>] ?(\\d+(\\.\\d+)?|\\.\\d+) (second|minute|hour|day|month|year)',
      label: 'Modified after the scan',
      description:
        'Time between scan and change: < 2 minute or > 1.5 hour. Units: second, minute, hour, day, month, year.',
      group: 'Date and time',
      advanced: true,
    },
    showProperties: { type: 'boolean', description: 'Show the properties of each scan.', group: 'Properties' },
    includeProperty: {
      type: 'names',
      description: 'Find scans that have these properties. Separate names with commas.',
      group: 'Properties',
      advanced: true,
    },
    excludeProperty: {
      type: 'names',
      description: 'Find scans that don’t have these properties. Separate names with commas.',
      group: 'Properties',
      advanced: true,
    },
    with_property: {
      type: 'pairs',
      description: 'Find scans whose properties have these values.',
      group: 'Properties',
      advanced: true,
    },
    without_property: {
      type: 'pairs',
      description: 'Find scans whose properties don’t have these values.',
      group: 'Properties',
      advanced: true,
    },
    order_by: { type: 'enumList', options: scanOrders, description: 'How to sort the results.', group: 'Sorting' },
    only_recent: { type: 'boolean', description: 'Show only the latest scan of each barcode.', group: 'Sorting' },
    ...paging,
    limit: { ...paging.limit, default: '10000' },
  },
  period: {
    startDate: 'start_date',
    startTime: 'start_time',
    endDate: 'end_date',
    endTime: 'end_time',
    orderCode: '213',
  },
  adapt: requestInUtc,
  output: async (root) => {
    const scans = count(root, 'count');
    return { ...(scans !== undefined && { count: scans }), scans: await mapInTurns(childrenNamed(root, 'scan'), scan) };
  },
  notes:
    'Request pages of at most 500 and always name a time zone. With an offset it is ambiguous whether 5 begins with the 5th ' +
    'or the 6th scan: page by overlap and id. What only_recent keeps is read from its name (a guess).',
});

const remove = operation('scans', 'delete', {
  title: 'Delete scans',
  success: 'Deleted {scan_id}',
  effect: 'delete',
  input: {
    scan_id: { type: 'ids', of: 'scan', required: true, description: 'The scans to delete.', errors: ['135', '804'] },
  },
  output: readNothing,
});

export { remove as delete };
