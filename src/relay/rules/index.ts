/** Public interface of the rules: which validated scans are posted, and where. Pure, and called within the commit. */
import type { NamesOfScan } from '../../codereadr/names.js';
import type { Counting, Counts } from '../../counters/counters.js';
import type { RuleChannel } from '../../posts/outbox/source-posts.js';
import type { ScanRecord } from '../../scans/received/received-scan-rows.js';
import type {
  DecidedPost,
  DigestPort,
  IncomingScan,
  Revision,
  RevisionFacts,
  RuleFacts,
  RuleNeeds,
} from '../commit/index.js';
import type { ValidatedScan } from '../conditions/condition.js';
import { kindOf } from '../conditions/index.js';
import type { RelayRecord } from '../record/records.js';
import { acceptsService } from '../record/relay.js';
import { queueOf, type RelaySettings, resultCodes } from '../record/settings.js';
import { countingForValidation, type Prefetched, type ValidationResult } from '../validation/index.js';
import { countsAtScan, createWriteCounts, type WriteCounts } from './counts-at-scan.js';
import { joinDetails, readDetail } from './detail.js';
import { createEvaluate, type Evaluation, type NotablePost } from './evaluate.js';
import { burstOf, escalationOf, ruleCountOf, silenceOf } from './ready.js';
import { alertPost, routePost } from './route.js';
import { nextCheckAt } from './timers/check-incident.js';
import { createRuleUpdate } from './update.js';

export interface RulesInput {
  readonly scan: IncomingScan<Prefetched>;
  readonly relay: RelayRecord;
  readonly verdict: ValidationResult;
  /** The relay's counts before this scan. */
  readonly counts: Counts;
  readonly facts: RuleFacts;
}

export interface Rules {
  readonly needs: RuleNeeds;
  decide(input: RulesInput): Omit<Evaluation, 'posts'> & { readonly posts: readonly DecidedPost[] };
  /** The reply (JSON) with the counts that a second submit needs. */
  readonly withCounts: WriteCounts;
  /** The posts that a second submit adds. */
  revise(before: ScanRecord, after: ScanRecord, relay: RelayRecord, facts: RevisionFacts): Revision;
}

export function createRules(settings: RelaySettings): Rules {
  const evaluate = createEvaluate(settings);
  const revise = createRuleUpdate(settings);
  const activeRules = settings.rules.filter((rule) => rule.on);

  return {
    needs: {
      memories: activeRules.some((rule) => burstOf(rule) !== undefined),
      silences: activeRules.some((rule) => silenceOf(rule) !== undefined),
      digests: settings.rules.some(({ how, quiet }) => how === 'digest' || quiet !== undefined),
      counts: activeRules.flatMap((rule) => ruleCountOf(rule) ?? []),
    },

    decide({ scan, relay, verdict, counts, facts }) {
      // The scan is made field by field: this runs for every scan, and spreading costs more than evaluating the rules.
      const validatedScan: ValidatedScan = {
        id: scan.id,
        tid: scan.tid,
        sid: scan.sid,
        userid: scan.userid,
        udid: scan.udid,
        givenStatus: scan.givenStatus,
        scannedAtUtc: scan.scannedAtUtc,
        receivedAt: scan.receivedAt,
        answers: scan.answers,
        properties: scan.properties,
        valid: verdict.valid,
        text: verdict.text,
        finding: verdict.finding,
        late: verdict.late,
        madeAt: verdict.at,
      };
      const countBefore = (subject: Parameters<Counts['ofSubject']>[0]) => counts.ofSubject(subject).seen;
      const knownFacts = { ...facts, countBefore, ruleCountBefore: counts.ofRule, names: scan.names ?? noNames };
      const evaluation = evaluate(validatedScan, knownFacts, relay, acceptsService(relay, scan.sid));
      return { ...evaluation, posts: evaluation.posts.map((post) => toDecidedPost(post, relay.id, scan.receivedAt)) };
    },

    withCounts: createWriteCounts(settings),

    revise(before, after, relay, facts) {
      if (!acceptsService(relay, after.sid)) {
        return { posts: [], muted: [] };
      }
      const { at, posted, watches, mutes, names = noNames } = facts;
      const known = { at, posted, watches, mutes, names, countBefore: countsAtScan(before.reply) };
      const { posts, muted } = revise(asValidated(before), asValidated(after), known);
      return { posts: posts.map((post) => toDecidedPost(post, relay.id, facts.at)), muted };
    },
  };
}

const noNames: NamesOfScan = {};

/** The counting that the rules and the validation need; see `Counting`. */
export function countingFor(settings: RelaySettings): Counting {
  const on = settings.rules.filter((rule) => rule.on);
  const counted = on.flatMap(({ when, unless }) =>
    [...when, ...unless].flatMap((one) => kindOf(one).counts?.(one) ?? []),
  );
  return { ...Object.fromEntries(counted.map((subject) => [subject, {}])), ...countingForValidation(settings) };
}

/** The channels of the rules that are on and post, and the triggers of those that start a workflow. */
export function ruleChannelsOf({ rules }: RelaySettings): readonly RuleChannel[] {
  return rules
    .filter(({ on, action }) => on && action !== 'stop')
    .map((rule) => ({
      ruleId: rule.id,
      channel: queueOf(rule),
      delivery: rule.action === 'workflow' ? 'workflow' : 'message',
    }));
}

function toDecidedPost(post: NotablePost, relayId: string, at: number): DecidedPost {
  const [rule] = post.rules;
  const { opened, held = false } = post;
  if (!rule || !opened) {
    return routePost(post, relayId, at, post.kind === 'workflow' ? { variables: rule?.workflow?.variables } : {});
  }
  const { last, beganAt, scans, tally } = opened;
  const subject = { kind: 'burst' as const, subject: 'relay' as const, subjectId: '' };
  // The timer finds out how long a held alert waits.
  const dueAt = held ? at : nextCheckAt(at, at + (burstOf(rule)?.minutes ?? 0) * 60_000);
  const figures = { beganAt, scans, tally, dueAt, shows: last, ...escalationOf(rule, at) };
  return { ...alertPost(rule, {}), incident: { ...subject, ...figures, held } };
}

function asValidated({ finding, late = false, ...scan }: ScanRecord): ValidatedScan {
  const known = resultCodes.find((one) => one === finding);
  return { ...scan, late, finding: known ?? (scan.valid ? 'valid' : 'invalid') };
}

export const digests: DigestPort = { join: joinDetails, under: (open) => readDetail(open).under[0] };

export { silencesFor } from './timers/silence.js';
