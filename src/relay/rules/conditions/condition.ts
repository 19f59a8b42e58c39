/**
 * Rule conditions, compiled once into predicates on a scan. They never throw: an unreadable pattern matches nothing.
 * Values, answers and properties are compared unchanged.
 */

import { fold } from '../../../codereadr/barcode-equality.js';
import type { Subject } from '../../../counters/counters.js';
import { checkDigitFits } from '../../../gs1/check-digit.js';
import { utcMoment } from '../../../scans/received/table.js';
import { createSchedule } from '../../../schedules/schedule.js';
import { answerSeparator } from '../../postback/parse.js';
import { compilePattern } from '../../record/pattern.js';
import type { ReceivedScan } from '../../record/relay.js';
import type { Condition, ConditionOf, ResultCode } from '../../record/settings.js';
import { isValidated } from '../../validation/validate.js';
import { compareDecimals } from './decimal.js';
import { batchIn, createGs1Reader, daysToExpiry, type Gs1Reader } from './gs1.js';

/** A validated scan as the rules see it, with what the commit knows of it. */
export interface ValidatedScan
  extends Pick<
    ReceivedScan,
    'id' | 'tid' | 'sid' | 'userid' | 'udid' | 'givenStatus' | 'scannedAtUtc' | 'receivedAt' | 'answers' | 'properties'
  > {
  readonly valid: boolean;
  readonly finding: ResultCode;
  readonly late: boolean;
}

export interface ScanFacts {
  readonly scan: ValidatedScan;
  /** How many scans of the same subject came before; 0 if the scan does not have the subject. */
  seen(subject: Subject): number;
  /** Somebody watches the value. */
  readonly watched: boolean;
}

export type Predicate = (facts: ScanFacts) => boolean;

/** Other settings that conditions depend on. */
export interface ConditionContext {
  /** The relay validates scans itself, also those that the account could not validate. */
  readonly validates: boolean;
  /** The relay finds duplicates itself; otherwise every value seen before is one. */
  readonly findsDuplicates: boolean;
  readonly gs1?: Gs1Reader;
}

const never: Predicate = () => false;

export function createCondition(condition: Condition, context: ConditionContext): Predicate {
  switch (condition.kind) {
    case 'every':
      return () => true;
    case 'result':
      return resultFits(condition.is, context);
    case 'value':
      return among(condition.is, condition.exact, ({ scan }) => scan.tid);
    case 'batch': {
      const { gs1 = createGs1Reader() } = context;
      return among(condition.is, condition.exact, ({ scan }) => batchIn(gs1(scan.tid)));
    }
    case 'expires': {
      const { gs1 = createGs1Reader() } = context;
      const { days, zone } = condition;
      return ({ scan }) => (daysToExpiry(gs1(scan.tid), momentOf(scan), zone) ?? Number.POSITIVE_INFINITY) <= days;
    }
    case 'value_pattern': {
      const found = readable(condition.pattern);
      return ({ scan }) => found(scan.tid);
    }
    case 'check_digit':
      return ({ scan }) => checkDigitFits(scan.tid) === false;
    case 'watched':
      return ({ watched }) => watched;
    case 'from':
      return among(condition.ids, true, ({ scan }) => scan[idOf[condition.what]]);
    case 'answer': {
      const compare = comparison(condition);
      const { questionId } = condition;
      return ({ scan }) =>
        scan.answers.some(
          (answer) =>
            (questionId === undefined || answer.questionId === questionId) &&
            answer.answer.split(answerSeparator).some(compare),
        );
    }
    case 'property': {
      const compare = condition.how === 'present' ? () => true : comparison({ ...condition, how: condition.how });
      return ({ scan }) => scan.properties.some(({ name, value }) => name === condition.name && compare(value));
    }
    case 'first_seen':
      return ({ seen }) => seen('value') === 0;
    case 'outside_hours':
    case 'within_hours': {
      const hours = createSchedule(condition.hours);
      const wanted = condition.kind === 'within_hours';
      return ({ scan }) => hours.isOpen(momentOf(scan)) === wanted;
    }
    case 'nth':
      return ({ scan, seen }) => hasSubject(scan, condition.of) && isNth(condition, seen(condition.of) + 1);
    case 'silence':
    case 'burst':
      // Not conditions on a single scan; see silence.ts and burst.ts.
      return never;
  }
}

/** `count`: this scan included. */
export function isNth({ n, again }: ConditionOf<'nth'>, count: number): boolean {
  return again ? count % n === 0 : count === n;
}

export function hasSubject(scan: ValidatedScan, of: Subject): boolean {
  return of === 'relay' || of === 'value' || scan[idOf[of]] !== undefined;
}

/**
 * The moment at which a scan counts: late scans when they were made, others when they came, since devices' clocks
 * differ.
 */
function momentOf({ late, scannedAtUtc, receivedAt }: ValidatedScan): number {
  return (late ? utcMoment(scannedAtUtc) : undefined) ?? receivedAt;
}

function readable(pattern: string): (text: string) => boolean {
  try {
    return compilePattern(pattern);
  } catch {
    return () => false;
  }
}

const idOf = { service: 'sid', user: 'userid', device: 'udid' } as const;

type Result = Extract<Condition, { kind: 'result' }>['is'];

function resultFits(is: Result, { validates, findsDuplicates }: ConditionContext): Predicate {
  switch (is) {
    case 'valid':
      return ({ scan }) => scan.valid;
    case 'invalid':
      return ({ scan }) => !scan.valid;
    case 'duplicate':
      // A scan validated elsewhere has no result code of the relay's: for it, too, every value seen before is a
      // duplicate.
      return findsDuplicates
        ? ({ scan, seen }) => scan.finding === 'duplicate' || (isValidated(scan) && seen('value') > 0)
        : ({ seen }) => seen('value') > 0;
    case 'late':
      return ({ scan }) => scan.late;
    case 'not_validated':
      return ({ scan }) =>
        scan.finding === 'unknown_accepted' ||
        scan.finding === 'unknown_rejected' ||
        (!validates && scan.givenStatus === '-1');
  }
}

function among(listed: readonly string[], exact: boolean, factOf: (facts: ScanFacts) => string | undefined): Predicate {
  const known = new Set(exact ? listed : listed.map(fold));
  return (facts) => {
    const text = factOf(facts);
    return text !== undefined && known.has(exact ? text : fold(text));
  };
}

function comparison({
  how,
  to,
  exact,
}: {
  how: 'equals' | 'contains' | 'above' | 'below';
  to: string;
  exact: boolean;
}): (text: string) => boolean {
  const wanted = exact ? to : fold(to);
  switch (how) {
    case 'equals':
      return (text) => (exact ? text : fold(text)) === wanted;
    case 'contains':
      return (text) => (exact ? text : fold(text)).includes(wanted);
    case 'above':
      return (text) => (compareDecimals(text, to) ?? 0) > 0;
    case 'below':
      return (text) => (compareDecimals(text, to) ?? 0) < 0;
  }
}
