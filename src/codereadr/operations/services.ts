/** Declarations of the section `services`. */
import type { Service } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy } from './common.js';
import { operation } from './operation.js';
import {
  attribute,
  childrenNamed,
  countIn,
  firstNamed,
  idOf,
  ids,
  newId,
  optionalText,
  readNothing,
  text,
} from './read.js';
import { serviceSettings } from './service-settings.js';

const noService = ['131', '200'] as const;

const someServices = {
  type: 'ids',
  of: 'service',
  all: true,
  required: true,
  description: 'The services to use.',
  errors: noService,
} as const;

const notPostback = {
  param: 'validation_method',
  is: ['record', 'ondevicerecord', 'database', 'ondevicedatabase', 'webview'],
  code: '225',
} as const;

const webview = { param: 'validation_method', is: ['webview'], code: '210' } as const;

const withUrl = { requires: ['postback_url'], requiresCode: '226', onlyWhen: notPostback } as const;

/** The rule for flags that need the URL: a change of one without it is refused, even though the service has it. */
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
  const database = firstNamed(element, 'database');
  const databaseId = database && (idOf(database) || undefined);
  const postbackUrl = optionalText(element, 'postback');
  const duplicateScanValue = optionalText(element, 'duplicateScanValue');
  const description = optionalText(element, 'description');
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

export const retrieve = operation('services', 'retrieve', {
  title: 'List services',
  effect: 'read',
  input: { service_id: { ...filterBy('service', 'The services to list. Leave blank for all.'), errors: noService } },
  output: (root) => ({ ...countIn(root), services: childrenNamed(root, 'service').map(service) }),
  notes: 'Returns neither symbologies nor the postback flags. That it returns the description is a guess.',
});

export const create = operation('services', 'create', {
  title: 'Create a service',
  success: 'Created the service {service_name}',
  effect: 'write',
  input: {
    validation_method: {
      type: 'enum',
      required: true,
      options: [
        ['record', 'Record scans'],
        ['ondevicerecord', 'Record scans on the device'],
        ['database', 'Validate against a database'],
        ['ondevicedatabase', 'Validate against a database on the device'],
        ['webview', 'Show a web page'],
        ['postback', 'Post to a URL'],
      ],
      description: 'What happens when someone scans. This can’t be changed later.',
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
      requiredWhen: { param: 'validation_method', is: ['database', 'ondevicedatabase'], code: '211' },
    },
    postback_url: {
      ...serviceSettings.postback_url,
      requiredWhen: { param: 'validation_method', is: ['postback'], code: '210' },
    },
    enable_direct_scan: {
      type: 'boolean',
      label: 'Direct scan to URL',
      description:
        'Devices post scans straight to the URL; with Auto sync, kept ones too. Postback services only; can’t be changed later.',
      group: 'Postback',
      onlyWhen: { param: 'validation_method', is: ['postback'], code: '223' },
      errors: ['223'],
    },
    // A change may set a time alone: the account has its date.
    period_start_time: {
      ...serviceSettings.period_start_time,
      requires: ['period_start_date'],
      requiresCode: '217',
    },
    period_end_time: { ...serviceSettings.period_end_time, requires: ['period_end_date'], requiresCode: '218' },
    postback_receiver_only: { ...serviceSettings.postback_receiver_only, ...withUrl },
    postback_real_time_scans: { ...serviceSettings.postback_real_time_scans, ...withUrl },
    postback_uploaded_scans: { ...serviceSettings.postback_uploaded_scans, ...withUrl },
  },
  period,
  output: newId,
  notes: 'To change enable_direct_scan, create the service anew.',
});

export const update = operation('services', 'update', {
  title: 'Edit a service',
  success: 'Updated {service_id}',
  effect: 'write',
  input: {
    service_id: { type: 'id', of: 'service', required: true, description: 'The service to edit.', errors: noService },
    ...serviceSettings,
    symbologies: { ...serviceSettings.symbologies, resetWhenOmitted: true },
    postback_receiver_only: { ...serviceSettings.postback_receiver_only, ...alongWithUrl },
    postback_real_time_scans: { ...serviceSettings.postback_real_time_scans, ...alongWithUrl },
    postback_uploaded_scans: { ...serviceSettings.postback_uploaded_scans, ...alongWithUrl },
  },
  period,
  output: readNothing,
  notes:
    'What is left out keeps its value, except symbologies: left out, they are reset, and retrieve does not return them. ' +
    'An edit form must say so and offer to set them. The postback flags require postback_url, else 226.',
});

const remove = operation('services', 'delete', {
  title: 'Delete services',
  success: 'Deleted {service_id}',
  effect: 'delete',
  input: { service_id: { ...someServices, description: 'The services to delete.' } },
  output: readNothing,
  notes: 'The service accepts the word all. Forms never offer it.',
});

export { remove as delete };

const someUsers = {
  type: 'ids',
  of: 'user',
  all: true,
  required: true,
  description: 'The users to use.',
  errors: ['132', '201'],
} as const;

export const adduserpermission = operation('services', 'adduserpermission', {
  title: 'Give users access',
  success: 'Gave {user_id} access to {service_id}',
  effect: 'write',
  input: {
    service_id: someServices,
    user_id: { ...someUsers, description: 'The users to give access to the services.' },
  },
  output: readNothing,
});

export const revokeuserpermission = operation('services', 'revokeuserpermission', {
  title: 'Remove user access',
  success: 'Removed access to {service_id} from {user_id}',
  effect: 'write',
  input: {
    service_id: someServices,
    user_id: { ...someUsers, description: 'The users who lose access to the services.' },
  },
  output: readNothing,
});

const someQuestions = {
  type: 'ids',
  of: 'question',
  all: true,
  required: true,
  description: 'The questions to use.',
  errors: ['133', '202', '262', '269'],
} as const;

const condition = {
  type: 'enum',
  default: 'pre_submit',
  options: [
    ['shared_submit', 'Once for several scans'],
    ['pre_submit', 'Before the scan is submitted'],
    ['post_submit', 'After the scan is submitted'],
    ['valid_scan', 'After a valid scan'],
    ['invalid_scan', 'After a scan that is not valid'],
  ],
} as const;

export const addquestion = operation('services', 'addquestion', {
  title: 'Add questions',
  success: 'Added {question_id} to {service_id}',
  effect: 'write',
  input: {
    service_id: someServices,
    question_id: { ...someQuestions, description: 'The questions to add to the services.' },
    condition: { ...condition, description: 'When to ask the questions.' },
    required: {
      type: 'ids',
      of: 'question',
      label: 'Required questions',
      description: 'The questions that must be answered.',
      errors: ['202', '262'],
    },
  },
  output: readNothing,
  errors: ['206'],
});

export const removequestion = operation('services', 'removequestion', {
  title: 'Remove questions',
  success: 'Removed {question_id} from {service_id}',
  effect: 'write',
  input: {
    service_id: someServices,
    question_id: { ...someQuestions, description: 'The questions to remove from the services.' },
    condition: { ...condition, description: 'Questions are removed only where they are asked at this moment.' },
  },
  output: readNothing,
});
