/** Declarations of the section `services`. */
import type { Service } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy } from './common.js';
import { operation } from './operation.js';
import { all, attribute, first, idOf, ids, newId, nothing, text, told } from './read.js';
import { serviceSettingErrors, serviceSettings } from './service-settings.js';

const noService = ['131', '200'] as const;

const someServices = {
  type: 'ids',
  of: 'service',
  all: true,
  required: true,
  means: 'The services.',
  errors: noService,
} as const;

const notPostback = {
  variable: 'validation_method',
  is: ['record', 'ondevicerecord', 'database', 'ondevicedatabase', 'webview'],
  code: '225',
} as const;

const webview = { variable: 'validation_method', is: ['webview'], code: '210' } as const;

const withUrl = { requires: ['postback_url'], requiresCode: '226', onlyWhen: notPostback } as const;

/** Changing one of them without the URL is refused, even though the service has it. */
const alongWithUrl = { sentWith: ['postback_url'], requiresCode: '226' } as const;

const period = {
  startDate: 'period_start_date',
  startTime: 'period_start_time',
  endDate: 'period_end_date',
  endTime: 'period_end_time',
  orderCode: '213',
  pastCode: '214',
} as const;

function service(element: Element): Service {
  const database = first(element, 'database');
  const databaseId = database && (idOf(database) || undefined);
  const postbackUrl = told(element, 'postback');
  const duplicateScanValue = told(element, 'duplicateScanValue');
  const description = told(element, 'description');
  return {
    id: attribute(element, 'id'),
    name: text(element, 'name'),
    validationMethod: text(element, 'validationmethod'),
    userIds: ids(element, 'user'),
    questionIds: ids(element, 'question'),
    ...(postbackUrl !== undefined && { postbackUrl }),
    ...(databaseId !== undefined && { databaseId }),
    ...(duplicateScanValue !== undefined && { duplicateScanValue }),
    ...(description !== undefined && { description }),
  };
}

export const retrieve = operation({
  section: 'services',
  action: 'retrieve',
  title: 'List services',
  effect: 'read',
  input: { service_id: { ...filterBy('service', 'Which services; all by default.'), errors: noService } },
  output: (root) => ({ services: all(root, 'service').map(service) }),
  errors: ['131', '200'],
  notes: 'Tells neither symbologies nor the postback flags. That it tells the description is a guess.',
});

export const create = operation({
  section: 'services',
  action: 'create',
  title: 'Create a service',
  done: 'Created the service {service_name}',
  effect: 'write',
  input: {
    validation_method: {
      type: 'choice',
      required: true,
      options: [
        ['record', 'Record scans'],
        ['ondevicerecord', 'Record scans on the device'],
        ['database', 'Check against a database'],
        ['ondevicedatabase', 'Check against a database on the device'],
        ['webview', 'Show a page'],
        ['postback', 'Ask a URL'],
      ],
      means: 'What happens to a scan. It cannot be changed afterwards.',
      group: 'Basics',
      errors: ['210'],
    },
    ...serviceSettings,
    description: {
      ...serviceSettings.description,
      requiredWhen: webview,
      pageWhen: webview,
    },
    database_id: {
      ...serviceSettings.database_id,
      requiredWhen: { variable: 'validation_method', is: ['database', 'ondevicedatabase'], code: '211' },
    },
    postback_url: {
      ...serviceSettings.postback_url,
      requiredWhen: { variable: 'validation_method', is: ['postback'], code: '210' },
    },
    enable_direct_scan: {
      type: 'flag',
      label: 'Direct scan to URL',
      means: 'Whether scans go from the device straight to the URL. Fixed afterwards; postback only.',
      group: 'Postback',
      onlyWhen: { variable: 'validation_method', is: ['postback'], code: '223' },
      errors: ['223'],
    },
    postback_receiver_only: { ...serviceSettings.postback_receiver_only, ...withUrl },
    postback_real_time_scans: { ...serviceSettings.postback_real_time_scans, ...withUrl },
    postback_uploaded_scans: { ...serviceSettings.postback_uploaded_scans, ...withUrl },
  },
  period,
  output: newId,
  errors: [...serviceSettingErrors, '223'],
  notes: 'To change enable_direct_scan, create the service anew.',
});

