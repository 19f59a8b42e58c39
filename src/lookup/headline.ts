/**
 * The headline of a lookup: the verdict on the barcode, with its age and with the doubt of facts that are open. Pure. It
 * is the same for the card, the shared card, the card of several, the page for devices and the tools.
 */
import { z } from 'zod';
import type { Failure } from '../codereadr/attempt.js';
import { resultWords } from '../scans/result-words.js';
import { mostHelpfulOf } from './finding.js';
import { incompleteNote, noneSinceTitle, oldListsNote, spanNote } from './headline-text.js';
import { leastOf } from './summary.js';
import type { Lookup } from './types.js';
import {
  type HeadlineKind,
  headlineKinds,
  type LookupFacts,
  notChecked,
  tones,
  type Verdict,
  verdict,
  verdictOf,
} from './verdict.js';
import {
  defaultGreenMs,
  doubtsOf,
  hasForgotten,
  isMissing,
  isOld,
  isWholeHistory,
  withOpenServices,
} from './worlds.js';

/** The title with the time of its source, which every surface shows: `before`, "as of 09:12", `after`. */
const datedTitle = z.object({ before: z.string(), at: z.number(), after: z.string() }).readonly();

/**
 * What is stored of a headline, to be drawn at any time. `at`: as of when it is known. `after`: the doubt
 * behind its age, where the account did not confirm it; empty where it lets somebody in all the same. `stands`: until
 * when its facts stand, and as of when the oldest of them is known, unless that one may be gone.
 */
export const headlineShape = z
  .object({
    kind: z.enum(headlineKinds),
    tone: z.enum(tones),
    title: z.string(),
    dated: datedTitle.optional(),
    at: z.number(),
    after: z.string().optional(),
    stands: z.object({ at: z.number().optional(), until: z.number() }).readonly().optional(),
  })
  .readonly();

type StoredHeadline = z.output<typeof headlineShape>;

/** `failure`: why the account did not confirm it, or what is missing. */
export interface Headline extends Verdict, StoredHeadline {
  readonly failure?: Failure | undefined;
}

const minuteMs = 60_000;
const notConfirmed = ', not confirmed';

/** @param now when the headline is drawn, which is later than the lookup for a stored card */
export function headlineOf(lookup: LookupFacts, now = lookup.askedAt): Headline {
  return drawnAt(headlineFor(lookup), now);
}

/** The headline as it is drawn: not confirmed once its facts do not stand any more, and from a minute on with its age. */
export function drawnAt<Drawn extends StoredHeadline>(headline: Drawn, now: number): Drawn {
  const { kind, title, dated, at, after, stands } = headline;
  if (stands && now >= stands.until) {
    const before = `${resultWords.valid} `;
    return {
      ...headline,
      kind: 'not_confirmed',
      tone: 'unsure',
      title: `${resultWords.valid}${notConfirmed}`,
      doubt: 'not_confirmed',
      dated: stands.at === undefined ? undefined : { before, at: stands.at, after: notConfirmed },
    };
  }
  const isAged = now - at >= minuteMs || after !== undefined;
  if (dated || kind === 'not_checked' || !isAged) {
    return headline;
  }
  // A scan that the title tells of may be newer than its age, which is then that of the values.
  const { valid } = resultWords;
  return kind === 'scanned' || kind === 'elsewhere'
    ? { ...headline, dated: { before: `${valid} `, at, after: `${title.slice(valid.length)}${after ?? ''}` } }
    : { ...headline, dated: { before: `${title}, `, at, after: after ?? '' } };
}

/** The verdicts of values alone, which no scan changes. */
const ofValues: ReadonlySet<HeadlineKind> = new Set(['unknown', 'not_valid', 'disagree']);

/**
 * As of when the facts behind the verdict are known: the oldest of them. What a scan refuses was so when it was made,
 * whatever older facts say, and a used barcode still was at the newest of its scans.
 */
function knownAt({ findings, history, askedAt }: LookupFacts, { kind, scan }: Verdict): number {
  const heldAt = valuesAt({ findings }) ?? askedAt;
  const oldestAt = ofValues.has(kind) ? heldAt : Math.min(heldAt, history.at);
  const resting = kind === 'used' ? history.scans : kind === 'refused' && scan ? [scan.scan] : [];
  const scannedAt = resting.map(({ at = oldestAt, countsAt = at }) => Math.min(countsAt, askedAt));
  return Math.max(oldestAt, ...scannedAt);
}

