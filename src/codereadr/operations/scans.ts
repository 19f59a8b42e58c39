/** Declarations of the section `scans`. */
import type { RecordedScan, ScanStatus } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy, paging } from './common.js';
import { operation } from './operation.js';
import { all, attribute, count, first, named, nothing, text, told } from './read.js';
import { askInUtc } from './scan-zone.js';

const statuses: Readonly<Record<string, ScanStatus>> = { '1': 'valid', '0': 'invalid', '-1': 'not_validated' };

function scan(element: Element): RecordedScan {
  const sent = text(element, 'status').trim();
  const status = statuses[sent] ?? 'other';
  const timestampReceived = told(element, 'timestamp_received');
  const timestampModified = told(element, 'timestamp_modified');
  return {
    id: attribute(element, 'id'),
    value: text(element, 'tid'),
    status,
    ...(status === 'other' && { statusSent: sent }),
    result: text(element, 'result'),
    timestamp: text(element, 'timestamp'),
    ...(timestampReceived !== undefined && { timestampReceived }),
    ...(timestampModified !== undefined && { timestampModified }),
    device: named(element, 'device'),
    service: named(element, 'service'),
    user: named(element, 'user'),
    answers: all(element, 'answer').map((answer) => ({
      questionId: attribute(answer, 'qid'),
      question: attribute(answer, 'qtext'),
      answer: answer.text,
    })),
    properties: (first(element, 'properties')?.children ?? []).map((property) => ({
      name: property.name,
      value: property.text,
    })),
  };
}

export const scanOrders = [
  ['barcode', 'Barcode'],
  ['device_name', 'Device name'],
  ['device_id', 'Device id'],
  ['response', 'Response'],
  ['scan_id', 'Scan id'],
  ['service_id', 'Service id'],
  ['service_name', 'Service name'],
  ['status', 'Result'],
  ['timestamp', 'Time of the scan'],
  ['timestamp_received', 'Time it was received'],
  ['timestamp_modified', 'Time it was changed'],
  ['user_id', 'User id'],
  ['user_name', 'User name'],
  ['barcode_desc', 'Barcode, descending'],
  ['device_name_desc', 'Device name, descending'],
  ['device_id_desc', 'Device id, descending'],
  ['response_desc', 'Response, descending'],
  ['scan_id_desc', 'Scan id, descending'],
  ['service_id_desc', 'Service id, descending'],
  ['service_name_desc', 'Service name, descending'],
  ['status_desc', 'Result, descending'],
  ['timestamp_desc', 'Time of the scan, latest first'],
  ['timestamp_received_desc', 'Time it was received, latest first'],
  ['timestamp_modified_desc', 'Time it was changed, latest first'],
  ['user_id_desc', 'User id, descending'],
  ['user_name_desc', 'User name, descending'],
] as const;

const shown = [
  ['1', 'Tell it, and let the dates count for it too'],
  ['2', 'Tell it'],
] as const;

