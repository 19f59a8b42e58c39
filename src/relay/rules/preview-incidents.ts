/**
 * Incidents that a rule would have opened on a relay's scans, and how often these would have escalated if nobody
 * answered, by the timers' own decisions. Pure.
 */
import type { Rule } from '../record/settings.js';
import type { PreviewedScan } from './preview.js';
import { burstOf, escalationOf, quietOf, silenceOf } from './ready.js';
import { checkEscalation } from './timers/check-escalation.js';
import { checkSilence, continueSilence, silencesFor } from './timers/silence.js';

export interface PreviewedIncidents {
  readonly opened: number;
  readonly escalated: number;
}

/** Counts the incidents. `previewedScans`: newest first. Undefined: the rule opens no incidents. */
export function previewIncidents(
  rule: Rule,
  previewedScans: readonly PreviewedScan[],
  now: number,
): PreviewedIncidents | undefined {
  const scans = previewedScans.toReversed();
  const silence = silenceOf(rule);
  if (silence) {
    const arrivals = silencesFor({ rules: [{ ...rule, on: true }] }).map(({ subject, subjectId }) =>
      scans.flatMap(({ scan }) => {
        const isOfSubject = subject === 'relay' || scan[subject === 'device' ? 'udid' : 'sid'] === subjectId;
        return isOfSubject ? [(subject === 'relay' ? undefined : scan.madeAt) ?? scan.receivedAt] : [];
      }),
    );
    return sum(
      arrivals.flatMap((at) => at.map((since, index) => previewSilence(rule, silence, since, at[index + 1] ?? now))),
    );
  }
  const burst = burstOf(rule);
  return burst && sum(burstsOf(rule.id, scans).map((one) => previewBurst(rule, burst.minutes, one, now)));
}

/** When a rule that begins to wait for scans now would alert if none came; undefined: the rule does not wait for scans. */
export function firstSilenceAt(rule: Rule, now: number): number | undefined {
  const settings = { rules: [{ ...rule, on: true }] };
  return silenceOf(rule) && checkSilence({ ruleId: rule.id, since: now, isOpen: false }, settings, now).dueAt;
}

interface OpenedBurst {
  readonly openedAt: number;
  lastAt: number;
}

function burstsOf(ruleId: string, scans: readonly PreviewedScan[]): readonly OpenedBurst[] {
  const openedBursts: OpenedBurst[] = [];
  for (const { scan, posts, bursts = [] } of scans) {
    const last = openedBursts.at(-1);
    const counted = bursts.find((change) => change.ruleId === ruleId)?.counted;
    if (last && counted) {
      last.lastAt = counted.lastAt;
    }
    if (posts.some((post) => post.opened && post.rules[0]?.id === ruleId)) {
      openedBursts.push({ openedAt: scan.receivedAt, lastAt: scan.receivedAt });
    }
  }
  return openedBursts;
}

function previewBurst(rule: Rule, minutes: number, { openedAt, lastAt }: OpenedBurst, now: number): PreviewedIncidents {
  const until = Math.min(lastAt + minutes * 60_000, now);
  // Its escalation counts from when it is posted: at the end of the quiet hours in which it opened.
  const repostedAt = quietOf(rule)?.windowAt(openedAt)?.to ?? openedAt;
  let escalateAt = escalationOf(rule, repostedAt).escalateAt;
  let escalated = 0;
  for (let step = 0; escalateAt !== undefined && escalateAt < until && step < mostSteps; step++) {
    const found = escalation(rule, { openedAt, repostedAt }, escalateAt);
    escalated += found.escalated;
    escalateAt = found.at;
  }
  return { opened: 1, escalated };
}

/** The most steps of one silence: enough for a year of days; a longer silence is counted up to there. */
const mostSteps = 2_000;

function escalation(rule: Rule, incident: { readonly openedAt: number; readonly repostedAt?: number }, at: number) {
  const settings = { rules: [{ ...rule, on: true }] };
  const found = checkEscalation({ ruleId: rule.id, ...incident }, settings, { now: at, mutes: [], paused: false });
  return 'escalate' in found
    ? { escalated: 1, at: undefined }
    : { escalated: 0, at: 'at' in found ? found.at : undefined };
}

/** The silence between two scans, if it would have been one. */
function previewSilence(
  rule: Rule,
  silence: NonNullable<ReturnType<typeof silenceOf>>,
  spanStart: number,
  end: number,
): PreviewedIncidents {
  const settings = { rules: [{ ...rule, on: true }] };
  const silenceAt = (at: number) => checkSilence({ ruleId: rule.id, since: spanStart, isOpen: false }, settings, at);
  let moment = spanStart;
  let check = silenceAt(moment);
  for (let step = 0; !check.opens && check.dueAt > moment && check.dueAt < end && step < mostSteps; step++) {
    moment = check.dueAt;
    check = silenceAt(moment);
  }
  if (!check.opens) {
    return { opened: 0, escalated: 0 };
  }
  let incident: Parameters<typeof continueSilence>[0] = { openedAt: moment };
  let dueAt = continueSilence(incident, rule, silence, moment).dueAt;
  let { escalateAt } = escalationOf(rule, moment);
  let escalations = 0;
  for (let step = 0; step < mostSteps; step++) {
    moment = Math.min(dueAt, escalateAt ?? Number.POSITIVE_INFINITY);
    if (moment >= end) {
      break;
    }
    if (escalateAt !== undefined && escalateAt <= dueAt) {
      const found = escalation(rule, incident, moment);
      escalations += found.escalated;
      escalateAt = found.at;
      continue;
    }
    const goesOn = continueSilence(incident, rule, silence, moment);
    const { rest } = goesOn;
    const again = goesOn.wanted === 'again';
    dueAt = Math.max(goesOn.dueAt, moment + 1);
    const late = rest?.from !== undefined && escalateAt !== undefined && escalateAt > rest.from;
    escalateAt = again ? escalationOf(rule, moment).escalateAt : late ? undefined : escalateAt;
    const { restsUntil: _, ...was } = incident;
    incident = { ...was, ...(rest ? { restsUntil: rest.until } : {}), ...(again ? { repostedAt: moment } : {}) };
  }
  return { opened: 1, escalated: escalations };
}

function sum(all: readonly PreviewedIncidents[]): PreviewedIncidents {
  return {
    opened: all.reduce((total, one) => total + one.opened, 0),
    escalated: all.reduce((total, one) => total + one.escalated, 0),
  };
}
