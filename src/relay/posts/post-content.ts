/**
 * Content of a post, read from the store each time the post is sent or updated: the outbox stores ids, not texts. A
 * post whose content cannot be read is not sent.
 */
import { codeOf } from '../../errors.js';
import { createIncidentStore } from '../../incidents/incident-rows.js';
import type { Owner } from '../../ownership.js';
import type { Backlog } from '../../posts/backlog.js';
import type { OutboxPost } from '../../posts/outbox/post.js';
import { createScanStore } from '../../scans/received/received-scan-rows.js';
import { createRelaysById } from '../record/by-id.js';
import { toReceivedScan, toRelay } from '../record/relay.js';
import { type ResultCode, resultCodes } from '../record/settings.js';
import { allMentioned, type PostDetail, readDetail, writeDetail } from '../rules/detail.js';
import { createDigestCountStore, type Tally } from './digest-counts.js';
import { createFirstAdmission, type FirstAdmissionDeps } from './first-admission.js';
import type {
  Alarm,
  AnyRelayPost,
  EscalationPost,
  IncidentFacts,
  Post,
  ReplyPost,
  ScanTally,
  WorkflowPost,
} from './post-types.js';

export interface PostContent {
  /** `over`: a mention that nobody is left to hear, or whose scans were forgotten. */
  of(post: OutboxPost, threadTs: string | undefined): Promise<Post | WorkflowPost | 'over' | undefined>;
}

/** How many scans a digest shows. */
const mostShownScans = 10;

export function createPostContent(deps: FirstAdmissionDeps): PostContent {
  const { db } = deps.store;
  const relays = createRelaysById(db);
  const scans = createScanStore(db);
  const counts = createDigestCountStore(db);
  const incidents = createIncidentStore(db);
  const withFirstAdmission = createFirstAdmission(deps);

  const receivedScan = async (id: string) => {
    const found = await scans.find(id);
    return found && toReceivedScan(found);
  };
  const scanOf = async ({ scanId }: OutboxPost) => {
    const found = await scans.find(scanId);
    return found && toReceivedScan(await withFirstAdmission(found));
  };

  const incidentOf = async (owner: Owner, key: string): Promise<{ incident?: IncidentFacts }> => {
    const incident = await incidents.find(owner, key);
    const endScan = incident?.ended?.scanId === undefined ? undefined : await receivedScan(incident.ended.scanId);
    return incident ? { incident: endScan ? { ...incident, endScan } : incident } : {};
  };

  const ofIncident = async (
    base: AnyRelayPost,
    { incident: incidentPart }: PostDetail,
  ): Promise<ReplyPost | EscalationPost | undefined> => {
    // A reply is posted only in its thread: without the thread, its subject would be unknown.
    const inPlace = base.threadTs !== undefined || incidentPart?.part === 'escalated';
    const { incident } = incidentPart && inPlace ? await incidentOf(base.owner, incidentPart.key) : {};
    if (!incidentPart || !incident) {
      return undefined;
    }
    const rule = base.relay.settings.rules.find(({ id }) => id === incident.ruleId);
    const broadcast = rule?.broadcast === true && (incidentPart.part === 'update' || incidentPart.part === 'over');
    const reply = { ...base, kind: 'reply' as const, incident, ...(broadcast ? { broadcast } : {}) };
    switch (incidentPart.part) {
      case 'opened': {
        const found = await Promise.all(incidentPart.scans.map(receivedScan));
        return { ...reply, reply: { part: 'opened', scans: found.filter((scan) => scan !== undefined) } };
      }
      case 'update':
        return incidentPart.figures && { ...reply, reply: { part: 'update', ...incidentPart.figures } };
      case 'over':
        return { ...reply, reply: { part: 'over' } };
      case 'handed_over':
        return { ...reply, reply: { part: 'handed_over', by: incidentPart.by } };
      case 'escalated':
        return { ...base, kind: 'escalation', incident, minutes: incidentPart.minutes };
    }
  };

  const arePostsLeft = async (keys: readonly string[]): Promise<boolean> => {
    const posts = db
      .selectFrom('outbox')
      .select('key')
      .where('key', 'in', [...keys, '']);
    return keys.length === 0 || (await posts.limit(1).execute()).length > 0;
  };

  const tallyOf = async ({ owner }: OutboxPost, tally: Tally) => {
    const known = await incidents.ofPosts(
      owner,
      tally.alarms.map(({ key }) => key),
    );
    return countTally(tally, known);
  };

  const readPost = async (
    post: OutboxPost,
    threadTs: string | undefined,
  ): Promise<Post | WorkflowPost | 'over' | undefined> => {
    const record = await relays.find(post.source.id);
    if (!record) {
      return undefined;
    }
    const detail = readDetail(post.detail);
    const { key, generation, owner, channel } = post;
    const { mention, watchers } = detail;
    const rules = detail.rules.map(({ id, name }) => ({ id, name }));
    const base: AnyRelayPost = {
      key,
      generation,
      owner,
      channel,
      relay: toRelay(record),
      rules,
      mention,
      watchers,
      ...(threadTs === undefined ? {} : { threadTs }),
    };
    const acknowledged = post.acknowledged ? { acknowledged: post.acknowledged } : {};
    switch (post.kind) {
      case 'scan': {
        const scan = await scanOf(post);
        return scan && { ...base, kind: 'scan', scan, ...acknowledged };
      }
      case 'workflow': {
        const scan = await receivedScan(post.scanId);
        const { variables } = detail;
        return scan && variables && { ...base, kind: 'workflow', scan, variables };
      }
      case 'burst': {
        const scan = await scanOf(post);
        const { incident } = await incidentOf(post.owner, post.key);
        if (!detail.burst || !(scan || incident)) {
          return undefined;
        }
        const shown = { ...(scan ? { scan } : {}), ...(incident ? { incident } : {}) };
        return { ...base, kind: 'burst', burst: detail.burst, ...shown, ...acknowledged };
      }
      case 'silence': {
        const incident = await incidentOf(post.owner, post.key);
        return detail.silence && { ...base, kind: 'silence', silence: detail.silence, ...incident, ...acknowledged };
      }
      case 'mention': {
        const isHeard = mention.users.length + mention.groups.length > 0;
        return isHeard && (await arePostsLeft(detail.under)) ? { ...base, kind: 'mention' } : 'over';
      }
      case 'reply':
      case 'escalation':
        return await ofIncident(base, detail);
      case 'digest': {
        const [tally, first] = await Promise.all([
          counts.tally('digest_key', post.key),
          counts.firstOf(post.key, mostShownScans),
        ]);
        if (tally.scans === 0 && tally.alarms.length === 0) {
          return undefined;
        }
        const { why, from } = detail.digest ?? { why: 'collected' as const, from: first[0]?.receivedAt ?? 0 };
        return {
          ...base,
          kind: 'digest',
          why,
          from,
          ...(await tallyOf(post, tally)),
          first: first.map(toReceivedScan),
          watched: detail.watched,
        };
      }
      case 'report':
      case 'export':
      case 'board':
      case 'threshold':
      case 'double':
      case 'notice':
      case 'overdue':
        return undefined;
      case 'card':
        return {
          ...base,
          kind: 'card',
          day: detail.card?.day ?? '',
          ...(await tallyOf(post, await counts.tally('parent_key', key))),
        };
    }
  };

  return {
    async of(post, threadTs) {
      try {
        return await readPost(post, threadTs);
      } catch (error) {
        if (codeOf(error) === 'store.record_broken') {
          return undefined;
        }
        throw error;
      }
    },
  };
}

