/** Repeat keys: equal for the same scan posted again. They are looked for under the relay's lock. */
import { hash } from 'node:crypto';

/** The fields that distinguish two scans of one barcode. */
export interface RepeatedScan {
  readonly sid?: string | null | undefined;
  readonly udid?: string | null | undefined;
  readonly userid?: string | null | undefined;
  readonly tid: string;
  readonly scannedAtUtc?: string | null | undefined;
}

/**
 * The key; undefined if a variable is missing (templates may leave some out): such a scan is never a repeat. The key is
 * short enough for an index, for any barcode. Its time comes first so that scans of one hour are adjacent: a hash alone
 * would make every scan write a page of its own.
 */
export function repeatKey({ sid, udid, userid, tid, scannedAtUtc }: RepeatedScan): string | undefined {
  if (!sid || !udid || !userid || !scannedAtUtc) {
    return undefined;
  }
  const all = JSON.stringify([sid, udid, userid, tid, scannedAtUtc]);
  return `${scannedAtUtc.slice(0, 19)} ${hash('sha256', all, 'base64url')}`;
}
