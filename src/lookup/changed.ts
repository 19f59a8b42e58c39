/** A lookup updated after a change in one database; its scans and other databases' answers stay as they were. Pure. */
import type { Named } from '../codereadr/types.js';
import type { DatabaseFinding, Lookup } from './types.js';
import type { ValueState } from './value-state.js';

/**
 * @param state undefined where the database does not (or no longer) hold the barcode
 * @param at when the account said so
 */
export function changedLookup(lookup: Lookup, database: Named, state: ValueState | undefined, at: number): Lookup {
  const earlierFinding = lookup.findings.find((finding) => finding.database.id === database.id);
  const newFinding: DatabaseFinding =
    state === undefined
      ? { kind: 'unknown', database, similar: [] }
      : {
          kind: 'known',
          database,
          value: earlierFinding?.kind === 'known' ? earlierFinding.value : lookup.value,
          ...state,
        };
  const findings = earlierFinding
    ? lookup.findings.map((finding) => (finding === earlierFinding ? newFinding : finding))
    : [...lookup.findings, newFinding];
  // Whether this database decides alone: where it holds the barcode, the answers of other databases have no age.
  const decidesAlone = findings.every(
    (finding) => finding === newFinding || (newFinding.kind === 'known' && finding.kind !== 'known'),
  );
  const notAsked = lookup.notAsked?.filter(({ id }) => id !== database.id);
  return { ...lookup, findings, ...(notAsked ? { notAsked } : {}), ...(decidesAlone ? confirmed(lookup, at) : {}) };
}

/** The ages after the account has just answered for the one database that counts. */
function confirmed({ asOf }: Lookup, at: number): Pick<Lookup, 'asOf'> {
  if (!asOf) {
    return {};
  }
  const { unchecked: _, why: __, doubtful: ___, ...rest } = asOf;
  return { asOf: { ...rest, values: at } };
}
