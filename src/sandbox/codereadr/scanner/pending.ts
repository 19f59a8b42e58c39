/** Scans whose device is asking questions. In memory only: a restart forgets such a scan, and its answers get a 404. */
import type { Service } from '../operations/service-row.js';
import type { ReplyQuestion } from './reply.js';
import type { DeviceScan, Verdict } from './scan.js';

export interface PendingScan {
  readonly service: Service;
  readonly scan: DeviceScan;
  readonly url?: string | undefined;
  /** The scan id in the first answer to a direct scan. */
  readonly scanId?: string | undefined;
  /** The record's id of a scan that the account has recorded. */
  readonly recordId?: number;
  readonly receivedAt?: number;
  readonly verdict?: Verdict;
  readonly questions?: readonly ReplyQuestion[];
}

export interface PendingScans {
  add(waiting: PendingScan): string;
  take(id: string): PendingScan | undefined;
}

const mostPending = 1000;

export function createPendingScans(newId: () => string): PendingScans {
  const pendingScans = new Map<string, PendingScan>();
  return {
    add: (scan) => {
      const oldest = pendingScans.size >= mostPending ? pendingScans.keys().next().value : undefined;
      if (oldest !== undefined) pendingScans.delete(oldest);
      const id = newId();
      pendingScans.set(id, scan);
      return id;
    },
    take: (id) => {
      const found = pendingScans.get(id);
      pendingScans.delete(id);
      return found;
    },
  };
}
