/** The next step of a claimed export: it makes the post, reads a part, uploads or shares the file, or concludes. */
import { type Account, AccountError, type Accounts } from '../codereadr/types.js';
import type { Claim } from '../database/claims/claim.js';
import { codeOf } from '../errors.js';
import type { NoticeJobs } from '../posts/index.js';
import type { ProcessDeps } from '../process.js';
import type { Store } from '../workspaces/types.js';
import { compress, contentOf, deleteChunks } from './chunks.js';
import { chunkText, fileOf, hasLongCell } from './export-file.js';
import type { ExportTable } from './export-rows.js';
import { endedNotice, isMoved } from './maker.js';
import { ExportFailed, type ExportPart, type PartRequest } from './part.js';
import { type ExportFiles, type ExportRecord, type ExportRefusal, staysMs } from './types.js';

export interface StepDeps extends Pick<ProcessDeps, 'clock' | 'log' | 'metrics'> {
  readonly store: Pick<Store, 'db' | 'workspaces'>;
  readonly accounts: Accounts;
  readonly table: ExportTable;
  readonly files: ExportFiles;
  readonly notices: NoticeJobs;
  /** Called when the export's post entered the outbox, or has changed. */
  readonly onPosts: () => void;
  readonly readers: Readonly<Record<ExportRecord['what']['kind'], (request: PartRequest) => Promise<ExportPart>>>;
}

/** A step with a claim that lasts `leaseMs` from its last sign of life. */
export interface StepRequest {
  readonly record: ExportRecord;
  readonly claim: () => Claim;
  readonly signal: AbortSignal;
}

/** Slack's limit of a file, in bytes. */
export const largestBytes = 1_000_000_000;
const oldestMs = 24 * 60 * 60_000;
/** How often, about, people see the progress. */
const shownEveryMs = 4_000;
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;
const mostFailures = 30;
/** The pause between calls, which leaves about a third of the account's calls to an export. */
const betweenCallsMs = 6_000;
/** How long a sharing may take to show: until then, a file that Slack cannot find is not uploaded again. */
const sharedSurelyMs = 60_000;
const heartbeatMs = 10_000;
/** The number of failed notices after which a person is no longer notified. */
const mostNoticeFailures = 5;
/** The longest pause between tries to delete a file: with these pauses, tries go on for most of a day. */
const longestDeletionPauseMs = 60 * 60_000;

