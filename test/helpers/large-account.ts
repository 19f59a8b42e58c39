/**
 * The mirror of an account of any size, in simulated time: the real steps and tables, one step after the other, with an
 * account that makes its pages up. Time goes on where somebody waits, and by a second for each call.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/clock.js';
import type { Account, Accounts, RecordedScan } from '../../src/codereadr/types.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createAllScansStep } from '../../src/mirror/account/all-scans.js';
import { createLease } from '../../src/mirror/account/lease.js';
import { createChangesStep } from '../../src/mirror/account/scan-changes.js';
import { createValueStep } from '../../src/mirror/account/values.js';
import { createCallShare } from '../../src/mirror/call-share.js';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import { defaultMirrorTimes as times } from '../../src/mirror/times.js';
import type { Store } from '../../src/workspaces/types.js';
import { owner } from './relay.js';

export interface LargeAccount {
  readonly values: number;
  readonly scans: number;
  /** Values or scans in one call. */
  readonly pageSize: number;
}

export interface SimulatedMirror {
  /** The times of all calls. */
  readonly calls: readonly number[];
  now(): number;
  /** Whether everything was copied once. */
  filled(): Promise<boolean>;
  /** Polls every step once, and the changes of scans after each. */
  round(): Promise<void>;
  /** The longest time between two readings of the scans' changes. */
  oldestScans(): number;
}

const named = (name: string) => ({ id: '1', name });
const noon = Date.UTC(2026, 2, 1, 12);
const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

function scanOf(id: number): RecordedScan {
  const time = text(noon - 3_600_000 - id);
  return {
    ...{ id: String(id), value: `TICKET-${id % 400_000}`, status: 'valid', result: 'Adult, three days' },
    ...{ timestamp: time, timestampReceived: time, timestampModified: time },
    ...{ device: named('Phone at the gate'), service: named('Main gate'), user: named('ada') },
    ...{ answers: [{ questionId: '4', question: 'Bag?', answer: 'No' }], properties: [] },
  };
}

export async function simulateMirror(
  store: Store,
  { values, scans, pageSize }: LargeAccount,
): Promise<SimulatedMirror> {
  let now = noon;
  const clock: Clock = {
    now: () => now,
    async sleep(ms) {
      await Promise.resolve();
      now += Math.max(0, ms);
    },
  };
  const calls: number[] = [];
  /** Makes a page up, in turns of the event loop: the time that it takes is no stall of the mirror. */
  const page = async <T>(count: number, input: { limit?: number; offset?: number }, make: (n: number) => T) => {
    const from = input.offset ?? 0;
    const made: T[] = [];
    for (let n = from; n < Math.min(from + (input.limit ?? count), count); n += 1) {
      made.push(make(n));
      if (n % 250 === 0) {
        await nextTurn();
      }
    }
    return made;
  };
  const answer = async (operation: { section: string; action: string }, input: Record<string, never>) => {
    switch (`${operation.section}/${operation.action}`) {
      case 'databases/retrieve':
        return { databases: [{ id: '7', name: 'Tickets', count: values, serviceIds: [], caseSensitive: false }] };
      case 'databases/showvalues': {
        if (input.valuelike !== undefined) {
          return { count: 0, values: [] };
        }
        const value = (n: number) => ({ value: `TICKET-${n}`, valid: n % 9 > 0, response: 'Adult, three days' });
        return { count: values, values: await page(values, input, value) };
      }
      case 'scans/retrieve':
        // Only full passes ask for all there are; nothing changes.
        return input.timestamp_modified === '2'
          ? { count: scans, scans: await page(scans, input, (n) => scanOf(n + 1)) }
          : { count: 0, scans: [] };
      default:
        return {};
    }
  };
  const account = {
    client: {
      callsLeft: () => ({
        minute: { left: 30, limit: 30, resetsAt: 0 },
        day: { left: 21_600, limit: 21_600, resetsAt: 0 },
      }),
      async call(operation: { section: string; action: string }, input: Record<string, never>) {
        calls.push(now);
        now += 1_000;
        return answer(operation, input);
      },
    },
  } as unknown as Account;

  const [mirrors, databases] = [createAccountMirrors(store), createDatabaseMirrors(store)];
  const [log, metrics, worker] = [silentLog, createMetrics(), 'simulated'];
  await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
  await mirrors.create(owner, 5, now);
  const claimed = (await mirrors.claim(worker, now, now + times.leaseMs, []))!;
  const accounts = { open: () => account } as unknown as Accounts;
  const shared = { store, accounts, mirrors, databases, clock, log, metrics, worker, times, pageSize };
  const lease = createLease(shared, claimed);
  const { signal } = new AbortController();
  const share = createCallShare({
    ...{ clock, share: 0.3, state: claimed.share, signal, onCall: () => {} },
    save: async () => true,
  });
  const parts = {
    ...shared,
    lease,
    share,
    signal,
    lastPass: { round: claimed.round },
    scans: createMirroredScans(store),
    relayDatabases: () => new Set<string>(),
  };
  const [changes, inTurn] = [createChangesStep(parts), [createValueStep(parts), createAllScansStep(parts)]];
  let oldest = 0;
  const readChanges = async () => {
    const before = lease.mirror.scansAt ?? now;
    await changes.poll();
    oldest = Math.max(oldest, now - before);
  };
  return {
    calls,
    now: () => now,
    oldestScans: () => oldest,
    async filled() {
      return lease.mirror.filled && (await databases.of(owner)).every(({ fetchedAt }) => fetchedAt !== undefined);
    },
    async round() {
      for (const step of inTurn) {
        await step.poll();
        await readChanges();
      }
      now += times.pollMs;
    },
  };
}
