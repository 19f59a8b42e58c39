/** Scans whose device is asking questions. In memory: a question left open has no answer. */
import type { Service } from '../operations/service-row.js';
import type { ReplyQuestion } from './reply.js';
import type { DeviceScan, Verdict } from './scan.js';

export interface PendingScan {
  readonly service: Service;
  readonly scan: DeviceScan;
  readonly url?: string | undefined;
  /** Of a direct scan: the id in the first answer. */
  readonly scanId?: string | undefined;
  /** Of a scan that the account has recorded. */
  readonly recordId?: number;
  readonly receivedAt?: number;
  readonly verdict?: Verdict;
  readonly questions?: readonly ReplyQuestion[];
}

export interface Pending {
  add(waiting: PendingScan): string;
  take(id: string): PendingScan | undefined;
}

const mostPending = 1000;

export function createPending(newId: () => string): Pending {
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
