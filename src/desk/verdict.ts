/** Owns the one sentence of a lookup: what the findings add up to. Pure, and never surer than they are. */
import type { Named } from '../account/types.js';
import type { Finding, Verdict } from './types.js';

/**
 * @param notAsked databases that were left out; undefined where it is not known which there are
 */
export function verdictOf(findings: readonly Finding[], notAsked: readonly Named[] | undefined): Verdict {
  const known = findings.filter((finding) => finding.kind === 'known');
  if (known.length > 0) {
    const valid = known.filter((finding) => finding.valid).length;
    return valid === known.length ? 'valid' : valid === 0 ? 'invalid' : 'mixed';
  }
  if (findings.some((finding) => finding.kind === 'failed')) {
    return 'uncertain';
  }
  if (findings.length === 0) {
    return notAsked === undefined ? 'uncertain' : 'no_databases';
  }
  return notAsked !== undefined && notAsked.length === 0 ? 'unknown' : 'not_in_asked';
}
