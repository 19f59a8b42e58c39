/** What is left of an export that ended: the content of its message and notice, and its audit entry. Pure. */
import type { Owner } from '../ownership.js';
import type { Notice } from '../posts/index.js';
import type { EndedExport, ExportRecord } from './types.js';

export function endedOf({ id, who, channel, place, what, rows }: ExportRecord, outcome: string): EndedExport {
  return { id, who, channel, place, what, rows, outcome };
}

/** The notice of the outcome, where the export's message cannot show it. */
export function endedNotice(owner: Owner, ended: EndedExport): Notice {
  const { id, who } = ended;
  return {
    key: `${id}.ended`,
    owner,
    source: { kind: 'export', id },
    people: [who],
    detail: JSON.stringify(ended),
  };
}

/** Whether the export's post is in the channel that was requested, and its file goes elsewhere. */
export function isMoved(
  { channel, place = channel }: Pick<EndedExport, 'channel' | 'place'>,
  postedIn: string,
): boolean {
  return postedIn === channel && place !== channel;
}

const auditNames = {
  scans: 'scans/export',
  values: 'databases/export',
  inside: 'places/export',
  roll_call: 'places/roll_call_export',
  out: 'places/out_export',
} as const satisfies Record<ExportRecord['what']['kind'], string>;

/** The audit entry of an export. Barcodes are separate fields, so that a forgotten one can be taken out. */
export function auditOf(
  { who, channel, place = channel, what, mode, rows }: ExportRecord,
  outcome: string,
  now: number,
) {
  const subjectIds =
    what.kind === 'scans'
      ? { when: what.query.when, value: what.query.barcode?.text }
      : what.kind === 'values'
        ? { databases: [what.database.id] }
        : what.kind === 'out'
          ? { value: what.text || undefined }
          : { list: what.list.name };
  return {
    at: now,
    who,
    where: place,
    what: auditNames[what.kind],
    detail: { rows, format: mode, ...subjectIds },
    outcome: outcome === 'done' ? 'ok' : outcome,
  };
}
