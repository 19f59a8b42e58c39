/**
 * Validation of a scan. The account's own result stays; otherwise the settings decide: hours, value, duplicate, limit.
 * Pure, and called within the commit, so that counts are exact.
 */
import { fold } from '../../codereadr/barcode-equality.js';
import { hourMs } from '../../counters/admissions.js';
import type { Counting, Subject } from '../../counters/counters.js';
import { isValidated, utcMoment } from '../../scans/received/received-scan-rows.js';
import { createSchedule } from '../../schedules/schedule.js';
import type { IncomingScan } from '../commit/index.js';
import { compilePattern } from '../conditions/parts/pattern.js';
import type { UncheckedReason } from '../record/relay.js';
import type { RelaySettings, ResultCode, ValidationSettings } from '../record/settings.js';
import { createAnswers, placeholdersOf } from './answer.js';
import type { Prefetched, Validate, ValidateInput } from './result.js';

interface ValueFinding {
  readonly finding: ResultCode;
  /** The response of the database or the account to the value. */
  readonly response: string;
  readonly database?: string;
  readonly why?: UncheckedReason;
}

type ValidateValue = (scan: IncomingScan<Prefetched>) => ValueFinding;

const acceptedCodes: ReadonlySet<ResultCode> = new Set(['valid', 'unknown_accepted']);
const minuteMs = 60_000;

/** A limit of at most `n` admissions of a subject: ever, or within a time. */
interface Limit {
  readonly finding: 'duplicate' | 'limit';
  readonly n: number;
  readonly of: Subject;
  readonly withinMinutes?: number | undefined;
}

/** A setting of the process: a scan received this much after it was made is too late to be counted within a time. */
export interface LatestScans {
  readonly lateHours: number;
}

export function createValidate(settings: RelaySettings, { lateHours }: LatestScans): Validate {
  const validateValue = createValidateValue(settings.judging);
  const answers = createAnswers(settings);
  const hours = settings.hours && createSchedule(settings.hours);
  const limits = limitsOf(settings);
  const isReceiver = settings.judging.kind === 'accept' && limits.length === 0;
  const unendingLimits = limits.filter(({ withinMinutes }) => withinMinutes === undefined);

  /** Applies duplicates and limits to a scan that is otherwise valid. */
  const applyLimits = (found: ValueFinding, { scan, counts }: ValidateInput, at: number): ValueFinding => {
    const counted = isTooLate(scan, at, lateHours) ? unendingLimits : limits;
    const reached = counted.find(({ n, of, withinMinutes }) =>
      withinMinutes === undefined ? counts.ofSubject(of).accepted >= n : counts.admitted(of, at, withinMinutes) >= n,
    );
    if (reached) {
      return { ...found, finding: reached.finding };
    }
    return counted.length < limits.length ? { ...found, finding: 'too_late' } : found;
  };

  const find = (input: ValidateInput, at: number): ValueFinding => {
    const { scan } = input;
    if (isValidated(scan)) {
      return { finding: scan.givenStatus === '1' ? 'valid' : 'invalid', response: scan.givenText ?? '' };
    }
    if (hours && !hours.isOpen(at)) {
      return { finding: 'outside_hours', response: '' };
    }
    const result = validateValue(scan);
    return acceptedCodes.has(result.finding) ? applyLimits(result, input, at) : result;
  };

  return (input) => {
    const { scan, counts } = input;
    const { at, late } = momentOf(scan, settings.lateMinutes);
    const { finding, response, database, why } = find(input, at);
    const { text, reply } = answers({
      scan,
      finding,
      response,
      at,
      counts,
      database,
      why,
      validated: isValidated(scan),
    });
    const reason = finding === 'unknown_accepted' || finding === 'unknown_rejected' ? why : undefined;
    const valid = acceptedCodes.has(finding);
    const isChecked = isValidated(scan) || (settings.judging.kind !== 'accept' && finding === 'valid');
    const kind = !valid ? 'refusal' : isChecked ? 'admission' : isReceiver ? 'receipt' : 'unchecked';
    return { finding, kind, valid, text, at, late, why: reason, reply };
  };
}

