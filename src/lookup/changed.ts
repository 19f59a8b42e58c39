/**
 * Owns a lookup after one database was changed: what that database says now. Pure; the scans, and
 * what other databases said, stay as they were told.
 */
import type { Named } from '../codereadr/types.js';
import type { Standing } from './standing.js';
import type { DatabaseFinding, Lookup } from './types.js';

/** `now`: undefined where the database does not hold the barcode (any more). */
export function changedLookup(lookup: Lookup, database: Named, now: Standing | undefined): Lookup {
  const before = lookup.findings.find((finding) => finding.database.id === database.id);
  const after: DatabaseFinding =
    now === undefined
      ? { kind: 'unknown', database, similar: [] }
      : { kind: 'known', database, value: before?.kind === 'known' ? before.value : lookup.value, ...now };
  const findings = before
    ? lookup.findings.map((finding) => (finding === before ? after : finding))
    : [...lookup.findings, after];
  const notAsked = lookup.notAsked?.filter(({ id }) => id !== database.id);
  return { ...lookup, findings, ...(notAsked ? { notAsked } : {}) };
}
