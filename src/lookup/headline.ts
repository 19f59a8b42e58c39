/**
 * The headline of a lookup: what to do with the barcode, from the databases' answers and its scans. Pure. Only this
 * file decides it, for the card, the shared card and the lookup page. A headline is never surer than its facts, and
 * green only where the account has confirmed them or the mirror is younger than `greenMs`.
 */
import { z } from 'zod';
import { isUnsureMatch, sameSpelling } from '../codereadr/barcode-equality.js';
import { resultWords } from '../scans/result-words.js';
import type { SeenScan } from '../scans/seen-scan.js';
import {
  admittedBefore,
  blocksAdmission,
  type CheckedScan,
  isAdmission,
  isReceipt,
  isResult,
  mergeByTime,
  validatorOf,
} from './checked-scans.js';
import {
  disagreeTitle,
  goneNote,
  incompleteNote,
  noneSinceTitle,
  notCheckedTitle,
  notKeptNote,
  oldListsNote,
  openNote,
  refusedNote,
  scannedAsTitle,
  scannedAtTitle,
  scannedTitle,
  spanNote,
  spelledTitle,
  unknownTitle,
  usedTitle,
  withText,
} from './headline-text.js';
import type { DatabaseFinding, Lookup, Validator } from './types.js';

/**
 * - `not_checked`: a part failed that could change the answer, there was no database to search, a copy without the
 *   barcode is too old, or a value or scan in another spelling may be of another barcode.
 * - `disagree`: one database says valid, another not valid.
 * - `not_valid`: every database that holds it says so.
 * - `used`: admitted where a barcode is admitted once.
 * - `refused`: valid, but the latest scan that was checked was refused.
 * - `scanned`: valid, and admitted where it may be admitted again.
 * - `no_admission`: valid, and no scan admitted it.
 * - `elsewhere`: valid, but scanned where another database is checked now, or by nobody known.
 * - `incomplete`: valid, but too little of its history was read to say more.
 * - `not_confirmed`: valid in a mirror that is too old or no longer sure, and the account did not confirm it.
 * - `unknown`: in no database searched.
 */
export const headlineKinds = [
  'not_checked',
  'disagree',
  'not_valid',
  'used',
  'refused',
  'scanned',
  'no_admission',
  'elsewhere',
  'incomplete',
  'not_confirmed',
  'unknown',
] as const;

export type HeadlineKind = (typeof headlineKinds)[number];

/** Titles, notes and names contain outside text: escape them. */
export interface Headline {
  readonly kind: HeadlineKind;
  readonly tone: 'good' | 'bad' | 'unsure' | 'unknown';
  readonly title: string;
  readonly dated?: DatedTitle;
  /** The scan behind the headline, and its label. */
  readonly scan?: { readonly label: 'Admitted' | typeof resultWords.invalid | 'Last scan'; readonly scan: SeenScan };
  readonly notes: readonly string[];
}

/** The title with the time of its source, which every surface shows: `before`, "as of 09:12", `after`. */
export const datedTitle = z.object({ before: z.string(), at: z.number(), after: z.string() }).readonly();
export type DatedTitle = z.output<typeof datedTitle>;

export type HeadlineFacts = Pick<
  Lookup,
  'value' | 'findings' | 'notAsked' | 'listFailed' | 'history' | 'gates' | 'gatesFailed' | 'lists' | 'askedAt' | 'asOf'
>;

/** Whether the headline says valid, so that somebody may be let in. */
export function letsIn({ kind, tone }: Pick<Headline, 'kind' | 'tone'>): boolean {
  return (
    tone === 'good' || kind === 'no_admission' || kind === 'scanned' || kind === 'elsewhere' || kind === 'incomplete'
  );
}

type KnownFinding = Extract<DatabaseFinding, { kind: 'known' }>;

/** The default of the setting GREEN_MINUTES, in milliseconds. */
export const defaultGreenMs = 15 * 60_000;
const minuteMs = 60_000;
const notConfirmed = ', not confirmed';

/** @param now when the headline is drawn, which is later than the lookup for a stored card */
export function headlineOf(lookup: HeadlineFacts, now = lookup.askedAt): Headline {
  return withAge(lookup, now, undatedOf(lookup, now));
}

