/** The marks of a test scan, which shows whether a relay works: a property, and the beginning of its barcode. */
import type { ScanRecord } from './received-scan-rows.js';

export const testProperty = 'scandesk_test';
export const testPrefix = 'SCANDESK-TEST-';

export function isTestScan({ tid, properties }: Pick<ScanRecord, 'tid' | 'properties'>): boolean {
  return tid.startsWith(testPrefix) && properties.some(({ name, value }) => name === testProperty && value === '1');
}
