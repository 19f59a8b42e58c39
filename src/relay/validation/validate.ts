/**
 * Validation of a scan. The account's own result stays; otherwise the settings decide: hours, value, duplicate, limit.
 * Pure, and called within the commit, so that counts are exact.
 */

import { fold } from '../../codereadr/barcode-equality.js';
import type { IncomingScan } from '../intake/commit/index.js';
import type { UncheckedReason } from '../relays/relay.js';
import type { RelaySettings, ResultCode, ValidationSettings } from '../relays/settings.js';
import { compilePattern } from '../rules/conditions/pattern.js';
import { createSchedule } from '../rules/schedule.js';
import type { Counting } from '../scans/counters.js';
import { utcMoment } from '../scans/table.js';
import { createAnswers, placeholdersOf } from './answer.js';
import type { Prefetched, Validate, ValidateInput } from './result.js';

interface Found {
  readonly finding: ResultCode;
  /** The response of the database or the account. */
  readonly response: string;
  readonly database?: string;
  readonly why?: UncheckedReason;
}

type ValidateValue = (scan: IncomingScan<Prefetched>) => Found;

const accepted: ReadonlySet<ResultCode> = new Set(['valid', 'unknown_accepted']);
const minuteMs = 60_000;

export function createValidate(settings: RelaySettings): Validate {
  const validateValue = createValidateValue(settings.judging);
  const answers = createAnswers(settings);
  const hours = settings.hours && createSchedule(settings.hours);

  /** Applies duplicates and limits to a scan that is otherwise valid. */
  const applyLimits = (found: Found, { counts }: ValidateInput, at: number): Found => {
    const { duplicates, atMost } = settings;
    if (duplicates) {
      const { lastAcceptedAt } = counts.of('value');
      if (lastAcceptedAt !== undefined && isRecent(lastAcceptedAt, at, duplicates.withinMinutes)) {
        return { ...found, finding: 'duplicate' };
      }
    }
    if (atMost) {
      const { accepted: before, nthAcceptedAt } = counts.of(atMost.of);
      const full =
        atMost.withinMinutes === undefined
          ? before >= atMost.n
          : nthAcceptedAt !== undefined && isRecent(nthAcceptedAt, at, atMost.withinMinutes);
      if (full) {
        return { ...found, finding: 'limit' };
      }
    }
    return found;
  };

  const find = (input: ValidateInput, at: number): Found => {
    const { scan } = input;
    if (isValidated(scan)) {
      return { finding: scan.givenStatus === '1' ? 'valid' : 'invalid', response: scan.givenText ?? '' };
    }
    if (hours && !hours.isOpen(at)) {
      return { finding: 'outside_hours', response: '' };
    }
    const found = validateValue(scan);
    return accepted.has(found.finding) ? applyLimits(found, input, at) : found;
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
    return { finding, valid: accepted.has(finding), text, at, late, why: reason, reply };
  };
}

/** By the account, or by a device with its own database: -1 means that neither could. */
export function isValidated({ givenStatus }: { readonly givenStatus?: string }): boolean {
  return givenStatus === '1' || givenStatus === '0';
}

/**
 * The moment at which a scan counts, and whether it is late: a device's clock counts only for scans that came well
 * after they were made.
 */
export function momentOf(
  { scannedAtUtc, receivedAt }: { readonly scannedAtUtc?: string; readonly receivedAt: number },
  lateMinutes: number,
): { at: number; late: boolean } {
  const made = scannedAtUtc === undefined ? undefined : utcMoment(scannedAtUtc);
  const late = made !== undefined && receivedAt - made > lateMinutes * minuteMs;
  return { at: late ? made : receivedAt, late };
}

/** Late scans may come after scans that were made later: only the distance counts, in either direction. */
function isRecent(before: number, at: number, withinMinutes: number | undefined): boolean {
  return withinMinutes === undefined || Math.abs(at - before) < withinMinutes * minuteMs;
}

function createValidateValue(judging: ValidationSettings): ValidateValue {
  switch (judging.kind) {
    case 'accept':
      // -1 comes with a text that says why the scan could not be validated.
      return ({ givenText }) => ({ finding: 'valid', response: givenText ?? '' });
    case 'database':
      return ({ prefetched }) => databaseFound(judging, prefetched);
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

function byValidity(valid: boolean): Found {
  return { finding: valid ? 'valid' : 'invalid', response: '' };
}

function databaseFound(
  { unknown }: Extract<ValidationSettings, { kind: 'database' }>,
  prefetched: Prefetched | undefined,
): Found {
  const known = prefetched?.known ?? { kind: 'unknown', why: 'failed' };
  switch (known.kind) {
    case 'known':
      return { finding: known.valid ? 'valid' : 'invalid', response: known.response, database: known.database };
    case 'absent':
      return { finding: 'invalid', response: '' };
    case 'unknown':
      return { finding: unknown === 'accept' ? 'unknown_accepted' : 'unknown_rejected', response: '', why: known.why };
  }
}

/** The counters it needs. Moments are stored only for a limit within a time, as many as it allows. */
export function countingForValidation(settings: RelaySettings): Counting {
  const { duplicates, atMost } = settings;
  const places = placeholdersOf(settings);
  const last = atMost?.withinMinutes === undefined ? {} : { last: atMost.n };
  return {
    ...(duplicates || places.has('count') || places.has('time') ? { value: {} } : {}),
    ...(atMost ? { [atMost.of]: last } : {}),
  };
}