function undatedOf(lookup: HeadlineFacts, now: number): Headline {
  const { findings, listFailed, notAsked } = lookup;
  const knownFindings = findings.filter((finding) => finding.kind === 'known');
  const validFindings = knownFindings.filter((finding) => finding.valid);
  const invalidFindings = knownFindings.filter((finding) => !finding.valid);
  const failedFindings = findings.filter((finding) => finding.kind === 'failed');
  const disagree = validFindings.length > 0 && invalidFindings.length > 0;

  if (failedFindings.length > 0 && !disagree) {
    return plainHeadline('not_checked', 'unsure', notCheckedTitle(failedFindings));
  }
  if (findings.length === 0) {
    const notes = listFailed ? [] : goneNote(notAsked);
    return plainHeadline('not_checked', 'unsure', notCheckedTitle(listFailed ? 'databases' : 'none'), notes);
  }
  if (disagree) {
    return plainHeadline('disagree', 'unsure', disagreeTitle(validFindings, invalidFindings));
  }
  const unsureFinding = knownFindings.find((finding) => isUnsureMatch(lookup.value, finding.value));
  if (unsureFinding) {
    return plainHeadline('not_checked', 'unsure', spelledTitle(unsureFinding));
  }
  if (invalidFindings.length > 0) {
    return plainHeadline(
      'not_valid',
      'bad',
      withText(resultWords.invalid, invalidFindings.map(({ response }) => response).find(Boolean)),
    );
  }
  return validFindings.length > 0 ? confirmedOnly(lookup, now, ofSpellings(lookup, validFindings)) : ofAbsent(lookup);
}

/** The headline of a valid barcode, unsure where scans decide that only some databases take for the barcode's. */
function ofSpellings(lookup: HeadlineFacts, valid: readonly KnownFinding[]): Headline {
  const { value, history } = lookup;
  const all = ofValid(lookup, valid);
  const unsureScan = history.scans.find((scan) => isUnsureMatch(value, scan.value));
  if (!unsureScan) {
    return all;
  }
  const scans = history.scans.filter((scan) => !isUnsureMatch(value, scan.value));
  const sure = ofValid({ ...lookup, history: { ...history, scans } }, valid);
  return sure.kind === all.kind ? sure : plainHeadline('not_checked', 'unsure', scannedAsTitle(unsureScan.value));
}

/** The headline where no database holds the barcode: unknown, or not checked where a copy is too old or unconfirmed. */
function ofAbsent({ findings, notAsked, askedAt, asOf, lists }: HeadlineFacts): Headline {
  if (isTooOld(lists?.databases ?? askedAt, askedAt, asOf)) {
    return plainHeadline('not_checked', 'unsure', notCheckedTitle('databases'));
  }
  const copiedAt = Math.min(
    ...findings.flatMap((finding) => (finding.kind === 'unknown' ? (finding.copiedAt ?? []) : [])),
  );
  if (isTooOld(copiedAt, askedAt, asOf)) {
    const dated = { before: `${resultWords.not_validated}: not in the copy of the account `, at: copiedAt, after: '' };
    return { ...plainHeadline('not_checked', 'unsure', notCheckedTitle('copy')), dated };
  }
  // The account did not confirm all facts that the headline needs.
  return asOf?.unchecked
    ? plainHeadline('not_checked', 'unsure', notCheckedTitle(findings))
    : plainHeadline('unknown', 'unknown', unknownTitle(findings, notAsked));
}

/** The headline with its age in the title, from a minute on, and with the doubt of one that the account did not confirm. */
function withAge({ asOf, askedAt }: HeadlineFacts, now: number, headline: Headline): Headline {
  const { kind, tone, title, dated } = headline;
  const at = Math.min(asOf?.values ?? askedAt, asOf?.scans ?? askedAt);
  const after = asOf?.unchecked && tone !== 'good' ? notConfirmed : '';
  return dated || kind === 'not_checked' || kind === 'not_confirmed' || now - at < minuteMs
    ? headline
    : { ...headline, dated: { before: `${title}, `, at, after } };
}

