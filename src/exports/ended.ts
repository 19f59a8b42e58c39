/** What is left of an export that ended: the content of its message, and its entry in the audit log. Pure. */
import type { EndedExport, ExportRecord } from './types.js';

export function endedOf({ id, who, channel, place, what, rows, outcome = '' }: ExportRecord): EndedExport {
  return { id, who, channel, place, what, rows, outcome };
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