export const retrieve = operation({
  section: 'scans',
  action: 'retrieve',
  title: 'Search scans',
  effect: 'read',
  input: {
    keyword: { type: 'text', means: 'Scans that hold this anywhere.', group: 'What' },
    value: { type: 'barcode', label: 'Barcode', means: 'Exactly this barcode value.', group: 'What' },
    valuelike: { type: 'barcode', label: 'Barcode holds', means: 'Barcode values that hold this.', group: 'What' },
    response: { type: 'text', means: 'Exactly this response.', group: 'What', advanced: true },
    responselike: {
      type: 'text',
      label: 'Response holds',
      means: 'Responses that hold this.',
      group: 'What',
      advanced: true,
    },
    status: {
      type: 'choices',
      fallback: 'all',
      options: [
        ['1', 'Valid'],
        ['0', 'Invalid'],
        ['-1', 'Not validated: no connection'],
        ['all', 'All'],
      ],
      label: 'Result',
      means: 'Which results.',
      group: 'What',
    },
    service_id: { ...filterBy('service', 'Scans of these services.'), group: 'Who and where', errors: ['131', '200'] },
    device_id: { ...filterBy('device', 'Scans of these devices.'), group: 'Who and where' },
    user_id: { ...filterBy('user', 'Scans of these users.'), group: 'Who and where', errors: ['132', '201', '300'] },
    scan_id: {
      type: 'ids',
      of: 'scan',
      means: 'These scans.',
      group: 'Who and where',
      advanced: true,
      errors: ['135'],
    },
    upload_id: { type: 'ids', of: 'upload', means: 'Scans of these uploads.', group: 'Who and where', advanced: true },
    start_date: { type: 'date', label: 'From', means: 'Scans from this day on.', group: 'When', errors: ['217'] },
    start_time: {
      type: 'time',
      label: 'From, time',
      means: 'The time of that day.',
      group: 'When',
      requires: ['start_date'],
      requiresCode: '217',
    },
    end_date: { type: 'date', label: 'Until', means: 'Scans up to this day.', group: 'When', errors: ['213', '218'] },
    end_time: {
      type: 'time',
      label: 'Until, time',
      means: 'The time of that day.',
      group: 'When',
      requires: ['end_date'],
      requiresCode: '218',
    },
    timezone: {
      type: 'zone',
      account: true,
      fallback: 'America/New_York',
      label: 'Time zone',
      means: 'The zone of all dates and times, asked and told.',
      group: 'When',
    },
    timezone_offset: {
      type: 'text',
      pattern: 'account|[+-]?\\d{1,2}(:?\\d{2})?',
      excludes: ['timezone'],
      means: 'Hours from UTC, as in +08:00, or the word account. Deprecated: use the time zone.',
      group: 'When',
      advanced: true,
    },
    timestamp_received: {
      type: 'choice',
      options: shown,
      label: 'Time received',
      means: 'Tell when the account received a scan.',
      group: 'When',
      advanced: true,
    },
    timestamp_modified: {
      type: 'choice',
      options: shown,
      label: 'Time changed',
      means: 'Tell when a scan was changed.',
      group: 'When',
      advanced: true,
    },
    modified_diff: {
      type: 'text',
      pattern: '[<>] ?(\\d+(\\.\\d+)?|\\.\\d+) (second|minute|hour|day|month|year)',
      label: 'Changed since the scan',
      means: 'How long after the scan it was changed: < 2 minute, > 1.5 hour; second, minute, hour, day, month, year.',
      group: 'When',
      advanced: true,
    },
    showProperties: { type: 'flag', means: 'Whether properties are told.', group: 'Properties' },
    includeProperty: {
      type: 'names',
      means: 'Scans that have these properties; comma between names.',
      group: 'Properties',
      advanced: true,
    },
    excludeProperty: {
      type: 'names',
      means: 'Scans that do not have these properties; comma between names.',
      group: 'Properties',
      advanced: true,
    },
    with_property: {
      type: 'pairs',
      means: 'Scans whose properties have these values.',
      group: 'Properties',
      advanced: true,
    },
    without_property: {
      type: 'pairs',
      means: 'Scans whose properties do not have these values.',
      group: 'Properties',
      advanced: true,
    },
    order_by: { type: 'choices', options: scanOrders, means: 'In which order they are told.', group: 'Order' },
    only_recent: { type: 'flag', means: 'Whether only the latest scan of each barcode is told.', group: 'Order' },
    ...paging,
    limit: { ...paging.limit, fallback: '10000' },
  },
  period: {
    startDate: 'start_date',
    startTime: 'start_time',
    endDate: 'end_date',
    endTime: 'end_time',
    orderCode: '213',
  },
  adapt: askInUtc,
  output: (root) => {
    const scans = count(root, 'count');
    return { ...(scans !== undefined && { count: scans }), scans: all(root, 'scan').map(scan) };
  },
  errors: ['131', '132', '135', '200', '201', '213', '217', '218', '300'],
  notes:
    'Ask pages of at most 500 and always name a time zone. With an offset it is ambiguous whether 5 begins with the 5th ' +
    'or the 6th scan: page by overlap and id. What only_recent keeps is read from its name (a guess).',
});

const remove = operation({
  section: 'scans',
  action: 'delete',
  title: 'Delete scans',
  done: 'Deleted {scan_id}',
  effect: 'delete',
  input: {
    scan_id: { type: 'ids', of: 'scan', required: true, means: 'The scans to delete.', errors: ['135', '804'] },
  },
  output: nothing,
  errors: ['135', '804'],
});

export { remove as delete };
