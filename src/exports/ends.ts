/**
 * How an export ends: with its audit entry, its message, and a notice where the message cannot show the outcome. A file
 * that does not stay in Slack is deleted by a job of its own.
 */
import { JobDelayed, type NextRun } from '../database/jobs/job.js';
import type { Jobs } from '../database/jobs/runner.js';
import type { NoticeJobs } from '../posts/index.js';
import { changePost, findPost, keepDetail } from '../posts/outbox/single-posts.js';
import type { ProcessDeps } from '../process.js';
import type { Store } from '../workspaces/types.js';
import { deleteChunks } from './chunks.js';
import { auditOf, endedNotice, endedOf, isMoved } from './ended.js';
import { type ExportFiles, type ExportRecord, type ExportState, sharedExport } from './types.js';

export interface EndsDeps extends Pick<ProcessDeps, 'clock' | 'log' | 'metrics'> {
  readonly store: Pick<Store, 'db' | 'audit'>;
  readonly jobs: Jobs;
  readonly files: Pick<ExportFiles, 'remove'>;
  readonly notices: NoticeJobs;
  /** Called when an export's post entered the outbox, or has changed. */
  readonly onPosts: () => void;
}

const hourMs = 3_600_000;

export function createEnds({ store, jobs, files, notices, clock, log, metrics, onPosts }: EndsDeps) {
  const sharedFiles = jobs.define('export_file', {
    state: sharedExport,
    slots: 1,
    longestWaitMs: 25 * hourMs,
    // With these pauses, tries to delete a file go on for most of a day.
    backoff: { leastBackoffMs: 1_000, longestBackoffMs: hourMs },
    tries: 31,
    async run({ owner, state: { fileId } }) {
      const refusal = await files.remove({ owner, fileId });
      if (refusal) {
        throw new JobDelayed(refusal.code, 'Slack did not delete the file', refusal.afterMs);
      }
      return {};
    },
    failed: ({ owner, state }) => ({
      work: async (trx) =>
        await (state && notices.add(endedNotice(owner, { ...state.ended, outcome: 'export.not_deleted' }), trx)),
    }),
  });

  return {
    /** What follows for an export that ends: its job is deleted, then its chunks. */
    end(record: ExportRecord, outcome: string): NextRun<ExportState> {
      const { id, owner, fileId, deleteAt, rows } = record;
      const ended = endedOf(record, outcome);
      return {
        async work(trx) {
          const now = clock.now();
          await store.audit.add(owner, auditOf(record, outcome, now), trx);
          await keepDetail(trx, id, JSON.stringify(ended));
          await changePost(trx, id, now);
          const post = await findPost(trx, id);
          const isShown = post && post.state !== 'dead' && !isMoved(record, post.channel);
          if (outcome === 'done' && fileId !== undefined && deleteAt !== undefined) {
            await sharedFiles.put(owner, id, { ended, fileId }, { trx, dueAt: deleteAt });
          } else if (outcome !== 'done' && !isShown) {
            await notices.add(endedNotice(owner, ended), trx);
          }
        },
        async after() {
          metrics.exports.inc({ outcome });
          metrics.exportRows.inc(outcome === 'done' ? rows : 0);
          log.info({ export: id, outcome, rows }, 'an export ended');
          onPosts();
          await deleteChunks(store.db, id);
        },
      };
    },

    /** Makes the deletion due of an owner's files that do not stay in Slack. */
    async deleteFiles(owner: ExportRecord['owner']): Promise<void> {
      for (const { key } of await sharedFiles.list(owner)) {
        await sharedFiles.change(owner, key, () => ({ dueAt: clock.now() }));
      }
    },
  };
}

export type Ends = ReturnType<typeof createEnds>;
