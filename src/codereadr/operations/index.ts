/** All operations of the account: by section and action (`services.retrieve`), as a list, and by name. */
import * as barcode from './barcode.js';
import * as databases from './databases.js';
import * as devices from './devices.js';
import * as limits from './limits.js';
import type { Operation } from './operation.js';
import * as questions from './questions.js';
import * as scanProperties from './scan-properties.js';
import * as scans from './scans.js';
import * as services from './services.js';
import * as uploads from './uploads.js';
import * as users from './users.js';

export { barcode, databases, devices, limits, questions, scanProperties, scans, services, uploads, users };

/** The most used reads, exported under names without a section. */
export const retrieveServices = services.retrieve;
export const retrieveUsers = users.retrieve;
export const retrieveDevices = devices.retrieve;
export const retrieveDatabases = databases.retrieve;
export const showValues = databases.showvalues;
export const retrieveScans = scans.retrieve;
export const retrieveLimits = limits.retrieve;

/** Every export of a section is one of its operations. */
const sections = [services, users, devices, questions, databases, scans, scanProperties, uploads, limits, barcode];

export const operations: readonly Operation[] = sections.flatMap((section): Operation[] => Object.values(section));

const byName = new Map(operations.map((operation) => [operationName(operation), operation]));

/** `section/action`: an operation's name in logs, metrics and audit rows. */
export function operationName(operation: Pick<Operation, 'section' | 'action'>): string {
  return `${operation.section}/${operation.action}`;
}

export function findOperation(section: string, action: string): Operation | undefined {
  return byName.get(`${section}/${action}`);
}
