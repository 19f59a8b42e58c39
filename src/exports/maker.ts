/** The maker of exports' posts: one message shows progress and outcome; where it cannot, a notice says the outcome. */
import type { Clock } from '../clock.js';
import { readJson } from '../database/stored-json.js';
import type { Notice, NoticeJobs, NoticePost, PostMaker } from '../posts/index.js';
import { endedOf } from './ended.js';
import type { ExportTable } from './export-rows.js';
import {
  type EndedExport,
  type ExportFiles,
  type ExportNotice,
  type ExportPost,
  type ExportRecord,
  endedExport,
} from './types.js';

type ShownExport = Pick<ExportRecord, 'channel'> & { readonly place?: string | undefined };

/** Whether the export's post is in the channel that was requested, and its file goes elsewhere. */
export function isMoved({ channel, place = channel }: ShownExport, postedIn: string): boolean {
  return postedIn === channel && place !== channel;
}

export function endedNotice(record: ExportRecord): Notice {
  const { id, owner, who } = record;
  const detail = JSON.stringify(endedOf(record));
  return { key: `${id}.ended`, owner, source: { kind: 'export', id }, people: [who], detail };
}

export function createExportMaker(deps: {
  readonly table: Pick<ExportTable, 'find' | 'end'>;
  readonly files: Pick<ExportFiles, 'place'>;
  readonly notices: NoticeJobs;
  readonly clock: Clock;
}): PostMaker {
  const { table, files, notices, clock } = deps;
  const parseEnded = (detail: string): EndedExport => readJson(endedExport, detail, 'export');

  return {
    async of(post): Promise<ExportPost | NoticePost<ExportNotice> | 'over'> {
      const { key, generation, owner, channel, source, detail, kind } = post;
      const postBase = { key, generation, owner, channel };
      if (kind === 'notice') {
        return { ...postBase, kind, notice: { what: 'export_ended', record: parseEnded(detail ?? '') } };
      }
      const record = detail === undefined ? await table.find(owner, source.id) : undefined;
      const shownExport = record ? { ...endedOf(record), outcome: record.outcome } : detail && parseEnded(detail);
      const isPosted = post.state === 'delivered';
      if (!shownExport) {
        return 'over';
      }
      if (isMoved(shownExport, channel)) {
        return isPosted ? { ...postBase, kind: 'export', shows: 'moved', who: shownExport.who } : 'over';
      }
      if (shownExport.outcome === 'done') {
        return isPosted ? { ...postBase, kind: 'export', shows: 'gone' } : 'over';
      }
      if (record && !isPosted) {
        // People of another organization may have come to read the channel since.
        const placed = await files.place(record);
        if ('channel' in placed && isMoved({ ...record, place: placed.channel }, channel)) {
          return 'over';
        }
      }
      const { outcome } = shownExport;
      if (outcome !== undefined) {
        return { ...postBase, kind: 'export', shows: 'ended', record: { ...shownExport, outcome } };
      }
      return record ? { ...postBase, kind: 'export', shows: 'progress', record } : 'over';
    },

    async gone({ kind, owner, source: { id }, detail }, { code }) {
      if (kind === 'notice') {
        return 'reject';
      }
      const record = detail === undefined ? await table.find(owner, id) : undefined;
      const { outcome, who } = record ?? (detail === undefined ? {} : parseEnded(detail));
      // An export whose file is already on its way goes on.
      const isOver = outcome !== undefined || (record && (await table.end(record, code, clock.now())));
      if (who !== undefined && isOver && outcome !== 'done') {
        const notice = record ? endedNotice({ ...record, outcome: outcome ?? code }) : undefined;
        const source = { kind: 'export' as const, id };
        await notices.add(notice ?? { key: `${id}.ended`, owner, source, people: [who], detail: detail ?? '' });
      }
      return 'reject';
    },
  };
}
