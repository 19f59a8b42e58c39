/**
 * Plan of a commit: which scans of a batch are new, repeated, or complete a stored one. Pure; it runs within the
 * transaction, whose locks keep its input true until the commit.
 */
import type { NamesOfScan } from '../../codereadr/names.js';
import { type AdmissionRow, type CounterRow, createCounter, type StoredCounts } from '../../counters/counter.js';
import { type CountedScan, type Counts, countedKeys, type RuleCount } from '../../counters/counters.js';
import type { BurstChange } from '../../incidents/batch-changes.js';
import type { PostOfScan } from '../../posts/outbox/scan-posts.js';
import type { ScanRecord, Submit } from '../../scans/received/table.js';
import type { MutedPosts } from '../../watches/facts.js';
import type { RelayRecord } from '../record/records.js';
import type { TriedScan } from './earlier.js';
import type { StoredScan } from './rows.js';
import {
  createPostPlanner,
  type DecidedPost,
  type RuleFacts,
  type RuleNeeds,
  type RulePlan,
  type StoredRules,
} from './rules.js';
import { completed, isSameScan } from './second-submit.js';

/** An incoming scan. Its id is made by the relay, so that no round trip to the database is needed. */
export interface IncomingScan<Ahead = unknown>
  extends Omit<ScanRecord, 'owner' | keyof StoredResult>,
    Pick<CountedScan, 'sameAs'> {
  /** The secret that the scan came with. */
  readonly secretId: string;
  readonly submit: Submit;
  /**
   * Equal for equal `sid`, `udid`, `userid`, `tid` and `scannedAtUtc`; different otherwise. Undefined if one of them is
   * missing: such a scan is never a repeat.
   */
  readonly repeatKey?: string;
  /** Prefetched before the commit; handed to `decide`, stored nowhere. */
  readonly prefetched?: Ahead;
  /** The names behind its ids, as far as they were known before the commit; stored nowhere. */
  readonly names?: NamesOfScan;
  /** The settings (JSON) that the scan was read by: if they have changed, nothing is stored. */
  readonly settings?: string;
}

/** The validation result, as it is stored with the scan. */
export type StoredResult = Pick<ScanRecord, 'valid' | 'text' | 'finding' | 'late' | 'why' | 'reply'>;

export interface Decision extends StoredResult {
  /** The moment at which the scan counts, if not the time it came. */
  readonly at?: number;
  /** Set for a test scan, which no counter counts. */
  readonly uncounted?: boolean;
  readonly posts: readonly DecidedPost[];
  /** Memories of rules, by rule id. */
  readonly memories?: Readonly<Record<string, string>>;
  /** The rules that count the scan. */
  readonly counted?: readonly RuleCount[];
  /** Mutes for a number of posts that left out posts of this scan, each with how many. */
  readonly muted?: readonly MutedPosts[];
  /** Changes of open bursts. */
  readonly bursts?: readonly BurstChange[];
}

/**
 * Facts known only within the commit. PostgreSQL prefetches more of them; SQLite reads them on demand: see counter.ts.
 */
export interface Facts extends RuleFacts {
  /** The relay's counts before this scan, which include earlier scans of the same batch. */
  readonly counts: Counts;
}

/** Decides on a new scan. Called within the commit: no promise, nothing slow. */
export type Decide<Ahead = unknown> = (scan: IncomingScan<Ahead>, relay: RelayRecord, facts: Facts) => Decision;

