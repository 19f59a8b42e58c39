/**
 * The runs of an export: each reads a part, or uploads or shares the file. The rows of a part are stored with the place
 * of the next one, in one transaction, under the job's claim: complete, in order, nothing twice.
 */
import { type Clock, steadyNow } from '../clock.js';
import { type Account, AccountError, type Accounts } from '../codereadr/types.js';
import { type Job, JobDelayed, JobFailed, type JobRun, type NextRun } from '../database/jobs/job.js';
import { codeOf } from '../errors.js';
import { enqueueOnce } from '../posts/outbox/enqueue.js';
import { changePost, findPost } from '../posts/outbox/single-posts.js';
import type { Store } from '../workspaces/types.js';
import { compress, contentOf, deleteChunks, exportKind } from './chunks.js';
import type { Ends, EndsDeps } from './ends.js';
import { chunkText, fileOf, hasLongCell } from './export-file.js';
import { ExportFailed, type ExportPart, type PartRequest } from './part.js';
import {
  type ExportFiles,
  type ExportRecord,
  type ExportRefusal,
  type ExportState,
  exportState,
  staysMs,
} from './types.js';

export interface ExportJobDeps extends Omit<EndsDeps, 'files' | 'notices' | 'store'> {
  readonly store: Pick<Store, 'db' | 'workspaces'>;
  readonly accounts: Accounts;
  readonly files: ExportFiles;
  readonly ends: Ends;
  readonly readers: Readonly<Record<ExportRecord['what']['kind'], (request: PartRequest) => Promise<ExportPart>>>;
}

/** Slack's limit of a file, in bytes. */
export const largestBytes = 1_000_000_000;
const oldestMs = 24 * 60 * 60_000;
/** How often, about, people see the progress. */
const shownEveryMs = 4_000;
const longestPauseMs = 5 * 60_000;
const mostFailures = 30;
/** The pause between calls, which leaves about a third of the account's calls to an export. */
const betweenCallsMs = 6_000;
/** How long a sharing may take to show: until then, a file that Slack cannot find is not uploaded again. */
const sharedSurelyMs = 60_000;
/** The bounds of the pause after a part, which is as long as reading it took: people's work comes first. */
const leastPartPauseMs = 20;
const longestPartPauseMs = 1_000;

/** The state of an export of which nothing was read yet. */
export const unread = {
  state: 'reading',
  position: {},
  chunks: 0,
  rows: 0,
  bytes: 0,
  fileId: undefined,
} as const satisfies Partial<ExportState>;

export function recordOf({ key, owner, createdAt, state }: Job<ExportState>): ExportRecord {
  return { ...state, id: key, owner, createdAt };
}

