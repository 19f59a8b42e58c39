/**
 * Plan of a commit: it says which scans of a batch are new, repeated, or complete a stored one. Pure; it runs within
 * the transaction, whose locks keep its input true until the commit.
 */
import { type ChangedCounter, createCounter } from '../../counters/counter.js';
import { countedKeys } from '../../counters/counters.js';
import type { AdmissionsTable } from '../../database/schema.js';
import type { ScanRecord } from '../../scans/received/received-scan-rows.js';
import type { TriedScan } from './earlier.js';
import type { StoredScan } from './rows.js';
import { createPostPlanner, type RulePlan } from './rules.js';
import { completeScan, isSameScan } from './second-submit.js';
import type { CommitResult, Decide, IncomingScan, RelayNow, RulesPort, StoredFacts } from './types.js';

export interface Plan extends RulePlan {
  readonly results: readonly CommitResult[];
  readonly inserts: readonly StoredScan[];
  /** New scans that get a summary of the scans before them. */
  readonly triedScans: readonly TriedScan[];
  readonly updates: readonly StoredScan[];
  readonly tallies: ReadonlyMap<string, { scans: number; lastAt: number }>;
  readonly secretsUsed: ReadonlyMap<string, number>;
  readonly counters: Iterable<ChangedCounter>;
  readonly admissions: readonly AdmissionsTable[];
}

/** How old a secret's `last used` may get before it is written again: one write for each scan would be too many. */
const secretNoteMs = 60_000;

export function secretName(scan: { relayId: string; secretId: string }): string {
  return `${scan.relayId}:${scan.secretId}`;
}

export function planCommit<Ahead>(
  batch: readonly IncomingScan<Ahead>[],
  { relays, scans: stored, counts: storedCounts, rules }: StoredFacts,
  decide: Decide<Ahead>,
  { needs, revise, digests }: RulesPort,
): Plan {
  const counter = createCounter(storedCounts);
  const posting = createPostPlanner(rules, digests);
  const inserts = new Map<string, StoredScan>();
  const triedScans: TriedScan[] = [];
  const updates = new Map<string, StoredScan>();
  const freshByKey = new Map<string, string>();
  const freshByScanId = new Map<string, string[]>();
  const tallies = new Map<string, { scans: number; lastAt: number }>();
  const secretsUsed = new Map<string, number>();

  /** The scan as an earlier scan of the batch stored or completed it; else the stored scan. */
  const newestOf = (found: StoredScan): StoredScan => inserts.get(found.scan.id) ?? updates.get(found.scan.id) ?? found;

  const findStored = (scan: IncomingScan): StoredScan | undefined => {
    if (scan.repeatKey !== undefined) {
      const fresh = freshByKey.get(`${scan.relayId}:${scan.repeatKey}`);
      const found =
        fresh === undefined ? stored.byRepeatKey(scan.relayId, scan.repeatKey) : (inserts.get(fresh) as StoredScan);
      if (found) {
        return newestOf(found);
      }
    }
    if (scan.scanid === undefined) {
      return undefined;
    }
    const fresh = freshByScanId.get(`${scan.relayId}:${scan.scanid}`) ?? [];
    return [...fresh.map((id) => inserts.get(id) as StoredScan), ...stored.byScanId(scan.relayId, scan.scanid)]
      .map(newestOf)
      .find((found) => isSameScan(found.scan, scan));
  };

  const rememberScan = (entry: StoredScan): void => {
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
    const counts = counter.before(relay, incoming);
    const decision = decide(incoming, relay, { ...posting.facts(relay, incoming), counts });
    const { at, uncounted, posts, memories, muted } = decision;
    const totals =
      relay.counting.value && (!decision.valid || posts.length > 0) ? counts.ofSubject('value') : undefined;
    if (!uncounted && (!decision.valid || (totals && totals.seen > 0))) {
      const spellings = [...new Set(countedKeys('value', incoming).flatMap((key) => key.spellings))];
      triedScans.push({ id: incoming.id, relayId: relay.id, relayMadeAt: relay.createdAt, spellings, counted: totals });
    }
    // The scan is made field by field: this runs for every scan, and spreading costs more than the row.
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
      kind: decision.kind,
      late: decision.late,
      madeAt: at === incoming.receivedAt ? undefined : at,
      why: decision.why,
      reply: decision.reply,
      answers: incoming.answers,
      properties: incoming.properties,
    };
    rememberScan({ scan, ownerId, submits: [incoming.submit], repeatKey: incoming.repeatKey });
    if (!uncounted) {
      counter.add(relay, incoming, { at: at ?? scan.receivedAt, accepted: scan.valid, rules: decision.counted });
      const { scans, lastAt } = tallies.get(relay.id) ?? { scans: 0, lastAt: 0 };
      tallies.set(relay.id, { scans: scans + 1, lastAt: Math.max(lastAt, scan.receivedAt) });
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
    // A test scan ends no silence.
    if (needs(relay).silences && !uncounted) {
      const { id, sid, udid, receivedAt } = scan;
      posting.arrive({ id, relayId: relay.id, sid, udid, receivedAt, at: at ?? receivedAt });
    }
    return { kind: 'stored', scan, posts: posts.length };
  };

  const results = batch.map((incoming): CommitResult => {
    const currentRelay = relays.get(secretName(incoming));
    if (!currentRelay) {
      return { kind: 'unknown' };
    }
    if (incoming.settings !== undefined && incoming.settings !== currentRelay.relay.settings) {
      return { kind: 'changed', settings: currentRelay.relay.settings };
    }
    if (currentRelay.secretUsedAt === null || incoming.receivedAt - currentRelay.secretUsedAt >= secretNoteMs) {
      secretsUsed.set(incoming.secretId, incoming.receivedAt);
    }
    const storedScan = findStored(incoming);
    if (!storedScan) {
      return takeNew(incoming, currentRelay);
    }
    const completedScan = completeScan(storedScan, incoming);
    if (!completedScan) {
      return { kind: 'repeat', scan: storedScan.scan };
    }
    if (inserts.has(completedScan.scan.id)) {
      inserts.set(completedScan.scan.id, completedScan);
    } else {
      updates.set(completedScan.scan.id, completedScan);
      posting.complete(completedScan.scan.id, incoming.receivedAt);
    }
    const posted = posting.postsOf(completedScan.scan.id);
    const { names, receivedAt: at } = incoming;
    const facts = { ...posting.facts(currentRelay.relay, incoming), posted, at, names };
    const revisedPosts = revise(storedScan.scan, completedScan.scan, currentRelay.relay, facts);
    const source = { key: completedScan.scan.id, scanId: completedScan.scan.id, at };
    posting.add(currentRelay.relay, source, revisedPosts.posts, posted.length);
    posting.mute(revisedPosts.muted);
    return { kind: 'completed', scan: completedScan.scan, posts: posted.length + revisedPosts.posts.length };
  });

  return {
    results,
    inserts: [...inserts.values()],
    triedScans,
    updates: [...updates.values()],
    tallies,
    secretsUsed,
    ...posting.plan,
    counters: counter.counters,
    admissions: counter.admissions,
  };
}
