/**
 * The headline of a lookup: the verdict on the barcode, with its age and with the doubt of facts that are open. Pure. It
 * is the same for the card, the shared card, the page for devices and the tools.
 */
import { z } from 'zod';
import { resultWords } from '../scans/result-words.js';
import { whyUnconfirmed } from './finding.js';
import { incompleteNote, noneSinceTitle, oldListsNote, spanNote } from './headline-text.js';
import { leastOf } from './summary.js';
import type { Lookup } from './types.js';
import { type LookupFacts, notChecked, type Verdict, verdict, verdictOf } from './verdict.js';
import { doubtsOf, hasForgotten, isMissing, isOld, isWholeHistory, withOpenServices } from './worlds.js';

export interface Headline extends Verdict {
  readonly dated?: DatedTitle;
}

/** The title with the time of its source, which every surface shows: `before`, "as of 09:12", `after`. */
export const datedTitle = z.object({ before: z.string(), at: z.number(), after: z.string() }).readonly();
export type DatedTitle = z.output<typeof datedTitle>;

const minuteMs = 60_000;
const notConfirmed = ', not confirmed';

/** @param now when the headline is drawn, which is later than the lookup for a stored card */
export function headlineOf(lookup: LookupFacts, now = lookup.askedAt): Headline {
  const { kind, tone, title, dated, ...rest } = doubted(lookup, now);
  const at = Math.min(valuesAt(lookup) ?? lookup.askedAt, lookup.history.at);
  const after = whyUnconfirmed(lookup) && tone !== 'good' ? notConfirmed : '';
  return dated || kind === 'not_checked' || kind === 'not_confirmed' || now - at < minuteMs
    ? { kind, tone, title, ...(dated && { dated }), ...rest }
    : { kind, tone, title, dated: { before: `${title}, `, at, after }, ...rest };
}

/** The verdict, with what is in doubt of it: what could not be asked, since when it is known, or how far back. */
function doubted(lookup: LookupFacts, now: number): Headline {
  const { lists, askedAt } = lookup;
  const sure = verdictOf(lookup);
  // What nobody holds, stays unknown on a card that is drawn later.
  const doubts = doubtsOf(lookup, sure, sure.kind === 'unknown' ? askedAt : now);
  const missing = doubts.filter(isMissing);
  const failed = missing.flatMap((doubt) => (doubt.of === 'value' ? [doubt.fact] : []));
  const [part] = missing.flatMap(({ of }) => (of === 'value' || of === 'services' ? [] : of));
  if (failed.length > 0 || part) {
    return notChecked(failed.length > 0 || part === undefined ? failed : part);
  }
  if (missing.length > 0) {
    return withoutServices(lookup, now);
  }
  const aged = doubts.filter(({ of, fact }) => isOld(fact, lookup, now) || of !== 'scans');
  const at = Math.min(...aged.map(({ fact }) => fact.at));
  if (sure.kind === 'unknown' && aged.length > 0) {
    const before = `${resultWords.not_validated}: not in the copy of the account `;
    return aged.some(({ of }) => of === 'databases')
      ? notChecked('databases')
      : { ...notChecked('copy'), dated: { before, at, after: '' } };
  }
  if (doubts.length === 0) {
    return sure.kind === 'no_admission' && whyUnconfirmed(lookup) ? { ...sure, tone: 'unsure' } : sure;
  }
  const reached = isWholeHistory(lookup) ? sure : withReach(lookup, sure);
  if (aged.length === 0) {
    return reached;
  }
  const isListOld = [lists.databases, lists.services].some((list) => list && isOld(list, lookup, askedAt));
  // A doubtful value has no time: it may be deleted, and it is unknown when it was there last.
  const isDoubtful = aged.some(({ of, fact }) => of === 'value' && fact.kind === 'known' && !fact.whole);
  return {
    ...{ ...reached, kind: 'not_confirmed', tone: 'unsure', title: `${resultWords.valid}${notConfirmed}` },
    notes: [...reached.notes, ...(isListOld ? [oldListsNote] : [])],
    ...(isDoubtful ? {} : { dated: { before: `${resultWords.valid} `, at, after: notConfirmed } }),
  };
}

/** What values and scans say while nobody knows the services: whether one of them admits once. */
function withoutServices(lookup: LookupFacts, now: number): Headline {
  const seen = verdictOf(withOpenServices(lookup));
  const title = seen.kind === 'no_admission' ? resultWords.valid : seen.title;
  const at = Math.min(valuesAt(lookup) ?? now, lookup.history.at);
  return {
    ...{ ...seen, kind: 'not_confirmed', tone: 'unsure', title: `${title}${notConfirmed}` },
    ...(now - at < minuteMs ? {} : { dated: { before: `${title}, `, at, after: notConfirmed } }),
  };
}

/** The verdict on a barcode of which older scans were not read: one of them may be an admission that counts. */
function withReach(lookup: LookupFacts, sure: Verdict): Verdict {
  const { history } = lookup;
  const { days } = history;
  const isRead = history.kind === 'read' && !history.more;
  const notes = isRead && days !== undefined ? spanNote(days) : incompleteNote(history.scans.length, isRead);
  if (sure.kind === 'scanned') {
    return { ...sure, tone: 'unsure', notes: [...sure.notes, ...notes] };
  }
  return isRead && days !== undefined && !hasForgotten(lookup)
    ? verdict('no_admission', 'unsure', noneSinceTitle(days))
    : verdict('incomplete', 'unsure', `${resultWords.valid}, history incomplete`, notes);
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
