/**
 * The declaration of a kind of condition: its schema, its predicate, the source of its facts, and the subject that it
 * counts. A predicate never throws.
 */
import type { z } from 'zod';
import type { NamesOfScan } from '../../codereadr/names.js';
import type { ReferenceKind } from '../../codereadr/operations/operation.js';
import type { Subject } from '../../counters/counters.js';
import { type ScanRecord, utcMoment } from '../../scans/received/received-scan-rows.js';
import type { Gs1Reader } from './parts/gs1.js';
import type { ResultCode } from './parts/result-codes.js';

/** A scan with its validation result, as the rules see it. */
export interface ValidatedScan
  extends Pick<
    ScanRecord,
    'id' | 'tid' | 'sid' | 'userid' | 'udid' | 'givenStatus' | 'scannedAtUtc' | 'receivedAt' | 'answers' | 'properties'
  > {
  readonly valid: boolean;
  /** The response, which the device shows. */
  readonly text: string;
  readonly finding: ResultCode;
  readonly late: boolean;
  /** When a late scan was made, by its device's corrected clock. */
  readonly madeAt?: number | undefined;
}

export interface ScanFacts {
  readonly scan: ValidatedScan;
  /** How many scans of the same subject came before; 0 if the scan does not have the subject. */
  countBefore(subject: Subject): number;
  /** Whether somebody watches the value. */
  readonly watched: boolean;
  /** The names behind the scan's ids, as far as they were known when the scan came. */
  readonly names: NamesOfScan;
}

export type Predicate = (facts: ScanFacts) => boolean;

/** Other settings that conditions depend on. */
export interface ConditionContext {
  /** Whether the relay validates scans itself: its result then stands, even where the account could not validate. */
  readonly validates: boolean;
  /** Whether the relay finds duplicates itself; otherwise every value seen before is a duplicate. */
  readonly findsDuplicates: boolean;
  readonly gs1: Gs1Reader;
}

/**
 * How a kind of condition relates to scans. `one_scan`: it stands beside other conditions, and as an exception.
 * `several_scans`: it counts the scans that meet the rule's other conditions. `no_scan`: it waits for scans, and stands
 * alone.
 */
export type About = 'every_scan' | 'one_scan' | 'several_scans' | 'no_scan';

/**
 * The source of a condition's facts. A second submit brings answers and properties. `names`: fetched before the commit;
 * `rule`: the rule's own memory, or its timer.
 */
export type FactSource = 'scan' | 'answers' | 'properties' | 'counters' | 'watches' | 'names' | 'rule';

export type ConditionSchema = z.ZodObject<{ kind: z.ZodLiteral<string> }>;

export interface ConditionKind<S extends ConditionSchema = ConditionSchema, A extends About = About> {
  readonly schema: S;
  readonly about: A;
  readonly facts: FactSource;
  /** Whether alarms of this kind are incidents. */
  readonly opensIncidents?: true;
  /** The subject of the relay's counter that the condition uses. */
  counts?(condition: z.output<S>): Subject | undefined;
  /** The kind of the account's records whose ids the condition holds. */
  refersTo?(condition: z.output<S>): ReferenceKind | undefined;
  predicate(condition: z.output<S>, context: ConditionContext): Predicate;
}

export function conditionKind<S extends ConditionSchema, const A extends About>(
  declaration: ConditionKind<S, A>,
): ConditionKind<S, A> {
  return declaration;
}

/** The predicate of a condition that no single scan meets. */
export const neverMatches: Predicate = () => false;

/** The moment at which a scan counts: of a late one when it was made, else when it came: devices' clocks differ. */
export function momentOf({ late, madeAt, scannedAtUtc, receivedAt }: ValidatedScan): number {
  return (late ? (madeAt ?? utcMoment(scannedAtUtc)) : undefined) ?? receivedAt;
}