/** The headline before it is drawn: what is missing, since when it is known, until when it stands, or how far back. */
function headlineFor(lookup: LookupFacts): Headline {
  const { findings, history, lists, askedAt, greenMs = defaultGreenMs } = lookup;
  const sure = verdictOf(lookup);
  const at = knownAt(lookup, sure);
  const failure = mostHelpfulOf([...findings, history, lists.services, lists.databases].flatMap((each) => each ?? []));
  const unconfirmed = mostHelpfulOf([...findings, history].filter(({ kind }) => kind !== 'failed'));
  // What nobody holds, stays unknown on a card that is drawn later.
  const open = doubtsOf(lookup, sure, sure.kind === 'unknown' ? askedAt : Number.POSITIVE_INFINITY);
  const missing = open.filter(isMissing);
  const failed = missing.flatMap((doubt) => (doubt.of === 'value' ? [doubt.fact] : []));
  const [part] = missing.flatMap(({ of }) => (of === 'value' || of === 'services' ? [] : of));
  if (failed.length > 0 || part) {
    return { ...notChecked(failed.length > 0 || part === undefined ? failed : part), at, failure };
  }
  if (missing.length > 0) {
    return { ...withoutServices(lookup, at), failure: unconfirmed ?? failure };
  }
  const oldestAt = leastOf(open.map(({ fact }) => fact.at));
  if (sure.kind === 'unknown' && oldestAt !== undefined) {
    const before = `${resultWords.not_validated}: not in the copy of the account `;
    return open.some(({ of }) => of === 'databases')
      ? { ...notChecked('databases'), at, failure }
      : { ...notChecked('copy'), dated: { before, at: oldestAt, after: '' }, at, failure };
  }
  // A doubtful value has no time: it may be deleted, and it is unknown when it was there last.
  const isDoubtful = open.some(({ of, fact }) => of === 'value' && fact.kind === 'known' && !fact.whole);
  const stands = oldestAt === undefined ? undefined : { at: oldestAt, until: oldestAt + greenMs };
  const isOver = isDoubtful || (stands !== undefined && stands.until <= askedAt);
  const isShort = !isWholeHistory(lookup) && doubtsOf(lookup, sure, askedAt).some(({ of }) => of === 'scans');
  const isUntold = sure.kind === 'no_admission' && unconfirmed !== undefined;
  const { notes, ...said } = isShort
    ? withReach(lookup, sure)
    : isUntold
      ? verdict('no_admission', sure.title, 'not_confirmed')
      : sure;
  const isListOld = isOver && [lists.databases, lists.services].some((list) => list && isOld(list, lookup, askedAt));
  return {
    ...said,
    at,
    notes: [...notes, ...(isListOld ? [oldListsNote] : [])],
    stands: isDoubtful ? { until: 0 } : stands,
    failure: isOver ? failure : unconfirmed,
    after: unconfirmed && (said.tone === 'good' ? '' : notConfirmed),
  };
}

/** What values and scans say while nobody knows the services: whether one of them admits once. */
function withoutServices(lookup: LookupFacts, at: number): Headline {
  const { kind, title: seen, scan, notes } = verdictOf(withOpenServices(lookup));
  const title = kind === 'no_admission' ? resultWords.valid : seen;
  const said = verdict('not_confirmed', `${title}${notConfirmed}`, 'not_confirmed', notes);
  return { ...said, scan, at, dated: { before: `${title}, `, at, after: notConfirmed } };
}

/** The verdict on a barcode of which older scans were not read: one of them may be an admission that counts. */
function withReach(lookup: LookupFacts, sure: Verdict): Verdict {
  const { history } = lookup;
  const { days } = history;
  const isRead = history.kind === 'read' && !history.more;
  const doubt = 'history_incomplete';
  const notes = isRead && days !== undefined ? spanNote(days) : incompleteNote(history.scans.length, isRead);
  if (sure.kind === 'scanned') {
    return { ...verdict('scanned', sure.title, doubt, [...sure.notes, ...notes]), scan: sure.scan };
  }
  return isRead && days !== undefined && !hasForgotten(lookup)
    ? verdict('no_admission', noneSinceTitle(days), doubt)
    : verdict('incomplete', `${resultWords.valid}, history incomplete`, doubt, notes);
}

/** As of when the parts of a lookup are known, of which some were copied. */
export interface Ages {
  /** Of the databases that hold the barcode; of all databases where none does. */
  readonly values?: number | undefined;
  /** Of other databases, which lack the barcode; absent where none of them is older than a minute. */
  readonly absent?: number | undefined;
  readonly scans?: number | undefined;
  readonly fullAt?: number | undefined;
}

/** The ages to show; undefined where nothing is copied. */
export function agesOf(lookup: Pick<Lookup, 'findings' | 'history' | 'greenMs'>): Ages | undefined {
  const { findings, history, greenMs } = lookup;
  const isHeld = findings.some(({ kind }) => kind === 'known');
  const lacking = findings.filter(({ kind, source, whole }) => kind === 'unknown' && source === 'copy' && !whole);
  return greenMs === undefined
    ? undefined
    : {
        values: valuesAt(lookup),
        absent: isHeld ? leastOf(lacking.map(({ at }) => at)) : undefined,
        scans: history.kind === 'read' ? history.at : undefined,
        fullAt: history.fullAt,
      };
}

function valuesAt({ findings }: Pick<Lookup, 'findings'>): number | undefined {
  const holding = findings.filter(({ kind }) => kind === 'known');
  const answered = holding.length > 0 ? holding : findings.filter(({ kind }) => kind !== 'failed');
  return leastOf(answered.map(({ at }) => at));
}
