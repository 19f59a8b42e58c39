/** A summary of a barcode's scans: the number of scans, of valid ones, the first and the last. Pure. */
import type { SeenScan } from '../scans/seen-scan.js';
import type { ScanSummary } from './types.js';

/**
 * @param scans the scans that were read, newest first
 * @param isComplete whether there are no further scans
 * @param total the account's number of scans, where it reported one
 */
export function summarise(scans: readonly SeenScan[], isComplete: boolean, total: number | undefined): ScanSummary {
  const times = scans.flatMap((scan) => scan.at ?? []);
  return {
    read: scans.length,
    total: isComplete ? scans.length : Math.max(total ?? 0, scans.length),
    exact: isComplete || total !== undefined,
    valid: scans.filter((scan) => scan.status === 'valid').length,
    invalid: scans.filter((scan) => scan.status === 'invalid').length,
    ...(times.length > 0 ? { lastAt: Math.max(...times) } : {}),
    ...(times.length > 0 && isComplete ? { firstAt: Math.min(...times) } : {}),
  };
}

export function leastOf(numbers: readonly number[]): number | undefined {
  return numbers.length > 0 ? Math.min(...numbers) : undefined;
}
