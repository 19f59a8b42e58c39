/**
 * `services/retrieve`. Like the real account, it returns few settings (docs/account-api.md#traps): symbologies and the
 * postback flags can be set but not read.
 */
import { element, type Xml } from '../xml/write.js';
import { askedIds } from './existing.js';
import type { Handler } from './operation.js';
import { readServices, type Service } from './service-row.js';

export const retrieveServices: Handler = (call) =>
  readServices(call.sql, call.account, askedIds(call, 'service')).map((service) =>
    element('service', describe(service), { id: service.id }),
  );

function describe(service: Service): Xml[] {
  const { settings } = service;
  const fields: Xml[] = [element('name', service.name), element('validationmethod', service.method)];
  if (settings.postback_url) fields.push(element('postback', settings.postback_url));
  if (service.databaseId !== undefined) {
    fields.push(element('database', service.databaseId));
    fields.push(element('duplicateScanValue', settings.duplicate_value));
  }
  if (settings.description) fields.push(element('description', settings.description));
  for (const id of service.userIds) fields.push(element('user', '', { id }));
  for (const { id } of service.questions) fields.push(element('question', '', { id }));
  return fields;
}
