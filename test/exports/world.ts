/** What exports are tested with: scans in the mirror and of relays, and a publisher that keeps what it is given. */

import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import type { Account, Accounts } from '../../src/codereadr/types.js';
import { leastId } from '../../src/database/ids.js';
import { createJobs } from '../../src/database/jobs/runner.js';
import { createExports, type ExportFiles, type ExportRecord, type ExportWhat } from '../../src/exports/index.js';
import { type Log, silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import type { Owner } from '../../src/ownership.js';
import { createScans } from '../../src/scans/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { jobsOf } from '../helpers/jobs.js';
import { mirrorOf } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';

export const start = Date.UTC(2026, 2, 1);
export const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

export interface WorldScan {
  readonly id: number;
  readonly value: string;
  readonly at: number;
  readonly where: 'account' | 'relay' | 'both';
}

/** Scans made one after the other, some in one second. */
export function someScans(count: number, valueAt = (n: number) => `0${n}`): readonly WorldScan[] {
  return Array.from({ length: count }, (_, n) => ({
    id: n + 1,
    value: valueAt(n),
    at: start + Math.floor(n / 3) * 1_000,
    where: (['account', 'relay', 'both'] as const)[n % 3] ?? 'account',
  }));
}

export async function connect(store: Store, whose: Owner = owner, apiKey = 'key'): Promise<void> {
  await store.workspaces.connect(whose, apiKey, { connectedBy: 'U1', connectedAt: 5 });
  await store.db
    .insertInto('mirrors')
    .values({
      ...{ ...whose, round: 1, scans: 0, read: 0, filled: 1, scans_since: 0, scans_at: start },
      ...{ full_due_at: 0, next_call_at: 0, budget_at: 0, connected_at: 5 },
    } as never)
    .execute();
}

export async function fill(store: Store, scans: readonly WorldScan[], whose: Owner = owner): Promise<void> {
  const { id } = await store.db
    .selectFrom('mirrors')
    .select('id')
    .where('team', '=', whose.team)
    .executeTakeFirstOrThrow();
  for (let from = 0; from < scans.length; from += 2_000) {
    const some = scans.slice(from, from + 2_000);
    await createMirroredScans(store).put(
      id,
      1,
      some
        .filter(({ where }) => where !== 'relay')
        .map((scan) => ({
          scan: {
            ...{ id: String(scan.id), value: scan.value, status: 'valid', result: 'Welcome', timestamp: utc(scan.at) },
            device: { id: '5', name: 'Phone 5' },
            service: { id: '1', name: 'Gate A' },
            user: { id: '7', name: 'ann' },
            answers: [],
            properties: [{ name: 'color', value: 'red' }],
          },
          ...{ at: scan.at, modifiedAt: scan.at },
        })),
    );
    const rows = some
      .filter(({ where }) => where !== 'account')
      .map((scan) => ({
        ...{ id: leastId(scan.at).slice(0, 10) + String(scan.id).padStart(16, '0'), relay_id: 'r1', ...whose },
        ...{ received_at: scan.at + 500, tid: scan.value, sid: '1', userid: '7', udid: 'u5' },
        scanid: scan.where === 'both' ? String(scan.id) : null,
        ...{ given_status: '1', scanned_at_utc: utc(scan.at), valid: 1, answer_text: 'Welcome' },
        ...{ answers: '[]', properties: '[]', raw: '[]', late: 0 },
      }));
    await storeReceived(store, rows);
  }
}

export const account = {
  names: {
    services: async () => [{ id: '1', name: 'Gate A' }],
    users: async () => [{ id: '7', username: 'ann' }],
    devices: async () => [{ id: '5', udid: 'u5', name: 'Phone 5' }],
  },
} as unknown as Account;

export interface Shelf extends ExportFiles {
  /** The files that were shared, by export. */
  readonly shared: Map<string, Buffer>;
  /** The exports that ended, as the log names them. */
  readonly told: (ExportRecord & { readonly outcome: string })[];
  /** The last record of each export, by its id. */
  readonly records: Map<string, ExportRecord>;
  /** The keys of notices that were added. */
  readonly notices: string[];
}

/** Files that Slack always accepts. `instead`: other answers of Slack. */
export function createShelf(instead: Partial<ExportFiles> = {}): Shelf {
  const files = new Map<string, Buffer>();
  const shared = new Map<string, Buffer>();
  const records = new Map<string, ExportRecord>();
  return {
    ...{ shared, told: [], notices: [], records },
    async place(record) {
      records.set(record.id, record);
      return { channel: 'C1' };
    },
    async upload(_record, { bytes, content }) {
      const parts: Uint8Array[] = [];
      for await (const part of content) {
        parts.push(part);
      }
      const file = Buffer.concat(parts);
      if (file.length !== bytes) {
        throw new Error(`a file of ${file.length} bytes was announced with ${bytes}`);
      }
      const fileId = `F${files.size + 1}`;
      files.set(fileId, file);
      return { outcome: 'uploaded', fileId };
    },
    async share(record) {
      const { id, fileId = '' } = record;
      records.set(id, record);
      if (shared.has(id)) {
        throw new Error('shared twice');
      }
      shared.set(id, files.get(fileId) ?? Buffer.alloc(0));
      return { outcome: 'shared' };
    },
    remove: async () => undefined,
    ...instead,
  };
}

/** A log that notes which exports ended. */
export function logTo({ told, records }: Shelf): Log {
  const info = (line: { readonly export?: string; readonly outcome: string; readonly rows: number }) => {
    const record = records.get(line.export ?? '');
    if (line.export !== undefined) {
      told.push({ ...(record as ExportRecord), id: line.export, outcome: line.outcome, rows: line.rows });
    }
  };
  return { ...silentLog, info: info as Log['info'], warn: () => undefined, error: () => undefined } as Log;
}

export function exportsOf(
  store: Store,
  shelf: Shelf,
  {
    clock = systemClock,
    accounts = { open: () => account } as unknown as Accounts,
    copied = true,
  }: { clock?: Clock; accounts?: Accounts; copied?: boolean } = {},
) {
  const log = logTo(shelf);
  const { mirror } = mirrorOf(store, undefined as never, { clock });
  const instanceId = systemRandom.bytes(6).toString('hex');
  const shared = { store, clock, random: systemRandom, log, metrics: createMetrics(), instanceId };
  const jobs = createJobs(shared);
  const exports = createExports({
    places: { lists: async () => [], minutes: async () => [] },
    rows: { inside: async () => [], out: async () => ({ things: [], counting: false }) },
    ...{ ...shared, jobs, accounts, files: shelf, onPosts: () => undefined },
    notices: { add: async ({ key }) => void shelf.notices.push(key) },
    scans: createScans(store.db),
    ...(copied ? { mirror } : {}),
  });
  return { ...exports, start: jobs.start, stop: jobs.stop };
}

/** The open exports, and the files that are to be deleted from Slack. */
export async function openExports(store: Store) {
  return [
    ...(await jobsOf<Partial<ExportRecord>>(store, 'export')),
    ...(await jobsOf<Partial<ExportRecord>>(store, 'export_file')),
  ];
}

export const allScans: ExportWhat = { kind: 'scans', query: {}, zone: 'Europe/Berlin', from: 0, to: start + 10 ** 9 };

export function request(what: ExportWhat = allScans, more: { mode?: ExportRecord['mode']; owner?: Owner } = {}) {
  return { owner, who: 'U1', channel: 'C1', mode: 'exact', expected: undefined, what, ...more } as const;
}

export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) {
    await systemClock.sleep(5);
  }
}