/** What a commit asks of a relay's rules besides the decision. Called within the commit. */
export interface RulesPort {
  needs(relay: RelayRecord): RuleNeeds;
  /** The moment around which the relay's settings count admissions; undefined: they count none for this scan. */
  countsAround(relay: RelayRecord, scan: IncomingScan): number | undefined;
  /** The posts that a second submit adds: those of rules that match only now. */
  revise(before: ScanRecord, after: ScanRecord, relay: RelayRecord, facts: RevisionFacts): Revision;
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
  /** The same scan again: answered as before. */
  | { readonly kind: 'repeat'; readonly scan: ScanRecord }
  /** A second submit that completed it: answered as before. `posts`: those to update, and new ones. */
  | { readonly kind: 'completed'; readonly scan: ScanRecord; readonly posts: number }
  /** The relay was removed or the secret revoked after authentication. Nothing was stored. */
  | { readonly kind: 'unknown' }
  /** The relay's settings changed after authentication: they are these now (JSON). Nothing was stored. */
  | { readonly kind: 'changed'; readonly settings: string };

/** A relay at the time of the commit, by the secret that was used. */
export interface RelayNow {
  readonly relay: RelayRecord;
  /** The number of its owner. */
  readonly ownerId: number;
  readonly secretUsedAt: number | null;
}

export interface Plan extends RulePlan {
  readonly results: readonly CommitResult[];
  readonly inserts: readonly StoredScan[];
  /** Scans that are posted with a summary of the scans before them. */
  readonly tried: readonly TriedScan[];
  readonly updates: readonly StoredScan[];
  readonly tallies: ReadonlyMap<string, { scans: number; lastAt: number }>;
  readonly secretsUsed: ReadonlyMap<string, number>;
  readonly counters: Iterable<CounterRow>;
  readonly admissions: readonly AdmissionRow[];
}

/** Look-up of the stored scan that an incoming one may repeat. */
export interface Stored {
  byRepeatKey(relayId: string, repeatKey: string): StoredScan | undefined;
  /** The stored scans with this id, or with this scan id of the account. */
  byScanId(relayId: string, scanid: string): readonly StoredScan[];
}

/** All that is read before the decision on a batch. */
export interface StoredFacts {
  readonly relays: ReadonlyMap<string, RelayNow>;
  readonly scans: Stored;
  readonly counts: StoredCounts;
  readonly rules: StoredRules;
}

/** How old a secret's `last used` may get before it is written again: one write for each scan would be too many. */
const secretNoteMs = 60_000;

export function secretName(scan: { relayId: string; secretId: string }): string {
  return `${scan.relayId}:${scan.secretId}`;
}

export function planCommit<Ahead>(
  batch: readonly IncomingScan<Ahead>[],
  { relays, scans: stored, counts, rules }: StoredFacts,
  decide: Decide<Ahead>,
  { needs, revise }: RulesPort,
): Plan {
  const counter = createCounter(counts);
  const posting = createPostPlanner(rules);
  const inserts = new Map<string, StoredScan>();
  const tried: TriedScan[] = [];
  const updates = new Map<string, StoredScan>();
  const freshByKey = new Map<string, string>();
  const freshByScanId = new Map<string, string[]>();
  const tallies = new Map<string, { scans: number; lastAt: number }>();
  const secretsUsed = new Map<string, number>();

  /** The batch's own version of a stored scan, if an earlier scan of the batch completed it. */
  const newest = (found: StoredScan): StoredScan => inserts.get(found.scan.id) ?? updates.get(found.scan.id) ?? found;

  const findStored = (scan: IncomingScan): StoredScan | undefined => {
    if (scan.repeatKey !== undefined) {
      const fresh = freshByKey.get(`${scan.relayId}:${scan.repeatKey}`);
      const found =
        fresh === undefined ? stored.byRepeatKey(scan.relayId, scan.repeatKey) : (inserts.get(fresh) as StoredScan);
      if (found) {
        return newest(found);
      }
    }
    if (scan.scanid === undefined) {
      return undefined;
    }
    const fresh = freshByScanId.get(`${scan.relayId}:${scan.scanid}`) ?? [];
    return [...fresh.map((id) => inserts.get(id) as StoredScan), ...stored.byScanId(scan.relayId, scan.scanid)]
      .map(newest)
      .find((found) => isSameScan(found.scan, scan));
  };

  const remember = (entry: StoredScan): void => {
    const { scan, repeatKey } = entry;
    inserts.set(scan.id, entry);
    if (repeatKey !== undefined) {
      freshByKey.set(`${scan.relayId}:${repeatKey}`, scan.id);
    }
    if (scan.scanid !== undefined) {
      const name = `${scan.relayId}:${scan.scanid}`;
      freshByScanId.set(name, [...(freshByScanId.get(name) ?? []), scan.id]);
    }
  };

  const takeNew = (incoming: IncomingScan<Ahead>, { relay, ownerId }: RelayNow): CommitResult => {
    const known = posting.facts(relay, incoming);
    const before = counter.before(relay, incoming);
    const decision = decide(incoming, relay, {
      watches: known.watches,
      mutes: known.mutes,
      memory: known.memory,
      counts: before,
    });
    const { at, uncounted, posts, memories, muted } = decision;
    const counted = relay.counting.value && (!decision.valid || posts.length > 0) ? before.of('value') : undefined;
    if (!uncounted && (!decision.valid || (counted && counted.seen > 0))) {
      const spellings = [...new Set(countedKeys('value', incoming).flatMap((key) => key.spellings))];
      tried.push({ id: incoming.id, relayId: relay.id, relayMadeAt: relay.createdAt, spellings, counted });
    }
    // Field by field, all at once: this runs for every scan, and spreading costs more than the row.
    const scan: ScanRecord = {
      id: incoming.id,
      relayId: incoming.relayId,
      owner: relay.owner,
      receivedAt: incoming.receivedAt,
      tid: incoming.tid,
      sid: incoming.sid,
      userid: incoming.userid,
      udid: incoming.udid,
      scanid: incoming.scanid,
      givenStatus: incoming.givenStatus,
      givenText: incoming.givenText,
      scannedAtUtc: incoming.scannedAtUtc,
      valid: decision.valid,
      text: decision.text,
      finding: decision.finding,
      late: decision.late,
      madeAt: at === incoming.receivedAt ? undefined : at,
      why: decision.why,
      reply: decision.reply,
      answers: incoming.answers,
      properties: incoming.properties,
    };
    remember({ scan, ownerId, submits: [incoming.submit], repeatKey: incoming.repeatKey });
    if (!uncounted) {
      counter.add(relay, incoming, { at: at ?? scan.receivedAt, accepted: scan.valid, rules: decision.counted });
    }
    if (decision.bursts && decision.bursts.length > 0) {
      posting.burst(relay.id, decision.bursts, scan.receivedAt);
    }
    if (posts.length > 0) {
      posting.add(relay, { key: scan.id, scanId: scan.id, at: scan.receivedAt }, posts, 0);
    }
    if (muted) {
      posting.mute(muted);
    }
    if (memories) {
      posting.remember(relay.id, memories);
    }
    if (needs(relay).silences) {
      const { id, sid, udid, receivedAt } = scan;
      posting.arrive({ id, relayId: relay.id, sid, udid, receivedAt, at: uncounted ? undefined : (at ?? receivedAt) });
    }
    const tally = tallies.get(relay.id);
    if (tally) {
      tally.scans += 1;
      tally.lastAt = Math.max(tally.lastAt, scan.receivedAt);
    } else {
      tallies.set(relay.id, { scans: 1, lastAt: scan.receivedAt });
    }
    return { kind: 'stored', scan, posts: posts.length };
  };

  const results = batch.map((incoming): CommitResult => {
    const current = relays.get(secretName(incoming));
    if (!current) {
      return { kind: 'unknown' };
    }
    if (incoming.settings !== undefined && incoming.settings !== current.relay.settings) {
      return { kind: 'changed', settings: current.relay.settings };
    }
    if (current.secretUsedAt === null || incoming.receivedAt - current.secretUsedAt >= secretNoteMs) {
      secretsUsed.set(incoming.secretId, incoming.receivedAt);
    }
    const before = findStored(incoming);
    if (!before) {
      return takeNew(incoming, current);
    }
    const after = completed(before, incoming);
    if (!after) {
      return { kind: 'repeat', scan: before.scan };
    }
    if (inserts.has(after.scan.id)) {
      inserts.set(after.scan.id, after);
    } else {
      updates.set(after.scan.id, after);
      posting.complete(after.scan.id, incoming.receivedAt);
    }
    const posted = posting.postsOf(after.scan.id);
    const { names, receivedAt: at } = incoming;
    const facts = { ...posting.facts(current.relay, incoming), posted, at, names };
    const more = revise(before.scan, after.scan, current.relay, facts);
    const source = { key: after.scan.id, scanId: after.scan.id, at };
    posting.add(current.relay, source, more.posts, posted.length);
    posting.mute(more.muted);
    return { kind: 'completed', scan: after.scan, posts: posted.length + more.posts.length };
  });

  return {
    results,
    inserts: [...inserts.values()],
    tried,
    updates: [...updates.values()],
    tallies,
    secretsUsed,
    ...posting.plan,
    counters: counter.counters,
    admissions: counter.admissions,
  };
}
