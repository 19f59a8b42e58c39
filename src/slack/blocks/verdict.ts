/**
 * Owns the sentence at the top of a lookup's card: valid, not valid, or what else, in words nobody can take for another.
 * Says "unknown" only where every database of the account was asked and every one answered. Pure; plain text.
 */
import type { Finding, Lookup } from '../../desk/index.js';
import { cut } from './kit.js';
import { visible } from './text.js';

/** A header holds 150; what comes after a name must still fit. */
const longestName = 50;

export const signs = { valid: '✅', invalid: '❌', unsure: '⚠️', absent: '❔' } as const;

/** A name on one line, letter by letter. */
export function shortName(name: string, longest = longestName): string {
  return cut(visible(name.trim() === '' ? '(no name)' : name), longest);
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function verdictSentence(lookup: Pick<Lookup, 'verdict' | 'findings' | 'listFailed'>): string {
  const { findings } = lookup;
  const known = findings.filter((finding) => finding.kind === 'known');
  switch (lookup.verdict) {
    case 'valid':
      return `${signs.valid} Valid in ${namesOrCount(known)}`;
    case 'invalid':
      return `${signs.invalid} Not valid in ${namesOrCount(known)}`;
    case 'mixed': {
      const valid = known.filter((finding) => finding.valid);
      const invalid = known.filter((finding) => !finding.valid);
      return `${signs.unsure} Valid in ${namesOrCount(valid)}, not valid in ${namesOrCount(invalid)}`;
    }
    case 'unknown':
      return findings.length === 1
        ? `${signs.absent} Unknown: not in ${namesOrCount(findings)}, the account’s only database`
        : `${signs.absent} Unknown: not in any of the account’s ${findings.length} databases`;
    case 'not_in_asked':
      return findings.length === 1
        ? `${signs.absent} Not in ${namesOrCount(findings)}, the one database asked`
        : `${signs.absent} Not in any of the ${findings.length} databases asked`;
    case 'uncertain':
      return uncertain(lookup);
    case 'no_databases':
      return `${signs.absent} There was no database to ask`;
  }
}

function uncertain({ findings, listFailed }: Pick<Lookup, 'findings' | 'listFailed'>): string {
  const failed = findings.filter((finding) => finding.kind === 'failed');
  if (failed.length === findings.length) {
    return listFailed && findings.length === 0
      ? `${signs.unsure} Not checked: the account did not tell its databases`
      : `${signs.unsure} Not checked: ${namesOrCount(failed)} gave no answer`;
  }
  return `${signs.unsure} Not found, but ${namesOrCount(failed)} gave no answer`;
}

function namesOrCount(findings: readonly Finding[]): string {
  const [only] = findings;
  return findings.length === 1 && only ? shortName(only.database.name) : countOf(findings.length, 'database');
}