export const update = operation({
  section: 'services',
  action: 'update',
  title: 'Change a service',
  done: 'Changed {service_id}',
  effect: 'write',
  input: {
    service_id: { type: 'id', of: 'service', required: true, means: 'The service to change.', errors: noService },
    ...serviceSettings,
    symbologies: { ...serviceSettings.symbologies, resetWhenOmitted: true },
    postback_receiver_only: { ...serviceSettings.postback_receiver_only, ...alongWithUrl },
    postback_real_time_scans: { ...serviceSettings.postback_real_time_scans, ...alongWithUrl },
    postback_uploaded_scans: { ...serviceSettings.postback_uploaded_scans, ...alongWithUrl },
  },
  period,
  output: nothing,
  errors: ['131', '200', ...serviceSettingErrors],
  notes:
    'What is left out keeps its value, except symbologies: left out, they are reset, and retrieve does not tell them. ' +
    'An edit form must say so and offer to set them. The postback flags go with postback_url, or 226 comes.',
});

const remove = operation({
  section: 'services',
  action: 'delete',
  title: 'Delete services',
  done: 'Deleted {service_id}',
  effect: 'delete',
  input: { service_id: { ...someServices, means: 'The services to delete.' } },
  output: nothing,
  errors: ['131', '200'],
  notes: 'The service accepts the word all. Forms never offer it.',
});

export { remove as delete };

const someUsers = {
  type: 'ids',
  of: 'user',
  all: true,
  required: true,
  means: 'The users.',
  errors: ['132', '201'],
} as const;

export const adduserpermission = operation({
  section: 'services',
  action: 'adduserpermission',
  title: 'Let users use a service',
  done: 'Let {user_id} use {service_id}',
  effect: 'write',
  input: { service_id: someServices, user_id: { ...someUsers, means: 'Who may use them.' } },
  output: nothing,
  errors: ['131', '132', '200', '201'],
});

export const revokeuserpermission = operation({
  section: 'services',
  action: 'revokeuserpermission',
  title: 'Take users off a service',
  done: 'Took {user_id} off {service_id}',
  effect: 'write',
  input: { service_id: someServices, user_id: { ...someUsers, means: 'Who may use them no longer.' } },
  output: nothing,
  errors: ['131', '132', '200', '201'],
});

const someQuestions = {
  type: 'ids',
  of: 'question',
  all: true,
  required: true,
  means: 'The questions.',
  errors: ['133', '202', '262', '269'],
} as const;

export const addquestion = operation({
  section: 'services',
  action: 'addquestion',
  title: 'Ask at a service',
  done: 'Added {question_id} to {service_id}',
  effect: 'write',
  input: {
    service_id: someServices,
    question_id: { ...someQuestions, means: 'The questions to ask.' },
    condition: {
      type: 'choice',
      fallback: 'pre_submit',
      options: [
        ['shared_submit', 'Once, for many scans'],
        ['pre_submit', 'Before the scan is submitted'],
        ['post_submit', 'After the scan is submitted'],
        ['valid_scan', 'After a valid scan'],
        ['invalid_scan', 'After an invalid scan'],
      ],
      means: 'When they are asked.',
    },
    required: {
      type: 'ids',
      of: 'question',
      label: 'Must be answered',
      means: 'Those of the questions that must be answered.',
      errors: ['202', '262'],
    },
  },
  output: nothing,
  errors: ['131', '133', '200', '202', '206', '262', '269'],
});

export const removequestion = operation({
  section: 'services',
  action: 'removequestion',
  title: 'Stop asking at a service',
  done: 'Took {question_id} off {service_id}',
  effect: 'write',
  input: { service_id: someServices, question_id: { ...someQuestions, means: 'The questions to ask no longer.' } },
  output: nothing,
  errors: ['131', '133', '200', '202', '262', '269'],
});
