/** A scan: as the account recorded it, as relays received it, or both. */
import type { RecordedScan } from '../codereadr/types.js';
import type { ScanRecord } from './received/received-scan-rows.js';

export interface Scan {
  /** The account's scan id where it recorded the scan, else the relay's. */
  readonly id: string;
  /** The moment that counts, in milliseconds. */
  readonly at: number;
  readonly value: string;
  readonly recorded?: RecordedScan;
  /** When the account received or changed the record last; 0: unknown. */
  readonly modifiedAt?: number;
  /** The number of the pass over the account's scans that met this one last. */
  readonly round?: number;
  /** The scan as relays received it, the first relay's first. Not empty where the account has not recorded the scan. */
  readonly received: readonly ScanRecord[];
}
