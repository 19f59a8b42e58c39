/**
 * The verdict on a barcode: what to do with it, if all facts of its lookup are as they say. Pure. How sure it is says
 * `worlds.ts`; the headline of both is in `headline.ts`.
 */
import { isUnsureMatch, sameSpelling } from '../codereadr/barcode-equality.js';
import { type ResultName, resultWords } from '../scans/result-words.js';
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
  notCheckedTitle,
  notKeptNote,
  openNote,
  scannedAsTitle,
  scannedAtTitle,
  scannedTitle,
  spelledTitle,
  unknownTitle,
  usedTitle,
  withText,
} from './headline-text.js';
import type { DatabaseFinding, Lookup, Validator } from './types.js';

/**
 * - `not_checked`: a fact is missing that could change the answer, or may be of another barcode; or a copy is too old.
 * - `disagree`: one database says valid, another not valid.
 * - `not_valid`: every database that holds it says so.
 * - `used`: admitted where a barcode is admitted once.
 * - `refused`: valid, but the latest scan that was checked was refused.
 * - `scanned`: valid, and admitted where it may be admitted again.
 * - `no_admission`: valid, and no scan admitted it.
 * - `elsewhere`: valid, but scanned where another database is checked now, or by nobody known.
 * - `incomplete`: valid, but too little of its history was read to say more.
 * - `not_confirmed`: valid, by facts that are too old or in doubt.
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

/** The result that a headline says, as far as it is sure. */
export const resultOfHeadline = {
  not_checked: 'not_validated',
  disagree: 'not_validated',
  not_valid: 'invalid',
  used: 'used',
  unknown: 'unknown',
  refused: 'valid',
  scanned: 'valid',
  no_admission: 'valid',
  elsewhere: 'valid',
  incomplete: 'valid',
  not_confirmed: 'valid',
} as const satisfies Record<HeadlineKind, ResultName>;

export const tones = ['good', 'bad', 'unsure', 'unknown'] as const;

/** Why a headline is unsure by itself; of one that says what is missing, the failure tells. */
export type HeadlineDoubt =
  | 'databases_disagree'
  | 'copy_too_old'
  | 'no_database_searched'
  | 'another_spelling'
  | 'last_scan_not_valid'
  | 'scanned_elsewhere'
  | 'history_incomplete'
  | 'not_confirmed'
  | 'account_failed';

/** Titles, notes and names contain outside text: escape them. */
export interface Verdict {
  readonly kind: HeadlineKind;
  /** It is unsure exactly where there is a `doubt`. */
  readonly tone: (typeof tones)[number];
  readonly title: string;
  readonly doubt?: HeadlineDoubt | undefined;
  /** The scan behind it, and its label. */
  readonly scan?:
    | { readonly label: 'Admitted' | typeof resultWords.invalid | 'Last scan'; readonly scan: SeenScan }
    | undefined;
  readonly notes: readonly string[];
}

export type LookupFacts = Pick<
  Lookup,
  'value' | 'findings' | 'notAsked' | 'history' | 'gates' | 'lists' | 'askedAt' | 'greenMs'
>;

export function verdictOf(lookup: LookupFacts): Verdict {
  const { value, findings, lists, notAsked } = lookup;
  const knownFindings = findings.filter((finding) => finding.kind === 'known');
  const validFindings = knownFindings.filter((finding) => finding.valid);
  const invalidFindings = knownFindings.filter((finding) => !finding.valid);
  const unsureFinding = knownFindings.find((finding) => isUnsureMatch(value, finding.value));
  if (findings.length === 0) {
    const isUnlisted = lists.databases?.whole === false;
    return notChecked(isUnlisted ? 'databases' : 'none', isUnlisted ? [] : goneNote(notAsked));
  }
  if (validFindings.length > 0 && invalidFindings.length > 0) {
    return verdict('disagree', disagreeTitle(validFindings, invalidFindings), 'databases_disagree');
  }
  if (unsureFinding) {
    return verdict('not_checked', spelledTitle(unsureFinding), 'another_spelling');
  }
  if (invalidFindings.length > 0) {
    const response = invalidFindings.map((finding) => finding.response).find(Boolean);
    return verdict('not_valid', withText(resultWords.invalid, response));
  }
  return validFindings.length > 0
    ? ofSpellings(lookup, validFindings)
    : verdict('unknown', unknownTitle(findings, notAsked));
}

export function verdict(
  kind: HeadlineKind,
  title: string,
  doubt?: HeadlineDoubt,
  notes: readonly string[] = [],
): Verdict {
  const sureTone = kind === 'unknown' ? 'unknown' : kind === 'not_valid' || kind === 'used' ? 'bad' : 'good';
  return { kind, tone: doubt ? 'unsure' : sureTone, title, doubt, notes };
}

export function notChecked(what: Parameters<typeof notCheckedTitle>[0], notes?: readonly string[]): Verdict {
  const doubt = what === 'copy' ? 'copy_too_old' : what === 'none' ? 'no_database_searched' : 'account_failed';
  return verdict('not_checked', notCheckedTitle(what), doubt, notes);
}

type KnownFinding = Extract<DatabaseFinding, { kind: 'known' }>;

/** The verdict on a valid barcode, unsure where scans decide that only some databases take for the barcode's. */
function ofSpellings(lookup: LookupFacts, valid: readonly KnownFinding[]): Verdict {
  const { value, history } = lookup;
  const all = ofValid(lookup, valid);
  const unsureScan = history.scans.find((scan) => isUnsureMatch(value, scan.value));
  if (!unsureScan) {
    return all;
  }
  const scans = history.scans.filter((scan) => !isUnsureMatch(value, scan.value));
  const sure = ofValid({ ...lookup, history: { ...history, scans } }, valid);
  return sure.kind === all.kind ? sure : verdict('not_checked', scannedAsTitle(unsureScan.value), 'another_spelling');
}