function countTally(
  { scans, groups, alarms }: Tally,
  incidents: ReadonlyMap<string, IncidentFacts>,
): { tally: ScanTally; alarms: readonly Alarm[] } {
  const byFinding = new Map<ResultCode, number>();
  const byService = new Map<string | undefined, number>();
  for (const { valid, finding, serviceId, count } of groups) {
    const known = resultCodes.find((one) => one === finding) ?? (valid ? 'valid' : 'invalid');
    byFinding.set(known, (byFinding.get(known) ?? 0) + count);
    byService.set(serviceId, (byService.get(serviceId) ?? 0) + count);
  }
  return {
    tally: {
      scans,
      findings: resultCodes.flatMap((finding) => {
        const count = byFinding.get(finding);
        return count === undefined ? [] : [{ finding, count }];
      }),
      services: [...byService]
        .map(([serviceId, count]) => ({ serviceId, count }))
        .sort((a, b) => b.count - a.count || ((a.serviceId ?? '') < (b.serviceId ?? '') ? -1 : 1)),
    },
    alarms: alarms.flatMap(({ key, detail }) => alarmOf(readDetail(detail ?? undefined), incidents.get(key))),
  };
}

function alarmOf({ burst, silence }: PostDetail, incident: IncidentFacts | undefined): Alarm[] {
  return [
    ...(burst ? [{ kind: 'burst' as const, ...burst, incident }] : []),
    ...(silence ? [{ kind: 'silence' as const, ...silence, incident }] : []),
  ];
}

export function detailOfBacklog({ details, firstAt }: Backlog): string {
  const read = details.map(({ detail, by }) => ({ ...readDetail(detail), by }));
  const rules = new Map(read.flatMap(({ rules: named }) => named.map((rule) => [rule.id, rule] as const)));
  const detail = writeDetail({
    rules: [...rules.values()],
    mention: allMentioned(read.map(({ mention }) => mention)),
    watchers: [...new Set(read.flatMap(({ watchers }) => watchers))],
    watched: read.flatMap(({ watchers, by }) =>
      watchers.map((watcher) => ({ who: watcher, ...(by === undefined ? {} : { by }) })),
    ),
    digest: { why: 'behind', from: firstAt },
  });
  return detail ?? '{}';
}