/** The headline, which is not green where the answers that let somebody in are too old, or no longer sure. */
function confirmedOnly({ askedAt, asOf, lists }: HeadlineFacts, now: number, headline: Headline): Headline {
  const oldestAt = Math.min(asOf?.values ?? askedAt, asOf?.scans ?? askedAt);
  const listedAt = Math.min(lists?.databases ?? askedAt, lists?.services ?? askedAt);
  // The oldest answer counts: another database may hold the barcode as not valid since.
  const absentAsOf = Math.min(oldestAt, asOf?.absent ?? oldestAt, listedAt);
  const isSureEnough = !isTooOld(absentAsOf, now, asOf) && !asOf?.doubtful;
  if (!letsIn(headline) || headline.kind === 'elsewhere' || isSureEnough) {
    return headline;
  }
  const notes = isTooOld(listedAt, askedAt, asOf) ? [...headline.notes, oldListsNote] : headline.notes;
  // A doubtful value has no time: it may be deleted, and it is unknown when it was there last.
  const dated = asOf?.doubtful
    ? {}
    : { dated: { before: `${resultWords.valid} `, at: absentAsOf, after: notConfirmed } };
  const title = `${resultWords.valid}${notConfirmed}`;
  return { ...headline, kind: 'not_confirmed', tone: 'unsure', title, notes, ...dated };
}

function isTooOld(at: number, askedAt: number, asOf: HeadlineFacts['asOf']): boolean {
  return askedAt - at >= (asOf?.greenMs ?? defaultGreenMs);
}

/** The headline where every database that holds the barcode says that it is valid, so that the scans decide. */
function ofValid(
  { value, findings, notAsked, history, gates: validators, gatesFailed, lists, askedAt, asOf }: HeadlineFacts,
  validFindings: readonly KnownFinding[],
): Headline {
  const holdingIds = new Set(validFindings.map(({ database }) => database.id));
  const isHeldBy = ({ databaseIds }: Validator) => databaseIds.some((id) => holdingIds.has(id));
  // A relay without databases decides by itself, as long as it would not find the barcode not valid.
  const checking = (validators ?? []).filter(
    (one) => isHeldBy(one) || (one.databaseIds.length === 0 && (one.now === 'admits' || one.now === 'blocks')),
  );
  const admittingOnce = checking.filter((validator) => validator.once && isHeldBy(validator));
  const storedScans = history.scans.flatMap((scan) => {
    const validator = isResult(scan) && !isReceipt(scan) ? validatorOf(scan, checking) : undefined;
    const isGone = validator?.removed && scan.kind !== 'untold';
    return validator && !isGone && (!validator.mindsCase || sameSpelling(value, scan.value))
      ? [{ scan, validator }]
      : [];
  });
  const prunedAdmissions = checking.flatMap((validator) => admittedBefore(validator, storedScans, askedAt) ?? []);
  const checkedScans = mergeByTime(storedScans, prunedAdmissions);
  // Whether admissions of one of these validators are unknown.
  const isForgotten = checking.some(({ thrownAway }) => thrownAway && thrownAway.admittedAt === undefined);
  const isRead = history.kind === 'read' && !history.more && validators !== undefined;
  const isComplete = isRead && !isForgotten;
  const notStored = (checkedBy: CheckedScan) => (prunedAdmissions.includes(checkedBy) ? [notKeptNote] : []);
  const { scanDays, unchecked } = asOf ?? {};
  const incomplete = () =>
    isRead && scanDays !== undefined ? spanNote(scanDays) : incompleteNote(history.scans.length, isRead);
  const [latestScan] = checkedScans;

  const usedAt = checkedScans.findIndex(
    ({ scan, validator }) => isAdmission(scan) && blocksAdmission(validator, scan, askedAt),
  );
  const usingScan = checkedScans[usedAt];
  if (usingScan) {
    const refusedCount = checkedScans.slice(0, usedAt).filter(({ scan }) => scan.status === 'invalid').length;
    const closedGate = checkedScans.filter(
      ({ scan, validator }) => isAdmission(scan) && blocksAdmission(validator, scan, askedAt),
    );
    const closedAt = [...new Set(closedGate.map(({ validator }) => validator))];
    const open = isComplete && !gatesFailed ? admittingOnce.filter((validator) => !closedAt.includes(validator)) : [];
    return {
      ...plainHeadline('used', 'bad', usedTitle(closedAt, open), [
        ...notStored(usingScan),
        ...refusedNote(refusedCount),
        ...openNote(open),
      ]),
      scan: { label: 'Admitted', scan: usingScan.scan },
    };
  }
  if (history.kind === 'failed') {
    return plainHeadline('not_checked', 'unsure', notCheckedTitle('scans'));
  }
  if (gatesFailed && history.scans.some((scan) => isResult(scan) && !checkedScans.some((each) => each.scan === scan))) {
    return plainHeadline('not_checked', 'unsure', notCheckedTitle('services'));
  }
  if (latestScan?.scan.status === 'invalid') {
    return {
      ...plainHeadline(
        'refused',
        'unsure',
        withText(`${resultWords.valid} in the database, last scan not valid`, latestScan.scan.result),
      ),
      scan: { label: resultWords.invalid, scan: latestScan.scan },
    };
  }
  const otherGates = (validators ?? []).filter((one) => !checking.includes(one));
  const goneScans = otherGates.flatMap((one) => admittedBefore(one, storedScans, askedAt)?.scan ?? []);
  const elsewhere =
    lists?.services === undefined
      ? undefined
      : [...history.scans, ...goneScans].find((scan) => isElsewhere(scan, checkedScans, validators ?? [], value));
  if (elsewhere) {
    const names = (ids: readonly string[]) => ids.map((id) => databaseName(id, findings, notAsked));
    const title = scannedAtTitle(elsewhere, validatorOf(elsewhere, validators ?? []), names);
    return { ...plainHeadline('elsewhere', 'unsure', title), scan: { label: 'Last scan', scan: elsewhere } };
  }
  if (latestScan) {
    // An unread scan may be the one admission that counts: then the headline is not green.
    const isAll =
      isComplete &&
      scanDays === undefined &&
      !checking.some(({ thrownAway }) => thrownAway) &&
      checkedScans.length === history.scans.length;
    const hidden = (!isComplete || scanDays !== undefined) && admittingOnce.length > 0;
    return {
      ...plainHeadline('scanned', hidden ? 'unsure' : 'good', scannedTitle(isAll ? checkedScans.length : undefined), [
        ...notStored(latestScan),
        ...(hidden ? incomplete() : []),
      ]),
      scan: { label: 'Last scan', scan: latestScan.scan },
    };
  }
  return isComplete
    ? plainHeadline(
        'no_admission',
        unchecked || scanDays !== undefined ? 'unsure' : 'good',
        scanDays === undefined ? `${resultWords.valid}, no admission on record` : noneSinceTitle(scanDays),
      )
    : plainHeadline('incomplete', 'unsure', `${resultWords.valid}, history incomplete`, incomplete());
}

