/** Owns which operations there are: the contract's sections, each with its actions. */
import { retrieveDatabases, showValues } from './databases-read.js';
import { devices } from './devices.js';
import { limits } from './limits.js';
import type { Section } from './operation.js';
import { retrieveScans } from './scans-read.js';
import { retrieveServices } from './services-read.js';
import { retrieveUsers } from './users-read.js';

export type Sections = Readonly<Record<string, Section>>;

export interface OperationOptions {
  /** The reference says that offset 5 begins with the 5th scan; a caller must be right with both readings. */
  readonly offsetCounts: 'from-one' | 'from-zero';
}

export function createSections(options: OperationOptions): Sections {
  return {
    services: { retrieve: retrieveServices },
    users: { retrieve: retrieveUsers },
    devices,
    databases: { retrieve: retrieveDatabases, showvalues: showValues },
    scans: { retrieve: retrieveScans(options.offsetCounts) },
    limits,
  };
}
