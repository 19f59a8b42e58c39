/** The maker of exports' posts: one message shows progress and outcome; where it cannot, a notice says the outcome. */
import { readJson } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import type { NoticeJobs, NoticePost, PostMaker } from '../posts/index.js';
import { endedNotice, endedOf, isMoved } from './ended.js';
import {
  type EndedExport,
  type ExportFiles,
  type ExportNotice,
  type ExportPost,
  type ExportRecord,
  endedExport,
} from './types.js';

export function createExportMaker(deps: {
  readonly exports: {
    find(owner: Owner, id: string): Promise<ExportRecord | undefined>;
    cancel(record: ExportRecord, outcome: string): Promise<boolean>;
  };
  readonly files: Pick<ExportFiles, 'place'>;
  readonly notices: NoticeJobs;
}): PostMaker {
  const { exports, files, notices } = deps;
  const parseEnded = (detail: string): EndedExport => readJson(endedExport, detail, 'export');

  return {
    async of(post): Promise<ExportPost | NoticePost<ExportNotice> | 'over'> {
      const { key, generation, owner, channel, source, detail, kind } = post;
      const postBase = { key, generation, owner, channel };
      if (kind === 'notice') {
        return { ...postBase, kind, notice: { what: 'export_ended', record: parseEnded(detail ?? '') } };
      }
      const record = detail === undefined ? await exports.find(owner, source.id) : undefined;
      const ended = detail === undefined ? undefined : parseEnded(detail);
      const shownExport = record ?? ended;
      const isPosted = post.state === 'delivered';
      if (!shownExport) {
        return 'over';
      }
      if (isMoved(shownExport, channel)) {
        return isPosted ? { ...postBase, kind: 'export', shows: 'moved', who: shownExport.who } : 'over';
      }
      if (ended?.outcome === 'done') {
        return isPosted ? { ...postBase, kind: 'export', shows: 'gone' } : 'over';
      }
      if (record && !isPosted) {
        // People of another organization may have come to read the channel since.
        const placed = await files.place(record);
        if ('channel' in placed && isMoved({ ...record, place: placed.channel }, channel)) {
          return 'over';
        }
      }
      if (ended) {
        return { ...postBase, kind: 'export', shows: 'ended', record: ended };
      }
      return record ? { ...postBase, kind: 'export', shows: 'progress', record } : 'over';
    },

    async gone({ kind, owner, source: { id }, detail }, { code }) {
      if (kind === 'notice') {
        return 'reject';
      }
      const record = detail === undefined ? await exports.find(owner, id) : undefined;
      const ended = record ? endedOf(record, code) : detail === undefined ? undefined : parseEnded(detail);
      // An export whose file is already on its way goes on.
      if (ended && ended.outcome !== 'done' && (!record || (await exports.cancel(record, code)))) {
        await notices.add(endedNotice(owner, ended));
      }
      return 'reject';
    },
  };
}