/**
 * Whether the scan let somebody in where another database is checked now, or by nobody known; or has a status that
 * nobody knows.
 */
function isElsewhere(
  scan: SeenScan,
  checkedScans: readonly CheckedScan[],
  validators: readonly Validator[],
  value: string,
): boolean {
  const mayAdmit = (scan.status === 'other' || isAdmission(scan)) && scan.kind !== 'receipt' && scan.kind !== 'untold';
  if (!mayAdmit || checkedScans.some((checked) => checked.scan === scan)) {
    return false;
  }
  const gate = validatorOf(scan, validators);
  return gate === undefined || !(gate.receives || (gate.mindsCase && !sameSpelling(value, scan.value)));
}

function databaseName(id: string, findings: HeadlineFacts['findings'], notAsked: HeadlineFacts['notAsked']): string {
  const all = [...findings.map(({ database }) => database), ...(notAsked ?? [])];
  return all.find((database) => database.id === id)?.name ?? id;
}

function plainHeadline(
  kind: HeadlineKind,
  tone: Headline['tone'],
  title: string,
  notes: readonly string[] = [],
): Headline {
  return { kind, tone, title, notes };
}

/** Whether the account has the scan and no relay validated it: its deletion there leaves no trace in Scandesk. */
export function isDeletable(scan: Pick<SeenScan, 'source' | 'validatedBy'> | undefined): boolean {
  return scan?.source === 'account' && scan.validatedBy === undefined;
}