/** Makes the function that runs a step, and resolves to the time when the next step is due. */
export function createStep(deps: StepDeps): (request: StepRequest) => Promise<number> {
  const { store, clock, log, table, files, notices, onPosts, metrics } = deps;

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

  const readPart = async ({ record, claim, signal }: StepRequest): Promise<number> => {
    const account = await accountOf(record);
    const next = await deps.readers[record.what.kind]({ record, account, signal });
    const chunk = await compress(await chunkText(record, next.rows));
    if (record.bytes + chunk.bytes > largestBytes) {
      throw new ExportFailed('export.too_large', 'the file would exceed Slack’s limit');
    }
    const longCell = record.position.longCell || hasLongCell(next.rows);
    const position = { ...next.position, ...(longCell ? { longCell } : {}) };
    await table.append(claim(), record, {
      ...chunk,
      rows: next.rows.length,
      change: { position: JSON.stringify(position), failures: 0, ...(next.isLast ? { state: 'uploading' } : {}) },
    });
    return clock.now() + (next.costsCalls && !next.isLast ? betweenCallsMs : 0);
  };

  /** The chunks of the file; the claim is renewed while they are sent. */
  async function* storedChunks(request: StepRequest, claimLost: AbortController): AsyncGenerator<Uint8Array> {
    let lastAt = clock.now();
    for await (const content of contentOf(store.db, request.record)) {
      if (clock.now() - lastAt >= heartbeatMs) {
        lastAt = clock.now();
        if (!(await table.change(request.claim(), request.record, {}))) {
          claimLost.abort();
        }
      }
      claimLost.signal.throwIfAborted();
      yield content;
    }
  }

  const upload = async (request: StepRequest): Promise<number> => {
    const { record, claim } = request;
    const lost = new AbortController();
    const signal = AbortSignal.any([request.signal, lost.signal]);
    const file = await fileOf(record, () => storedChunks(request, lost), clock);
    const uploaded = await files.upload(record, file, signal);
    if (uploaded.outcome !== 'uploaded') {
      return await refuse(request, uploaded);
    }
    await table.change(claim(), record, { file_id: uploaded.fileId, failures: 0 });
    return clock.now();
  };

  const share = async (request: StepRequest): Promise<number> => {
    const { record, claim } = request;
    const now = clock.now();
    const sharedAt = record.sharedAt ?? now;
    const staysFor = staysMs[record.what.kind];
    const deleteAt = record.deleteAt ?? (staysFor === undefined ? undefined : sharedAt + staysFor);
    // The sharing is recorded before it is sent: from here on nobody can cancel the export.
    if (!(await table.change(claim(), record, { shared_at: sharedAt, delete_at: deleteAt ?? null }))) {
      return now;
    }
    const post = await table.postOf(record);
    const shared = await files.share({ ...record, deleteAt }, post?.state === 'delivered' ? post.channel : undefined);
    if (shared.place !== undefined && shared.place !== record.place) {
      await table.show(claim(), record, now, shared.place);
      onPosts();
    }
    if ('code' in shared) {
      return await refuse(request, shared);
    }
    if (shared.outcome === 'shared') {
      await table.end(record, 'done', clock.now(), claim());
      metrics.exportRows.inc(record.rows);
      return clock.now();
    }
    if (now - sharedAt < sharedSurelyMs && record.sharedAt !== undefined) {
      return now + sharedSurelyMs / 4;
    }
    await table.change(claim(), record, { file_id: null, shared_at: null });
    return now + firstPauseMs;
  };

  /** Tries the step again later, or ends the export. */
  const refuse = async ({ record, claim }: StepRequest, refusal: ExportRefusal): Promise<number> => {
    const now = clock.now();
    if (refusal.outcome === 'refused' || record.failures >= mostFailures) {
      const isUnknown = record.sharedAt !== undefined && refusal.outcome === 'retry';
      await table.end(record, isUnknown ? 'export.unconfirmed' : refusal.code, now, claim());
      return now;
    }
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** record.failures);
    await table.change(claim(), record, { failures: record.failures + 1 });
    return now + Math.max(pause, refusal.afterMs ?? 0);
  };

  /** Deletes the file from Slack, when its time there is over or it has to go earlier. */
  const removeFile = async ({ record, claim }: StepRequest): Promise<number> => {
    const now = clock.now();
    const refusal = record.fileId === undefined ? undefined : await files.remove(record);
    if (refusal && record.failures < mostFailures) {
      await table.change(claim(), record, { failures: record.failures + 1 });
      const pause = Math.min(longestDeletionPauseMs, firstPauseMs * 2 ** record.failures);
      return now + Math.max(pause, (refusal.outcome === 'retry' && refusal.afterMs) || 0);
    }
    if (refusal) {
      log.error({ export: record.id, code: refusal.code }, 'the file of an export could not be deleted');
      await notices.add(endedNotice({ ...record, outcome: 'export.not_deleted' })).catch(logUnnotified(record));
    }
    await table.conclude(record);
    return now;
  };

  const logUnnotified = (record: ExportRecord) => (error: unknown) =>
    log.warn({ export: record.id, err: error }, 'nobody could be told what became of an export');

  const conclude = async (request: StepRequest): Promise<number> => {
    const { record, claim } = request;
    if (record.deleteAt !== undefined && record.deleteAt <= clock.now()) {
      return await removeFile(request);
    }
    const post = await table.postOf(record);
    const isShown = post && post.state !== 'dead' && !isMoved(record, post.channel);
    const now = clock.now();
    if (record.outcome !== 'done' && !isShown) {
      try {
        await notices.add(endedNotice(record));
      } catch (error) {
        if (record.failures < mostNoticeFailures) {
          await table.change(claim(), record, { failures: record.failures + 1 });
          return now + firstPauseMs * 4 ** record.failures;
        }
        logUnnotified(record)(error);
      }
    }
    metrics.exports.inc({ outcome: record.outcome ?? 'unknown' });
    log.info({ export: record.id, outcome: record.outcome, rows: record.rows }, 'an export ended');
    if (record.deleteAt !== undefined) {
      await deleteChunks(store.db, record.id);
      return record.deleteAt;
    }
    await table.conclude(record);
    onPosts();
    return now;
  };

  /** Makes the export’s post before the first part is read, later updates it. @returns when to try again, if at all */
  const showProgress = async (request: StepRequest): Promise<number | undefined> => {
    const { record, claim } = request;
    const now = clock.now();
    if (record.place !== undefined) {
      if (now - (record.shownAt ?? 0) >= shownEveryMs) {
        await table.show(claim(), record, now);
        onPosts();
      }
      return undefined;
    }
    const placed = await files.place(record);
    if ('outcome' in placed) {
      return await refuse(request, placed);
    }
    if (await table.post(claim(), record, placed.channel, now)) {
      onPosts();
    }
    return undefined;
  };

  const runStep = async (request: StepRequest): Promise<number> => {
    const { record } = request;
    if (record.state === 'ended') {
      return await conclude(request);
    }
    if (record.sharedAt === undefined && clock.now() - record.createdAt > oldestMs) {
      throw new ExportFailed('export.too_old', 'it did not come to its end in a day');
    }
    const retryAt = record.sharedAt === undefined ? await showProgress(request) : undefined;
    if (retryAt !== undefined) {
      return retryAt;
    }
    if (record.state === 'reading') {
      return await readPart(request);
    }
    return record.fileId === undefined ? await upload(request) : await share(request);
  };

  return async (request) => {
    const { record, claim, signal } = request;
    try {
      return await runStep(request);
    } catch (error) {
      if (signal.aborted || codeOf(error) === 'export.restarted') {
        return clock.now();
      }
      if (error instanceof ExportFailed) {
        await table.end(record, error.code, clock.now(), claim());
        return clock.now();
      }
      log.warn({ export: record.id, err: error, code: codeOf(error) }, 'a step of an export failed');
      return await refuse(request, refusalOf(error, clock.now()));
    }
  };
}

/** The refusal of an export by the code of an error. A step whose error may pass is tried again. */
function refusalOf(error: unknown, now: number): ExportRefusal {
  const code = codeOf(error);
  if (error instanceof AccountError) {
    if (error.code === 'account.quota' && error.quota) {
      return { outcome: 'retry', code, afterMs: Math.max(0, error.quota.againAt - now) };
    }
    const passes = ['account.unreachable', 'account.slow', 'account.broken', 'account.quota'].includes(error.code);
    return { outcome: passes ? 'retry' : 'refused', code };
  }
  return { outcome: 'retry', code: code.startsWith('store.') ? code : 'export.failed' };
}
