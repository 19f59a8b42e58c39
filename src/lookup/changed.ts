/**
 * A lookup updated after a change in one database. Pure: the scans and the other databases' answers stay as they were.
 */
import type { Named } from '../codereadr/types.js';
import type { DatabaseFinding, Lookup } from './types.js';
import type { ValueState } from './value-state.js';

/** `now`: undefined where the database does not (or no longer) hold the barcode. */
export function changedLookup(lookup: Lookup, database: Named, now: ValueState | undefined): Lookup {
  const before = lookup.findings.find((finding) => finding.database.id === database.id);
  const after: DatabaseFinding =
    now === undefined
      ? { kind: 'unknown', database, similar: [] }
      : { kind: 'known', database, value: before?.kind === 'known' ? before.value : lookup.value, ...now };
  const findings = before
    ? lookup.findings.map((finding) => (finding === before ? after : finding))
    : [...lookup.findings, after];
  const alone = after.kind === 'known' && findings.every((finding) => finding === after || finding.kind !== 'known');
  const notAsked = lookup.notAsked?.filter(({ id }) => id !== database.id);
  return { ...lookup, findings, ...(notAsked ? { notAsked } : {}), ...(alone ? confirmed(lookup) : {}) };
}

/** The account has just answered for the one database that holds it. */
function confirmed({ asOf }: Lookup): Pick<Lookup, 'asOf'> {
  if (!asOf) {
    return {};
  }
  const { values: _, unchecked: __, why: ___, doubtful: ____, ...rest } = asOf;
  return { asOf: rest };
}