export function defineExports(deps: ExportJobDeps) {
  const { store, jobs, clock, files, ends, onPosts } = deps;

  const accountOf = async ({ owner, connectedAt }: ExportRecord): Promise<Account> => {
    const [apiKey, connection] = await Promise.all([
      store.workspaces.apiKey(owner),
      store.workspaces.connection(owner),
    ]);
    if (apiKey === undefined) {
      throw new ExportFailed('export.not_connected', 'the account was disconnected');
    }
    if (connection?.connectedAt !== connectedAt) {
      throw new ExportFailed('export.other_account', 'another account is connected');
    }
    return deps.accounts.open(apiKey);
  };

  const readPart = async (record: ExportRecord, signal: AbortSignal): Promise<NextRun<ExportState>> => {
    const startedAt = steadyNow(clock);
    const account = await accountOf(record);
    const part = await deps.readers[record.what.kind]({ record, account, signal });
    const { content, bytes } = await compress(await chunkText(record, part.rows));
    if (record.bytes + bytes > largestBytes) {
      throw new ExportFailed('export.too_large', 'the file would exceed Slack’s limit');
    }
    const longCell = record.position.longCell || hasLongCell(part.rows);
    await pauseAfter(clock, startedAt, signal);
    const { id, chunks: seq } = record;
    return {
      dueAt: clock.now() + (part.costsCalls && !part.isLast ? betweenCallsMs : 0),
      change: {
        position: { ...part.position, ...(longCell ? { longCell } : {}) },
        chunks: seq + 1,
        rows: record.rows + part.rows.length,
        bytes: record.bytes + bytes,
        state: part.isLast ? 'uploading' : 'reading',
      },
      work: (trx) => trx.insertInto('export_chunks').values({ export_id: id, seq, content }).execute(),
    };
  };

  const upload = async (record: ExportRecord, signal: AbortSignal): Promise<NextRun<ExportState>> => {
    const file = await fileOf(record, () => contentOf(store.db, record, signal), clock);
    const uploaded = await files.upload(record, file, signal);
    if (uploaded.outcome !== 'uploaded') {
      throw errorOf(uploaded);
    }
    return { dueAt: clock.now(), change: { fileId: uploaded.fileId } };
  };

  const share = async (job: JobRun<ExportState>): Promise<NextRun<ExportState>> => {
    const now = clock.now();
    const { sharedAt: sharedBefore, what, deleteAt } = job.state;
    const sharedAt = sharedBefore ?? now;
    const staysFor = staysMs[what.kind];
    // The sharing is recorded before it is sent: from here on nobody can cancel the export.
    await job.save({ sharedAt, deleteAt: deleteAt ?? (staysFor === undefined ? undefined : sharedAt + staysFor) });
    const record = { ...recordOf(job), sharedAt: sharedBefore };
    const post = await findPost(store.db, record.id);
    const shared = await files.share(record, post?.state === 'delivered' ? post.channel : undefined);
    if (shared.place !== undefined && shared.place !== record.place) {
      await job.save({ place: shared.place, shownAt: now }, (trx) => changePost(trx, record.id, now));
      onPosts();
    }
    if ('code' in shared) {
      throw errorOf(shared);
    }
    if (shared.outcome === 'shared') {
      return ends.end(recordOf(job), 'done');
    }
    return now - sharedAt < sharedSurelyMs && sharedBefore !== undefined
      ? { dueAt: now + sharedSurelyMs / 4 }
      : { dueAt: now + 1_000, change: { fileId: undefined, sharedAt: undefined } };
  };

  /** Makes the export’s post before the first part is read, later updates it. */
  const showProgress = async (job: JobRun<ExportState>): Promise<void> => {
    const now = clock.now();
    const { id, owner, place, shownAt = 0 } = recordOf(job);
    if (place === undefined) {
      const placed = await files.place(recordOf(job));
      if ('outcome' in placed) {
        throw errorOf(placed);
      }
      const queue = { ...owner, channel: placed.channel };
      const post = { key: id, queue, source: { kind: 'export' as const, id }, at: now, kind: 'export' as const };
      await job.save({ place: placed.channel, shownAt: now }, (trx) => enqueueOnce(trx, post));
      onPosts();
    } else if (now - shownAt >= shownEveryMs) {
      await job.save({ shownAt: now }, (trx) => changePost(trx, id, now));
      onPosts();
    }
  };

  const runStep = async (job: JobRun<ExportState>): Promise<NextRun<ExportState>> => {
    if (job.state.sharedAt === undefined) {
      if (clock.now() - job.createdAt > oldestMs) {
        throw new ExportFailed('export.too_old', 'it did not come to its end in a day');
      }
      await showProgress(job);
    }
    const record = recordOf(job);
    if (record.state === 'reading') {
      return await readPart(record, job.signal);
    }
    return record.fileId === undefined ? await upload(record, job.signal) : await share(job);
  };

  return jobs.define(exportKind, {
    state: exportState,
    slots: 1,
    oneByOne: true,
    longestWaitMs: oldestMs + longestPauseMs,
    backoff: { leastBackoffMs: 1_000, longestBackoffMs: longestPauseMs },
    tries: mostFailures,
    async run(job) {
      try {
        return await runStep(job);
      } catch (error) {
        throw error instanceof AccountError ? accountErrorOf(error, clock.now()) : error;
      }
    },
    failed({ key, owner, createdAt, failures, state }, code) {
      if (!state) {
        return { after: () => deleteChunks(store.db, key) };
      }
      const isUnknown = state.sharedAt !== undefined && failures + 1 >= mostFailures;
      const known = code.includes('.') ? code : 'export.failed';
      return ends.end({ ...state, id: key, owner, createdAt }, isUnknown ? 'export.unconfirmed' : known);
    },
  });
}

async function pauseAfter(clock: Clock, startedAt: number, signal: AbortSignal): Promise<void> {
  const took = steadyNow(clock) - startedAt;
  await clock.sleep(Math.max(leastPartPauseMs, Math.min(longestPartPauseMs, took)), signal).catch(() => undefined);
}

function errorOf(refusal: ExportRefusal): JobFailed | JobDelayed {
  const why = 'Slack did not take the file';
  return refusal.outcome === 'refused'
    ? new JobFailed(refusal.code, why)
    : new JobDelayed(refusal.code, why, refusal.afterMs);
}

/** The error by which a part is read again later where the account's error may pass, or never. */
function accountErrorOf(error: AccountError, now: number): JobFailed | JobDelayed {
  const code = codeOf(error);
  const passes = ['account.unreachable', 'account.slow', 'account.broken', 'account.quota'].includes(code);
  const againAt = error.quota?.againAt ?? now;
  return passes
    ? new JobDelayed(code, 'the account may answer later', againAt - now, { cause: error })
    : new JobFailed(code, 'the account does not answer this', { cause: error });
}
