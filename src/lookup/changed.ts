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
  const fact = { database, at, whole: true, source: 'account' } as const;
  const newFinding: DatabaseFinding =
    state === undefined
      ? { kind: 'unknown', similar: [], ...fact }
      : {
          kind: 'known',
          value: earlierFinding?.kind === 'known' ? earlierFinding.value : lookup.value,
          ...state,
          ...fact,
        };
  const findings = earlierFinding
    ? lookup.findings.map((finding) => (finding === earlierFinding ? newFinding : finding))
    : [...lookup.findings, newFinding];
  const notAsked = lookup.notAsked?.filter(({ id }) => id !== database.id);
  return { ...lookup, findings, ...(notAsked ? { notAsked } : {}) };
}