/** The gates that check one of these databases, or decide by themselves, as long as they find the barcode valid. */
export function checkingGates(gates: readonly Validator[], holding: readonly KnownFinding[]): readonly Validator[] {
  return gates.filter(
    (gate) =>
      isHeldBy(gate, holding) || (gate.databaseIds.length === 0 && (gate.now === 'admits' || gate.now === 'blocks')),
  );
}

export function isHeldBy({ databaseIds }: Validator, holding: readonly KnownFinding[]): boolean {
  return databaseIds.some((id) => holding.some(({ database }) => database.id === id));
}

/** Whether the gate admitted by scans that are deleted and were not counted. */
export function isForgotten({ thrownAway }: Validator): boolean {
  return thrownAway !== undefined && thrownAway.admittedAt === undefined;
}

/** The verdict where every database that holds the barcode says that it is valid, so that the scans decide. */
function ofValid(
  { value, findings, notAsked, history, gates, lists, askedAt }: LookupFacts,
  holding: readonly KnownFinding[],
): Verdict {
  const checking = checkingGates(gates, holding);
  const storedScans = history.scans.flatMap((scan) => {
    const validator = isResult(scan) && !isReceipt(scan) ? validatorOf(scan, checking) : undefined;
    const isGone = validator?.removed && scan.kind !== 'untold';
    return validator && !isGone && (!validator.mindsCase || sameSpelling(value, scan.value))
      ? [{ scan, validator }]
      : [];
  });
  const prunedAdmissions = checking.flatMap((validator) => admittedBefore(validator, storedScans, askedAt) ?? []);
  const checkedScans = mergeByTime(storedScans, prunedAdmissions);
  const isComplete = history.kind === 'read' && !history.more && !checking.some(isForgotten);
  const notStored = (checkedBy: CheckedScan) => (prunedAdmissions.includes(checkedBy) ? [notKeptNote] : []);
  const blocks = ({ scan, validator }: CheckedScan) => isAdmission(scan) && blocksAdmission(validator, scan, askedAt);
  const [latestScan] = checkedScans;

  const usingScan = checkedScans.find(blocks);
  if (usingScan) {
    const closed = [...new Set(checkedScans.filter(blocks).map(({ validator }) => validator))];
    const isOpen = (gate: Validator) => gate.once && isHeldBy(gate, holding) && !closed.includes(gate);
    const open = isComplete && lists.services?.whole !== false ? checking.filter(isOpen) : [];
    return {
      ...verdict('used', usedTitle(closed, open), undefined, [...notStored(usingScan), ...openNote(open)]),
      scan: { label: 'Admitted', scan: usingScan.scan },
    };
  }
  if (latestScan?.scan.status === 'invalid') {
    const title = withText(`${resultWords.valid} in the database, last scan not valid`, latestScan.scan.result);
    const scan = { label: resultWords.invalid, scan: latestScan.scan };
    return { ...verdict('refused', title, 'last_scan_not_valid'), scan };
  }
  const otherGates = gates.filter((one) => !checking.includes(one));
  const goneScans = otherGates.flatMap((one) => admittedBefore(one, storedScans, askedAt)?.scan ?? []);
  // Without a list of services, only relays' scans say where they were made.
  const { services } = lists;
  const elsewhere = [...history.scans, ...goneScans].find(
    (scan) =>
      services !== undefined &&
      (services.whole || scan.validatedBy !== undefined) &&
      isElsewhere(scan, checkedScans, gates, value),
  );
  if (elsewhere) {
    const databases = [...findings.map(({ database }) => database), ...(notAsked ?? [])];
    const names = (ids: readonly string[]) => ids.map((id) => databases.find((one) => one.id === id)?.name ?? id);
    const title = scannedAtTitle(elsewhere, validatorOf(elsewhere, gates), names);
    return { ...verdict('elsewhere', title, 'scanned_elsewhere'), scan: { label: 'Last scan', scan: elsewhere } };
  }
  if (!latestScan) {
    return verdict('no_admission', `${resultWords.valid}, no admission on record`);
  }
  const isAll =
    isComplete &&
    history.days === undefined &&
    !checking.some(({ thrownAway }) => thrownAway) &&
    checkedScans.length === history.scans.length;
  const title = scannedTitle(isAll ? checkedScans.length : undefined);
  return {
    ...verdict('scanned', title, undefined, notStored(latestScan)),
    scan: { label: 'Last scan', scan: latestScan.scan },
  };
}

/**
 * Whether the scan let somebody in where another database is checked now, or by nobody known; or has a status that
 * nobody knows.
 */
function isElsewhere(
  scan: SeenScan,
  checkedScans: readonly CheckedScan[],
  gates: readonly Validator[],
  value: string,
): boolean {
  const mayAdmit = (scan.status === 'other' || isAdmission(scan)) && scan.kind !== 'receipt' && scan.kind !== 'untold';
  if (!mayAdmit || isReceipt(scan) || checkedScans.some((checked) => checked.scan === scan)) {
    return false;
  }
  const gate = validatorOf(scan, gates);
  return (
    gate === undefined ||
    !((gate.receives && scan.was !== 'checked') || (gate.mindsCase && !sameSpelling(value, scan.value)))
  );
}
