/** The list of operations by section and action, as docs/account-api.md has them. */
import { barcode } from './barcode.js';
import { databases } from './databases.js';
import { devices } from './devices.js';
import { limits } from './limits.js';
import type { Section } from './operation.js';
import { questions } from './questions.js';
import { scanProperties } from './scan-properties.js';
import { createScans } from './scans.js';
import { services } from './services.js';
import { createUploads } from './uploads.js';
import { users } from './users.js';

export type Sections = Readonly<Record<string, Section>>;

export interface OperationOptions {
  /** The reference says that offset 5 begins with the 5th scan; callers must work with either reading of `offset`. */
  readonly offsetCounts: 'from-one' | 'from-zero';
}

export function createSections({ offsetCounts }: OperationOptions): Sections {
  return {
    services,
    users,
    devices,
    questions,
    databases,
    scans: createScans(offsetCounts),
    scan_properties: scanProperties,
    uploads: createUploads(offsetCounts),
    limits,
    barcode,
  };
}