interface ClockedScan extends Pick<IncomingScan, 'clockOffset' | 'receivedAt'> {
  readonly scannedAtUtc?: string;
}

/**
 * The moment at which a scan counts, and whether it is late: a device's clock, corrected by its offset, counts only for
 * scans that came well after they were made.
 */
export function momentOf(
  { scannedAtUtc, receivedAt, clockOffset = 0 }: ClockedScan,
  lateMinutes: number,
): { at: number; late: boolean } {
  const shown = scannedAtUtc === undefined ? undefined : utcMoment(scannedAtUtc);
  const made = shown === undefined ? undefined : shown + clockOffset;
  const late = made !== undefined && receivedAt - made > lateMinutes * minuteMs;
  return { at: late ? made : receivedAt, late };
}

/** Whether the scan came so late that admissions around its moment may be deleted already. */
function isTooLate({ receivedAt }: { readonly receivedAt: number }, at: number, lateHours: number): boolean {
  return receivedAt - at > lateHours * hourMs;
}

/** The moment around which admissions are counted for a scan; undefined if a limit within a time cannot apply to it. */
export function createCountsAround(settings: RelaySettings, { lateHours }: LatestScans) {
  return (scan: IncomingScan): number | undefined => {
    const { at } = momentOf(scan, settings.lateMinutes);
    return isValidated(scan) || isTooLate(scan, at, lateHours) ? undefined : at;
  };
}

/** The limits, in the order in which they apply. */
function limitsOf({ duplicates, atMost }: RelaySettings): readonly Limit[] {
  return [
    ...(duplicates ? [{ ...duplicates, finding: 'duplicate', n: 1, of: 'value' } as const] : []),
    ...(atMost ? [{ ...atMost, finding: 'limit' } as const] : []),
  ];
}

function createValidateValue(judging: ValidationSettings): ValidateValue {
  switch (judging.kind) {
    case 'accept':
      // The account's -1 comes with a text that says why it could not validate the scan: the text stays.
      return ({ givenText }) => ({ finding: 'valid', response: givenText ?? '' });
    case 'database':
      return ({ prefetched }) => databaseFinding(judging, prefetched);
    case 'list': {
      const listed = new Set(judging.exact ? judging.values : judging.values.map(fold));
      const good = judging.listed === 'valid';
      return ({ tid }) => byValidity(listed.has(judging.exact ? tid : fold(tid)) === good);
    }
    case 'pattern': {
      const matches = compilePattern(judging.pattern);
      const good = judging.matching === 'valid';
      return ({ tid }) => byValidity(matches(tid) === good);
    }
  }
}

function byValidity(valid: boolean): ValueFinding {
  return { finding: valid ? 'valid' : 'invalid', response: '' };
}

function databaseFinding(
  { unknown }: Extract<ValidationSettings, { kind: 'database' }>,
  prefetched: Prefetched | undefined,
): ValueFinding {
  const prefetchedResult = prefetched?.known ?? { kind: 'unknown', why: 'failed' };
  switch (prefetchedResult.kind) {
    case 'known':
      return {
        finding: prefetchedResult.valid ? 'valid' : 'invalid',
        response: prefetchedResult.response,
        database: prefetchedResult.database,
      };
    case 'absent':
      return { finding: 'invalid', response: '' };
    case 'unknown':
      return {
        finding: unknown === 'accept' ? 'unknown_accepted' : 'unknown_rejected',
        response: '',
        why: prefetchedResult.why,
      };
  }
}

/** The counters that validation needs. The moments of admissions are stored only for limits within a time. */
export function countingForValidation(settings: RelaySettings): Counting {
  const places = placeholdersOf(settings);
  const limits = limitsOf(settings);
  const within = (subject: Subject) =>
    limits.flatMap(({ of, withinMinutes }) => (of === subject ? (withinMinutes ?? []) : []));
  return {
    ...(places.has('count') || places.has('time') ? { value: {} } : {}),
    ...Object.fromEntries(limits.map(({ of }) => [of, within(of).length > 0 ? { within: within(of) } : {}])),
  };
}
