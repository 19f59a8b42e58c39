/** The ages of a lookup's facts, given in one place: as a test says them. */
import type { DatabaseFinding, Failure, Lookup } from '../../src/lookup/index.js';
import type { Fact } from '../../src/lookup/types.js';

/** A fact that the account has just given. */
export const certain = (at: number): Omit<Fact, 'failure'> => ({ at, whole: true, source: 'account' });

/**
 * `values`: of the databases that hold the barcode; of all where none does. `absent`: of the others. `scanDays`: how far
 * back scans were read. `unchecked`: the account confirmed nothing; `why`: why not. `doubtful`: whether the values may be gone.
 */
export interface Ages {
  readonly values?: number;
  readonly absent?: number;
  readonly scans?: number;
  readonly fullAt?: number | undefined;
  readonly scanDays?: number;
  readonly unchecked?: boolean;
  readonly why?: Failure | undefined;
  readonly doubtful?: boolean;
  readonly greenMs?: number;
  readonly copying?: Lookup['copying'];
}

export function withAges<Aged extends Pick<Lookup, 'findings' | 'history' | 'askedAt'>>(
  lookup: Aged,
  ages: Ages,
): Aged {
  const { values, absent, scans, fullAt, scanDays: days, unchecked, why, doubtful, greenMs = 900_000, copying } = ages;
  const isHeld = lookup.findings.some(({ kind }) => kind === 'known');
  const failure = why ?? (unchecked ? ({ code: 'account.unreachable' } as const) : undefined);
  const said = failure ? { failure } : {};
  return {
    ...lookup,
    greenMs,
    ...(copying && { copying }),
    findings: lookup.findings.map((finding): DatabaseFinding => {
      const at = (finding.kind === 'known' || !isHeld ? values : absent) ?? finding.at;
      const whole = finding.kind === 'known' ? !doubtful : finding.kind === 'unknown' && at === finding.at;
      return { ...finding, at, whole, source: at === finding.at ? finding.source : 'copy', ...said } as DatabaseFinding;
    }),
    history: {
      ...lookup.history,
      ...{ at: scans ?? lookup.history.at, source: 'copy', fullAt, days, ...said },
      whole: lookup.history.whole && days === undefined,
    },
  };
}
