/** Types of a commit: the incoming scan, the decision on it, the records read before, and the results. */
import type { NamesOfScan } from '../../codereadr/names.js';
import type { StoredCounts } from '../../counters/counter.js';
import type { CountedScan, Counts, RuleCount } from '../../counters/counters.js';
import type { BurstChange } from '../../incidents/batch-changes.js';
import type { PostOfScan } from '../../posts/outbox/scan-posts.js';
import type { ScanRecord, Submit } from '../../scans/received/received-scan-rows.js';
import type { MutedPosts } from '../../watches/facts.js';
import type { RelayRecord } from '../record/records.js';
import type { StoredScan } from './rows.js';
import type { DecidedPost, DigestPort, RuleFacts, RuleNeeds, StoredRules } from './rules.js';

/** An incoming scan. The relay makes its id, so that no round trip to the database is needed. */
export interface IncomingScan<Ahead = unknown>
  extends Omit<ScanRecord, 'owner' | keyof StoredResult>,
    Pick<CountedScan, 'sameAs'> {
  /** The id of the secret that the scan came with. */
  readonly secretId: string;
  readonly submit: Submit;
  /** How far the device's clock is behind, in ms, where that is known. */
  readonly clockOffset?: number;
  /**
   * The key by which repeats are found: equal for equal `sid`, `udid`, `userid`, `tid` and `scannedAtUtc`; different
   * otherwise. Undefined if one of them is missing: such a scan is never a repeat.
   */
  readonly repeatKey?: string;
  /** Facts prefetched before the commit; handed to `decide`, stored nowhere. */
  readonly prefetched?: Ahead;
  /** The names behind the scan's ids, as far as they were known before the commit; stored nowhere. */
  readonly names?: NamesOfScan;
  /** The settings (JSON) by which the scan was parsed: if they have changed, nothing is stored. */
  readonly settings?: string;
}

/** The validation result, as it is stored with the scan. */
export type StoredResult = Pick<ScanRecord, 'valid' | 'text' | 'finding' | 'kind' | 'late' | 'why' | 'reply'>;

export interface Decision extends StoredResult {
  /** The moment at which the scan counts; undefined: its arrival. */
  readonly at?: number;
  /** Set for a test scan, which no counter counts. */
  readonly uncounted?: boolean;
  readonly posts: readonly DecidedPost[];
  /** Memories of rules, by rule id. */
  readonly memories?: Readonly<Record<string, string>>;
  /** The rules that count the scan. */
  readonly counted?: readonly RuleCount[];
  /** Mutes for a number of posts that left out posts of this scan, each with the number left out. */
  readonly muted?: readonly MutedPosts[];
  /** Changes of open bursts by this scan. */
  readonly bursts?: readonly BurstChange[];
}

/** Facts known only within the commit. They are read in bulk, under the relays' locks: see read.ts. */
export interface Facts extends RuleFacts {
  /** The relay's counts before this scan, which include earlier scans of the same batch. */
  readonly counts: Counts;
}

/** Decides on a new scan. Called within the commit: no promise, nothing slow. */
export type Decide<Ahead = unknown> = (scan: IncomingScan<Ahead>, relay: RelayRecord, facts: Facts) => Decision;

/** The rules' part of a commit besides the decision. Called within the commit. */
export interface RulesPort {
  needs(relay: RelayRecord): RuleNeeds;
  /** The moment around which the relay's settings count admissions; undefined: they count none for this scan. */
  countsAround(relay: RelayRecord, scan: IncomingScan): number | undefined;
  /** The posts that a second submit adds: those of rules that match only now. */
  revise(before: ScanRecord, after: ScanRecord, relay: RelayRecord, facts: RevisionFacts): Revision;
  /** Left out: digests keep the detail with which they began. */
  readonly digests?: DigestPort;
}

export interface Revision {
  readonly posts: readonly DecidedPost[];
  readonly muted: readonly MutedPosts[];
}

export interface RevisionFacts extends RuleFacts {
  /** When the second submit came. */
  readonly at: number;
  readonly posted: readonly PostOfScan[];
  readonly names?: NamesOfScan;
}

export type CommitResult =
  | { readonly kind: 'stored'; readonly scan: ScanRecord; readonly posts: number }
  /** The scan is a repeat: the device gets the same answer. */
  | { readonly kind: 'repeat'; readonly scan: ScanRecord }
  /** The scan completed a stored one: the device gets the same answer. `posts`: those to update, and new ones. */
  | { readonly kind: 'completed'; readonly scan: ScanRecord; readonly posts: number }
  /** The relay is unknown: it was removed or the secret revoked after authentication. Nothing was stored. */
  | { readonly kind: 'unknown' }
  /** The relay's settings changed after authentication: the current ones (JSON). Nothing was stored. */
  | { readonly kind: 'changed'; readonly settings: string };

/** A relay at the time of the commit, found by the secret that was used. */
export interface RelayNow {
  readonly relay: RelayRecord;
  /** The number of the scan's owner. */
  readonly ownerId: number;
  readonly secretUsedAt: number | null;
}

/** Lookup of the stored scan that an incoming one may repeat. */
export interface Repeats {
  byRepeatKey(relayId: string, repeatKey: string): StoredScan | undefined;
  /** The stored scans with this id, or with this scan id of the account. */
  byScanId(relayId: string, scanid: string): readonly StoredScan[];
}

/** All records read before the decision on a batch. */
export interface StoredFacts {
  readonly relays: ReadonlyMap<string, RelayNow>;
  readonly scans: Repeats;
  readonly counts: StoredCounts;
  readonly rules: StoredRules;
}
