/**
 * The other spellings of a barcode, where a database that holds it ignores case, or may: the barcode's scans may be
 * filed under each spelling, and count together. Where every such database minds case, there are none.
 */
import { fold, sameSpelling } from '../../codereadr/barcode-equality.js';
import type { Database } from '../../codereadr/types.js';
import type { Mirror } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import type { Scans } from '../../scans/index.js';
import type { DatabaseFinding, Validator } from '../types.js';

/** The most spellings whose scans are read: each may cost a call. */
const mostSpellings = 8;

export interface SpellingSources {
  readonly scans: Pick<Scans, 'spellings'>;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}

/** Another spelling. `guessed`: neither a database nor a scan is known to have it. */
export interface OtherSpelling {
  readonly value: string;
  readonly guessed: boolean;
}

/** The other spellings. @param answeredValues the spellings in the answer of an account that ignores case */
export async function otherSpellings(
  { scans, mirror }: SpellingSources,
  { owner, value }: { readonly owner: Owner; readonly value: string },
  findings: readonly DatabaseFinding[],
  databases: readonly Database[],
  answeredValues: readonly string[],
): Promise<readonly OtherSpelling[]> {
  const knownFindings = findings.filter((finding) => finding.kind === 'known');
  if (knownFindings.every(({ database }) => mindsCase(databases, database.id))) {
    return [];
  }
  const copy = await mirror?.scansCopy(owner);
  const stored = await scans.spellings(owner, copy?.connection, value);
  const folded = fold(value);
  const knownSpellings = [...knownFindings.map((finding) => finding.value), ...stored, ...answeredValues];
  return [...new Set([...knownSpellings, folded, folded.toUpperCase()])]
    .filter((spelling) => !sameSpelling(spelling, value) && fold(spelling) === folded)
    .slice(0, mostSpellings)
    .map((spelling) => ({ value: spelling, guessed: !knownSpellings.includes(spelling) }));
}

/** The validators, with `mindsCase` by the first of their databases that holds the barcode: the one they check by. */
export function withCase(
  validators: readonly Validator[],
  findings: readonly DatabaseFinding[],
  databases: readonly Database[],
): readonly Validator[] {
  const held = new Set(findings.flatMap((finding) => (finding.kind === 'known' ? finding.database.id : [])));
  return validators.map((validator) => {
    const first = validator.databaseIds.find((id) => held.has(id));
    return first !== undefined && mindsCase(databases, first) ? { ...validator, mindsCase: true } : validator;
  });
}

export function mindsCase(databases: readonly Database[], id: string): boolean {
  return databases.find((database) => database.id === id)?.caseSensitive === true;
}
