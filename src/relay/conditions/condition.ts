/**
 * The declaration of a kind of condition: its parts, its words, its predicate, the source of its facts, and the subject
 * that it counts. A predicate never throws.
 */
import { z } from 'zod';
import type { NamesOfScan } from '../../codereadr/names.js';
import type { ReferenceKind } from '../../codereadr/operations/operation.js';
import type { NameOf } from '../../codereadr/types.js';
import type { Subject } from '../../counters/counters.js';
import { type ScanRecord, utcMoment } from '../../scans/received/received-scan-rows.js';
import type { ConditionPart } from './parts/field.js';
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

/** The groups of the menu of triggers, in order. */
export const headings = ['Result', 'Barcode', 'Source', 'Answers and properties', 'Time and frequency'] as const;

type Parts = Readonly<Record<string, ConditionPart>>;
type SchemaOf<K extends string, P extends Parts> = z.ZodObject<
  { kind: z.ZodLiteral<K> } & { [N in keyof P]: P[N]['schema'] }
>;

interface Declaration<P extends Parts, A extends About, C> {
  readonly about: A;
  readonly facts: FactSource;
  /** Whether alarms of this kind are incidents. */
  readonly opensIncidents?: true;
  readonly heading: (typeof headings)[number];
  /** The label in the menu of triggers, with a description; or a label for each value of the part that is chosen there. */
  readonly menu: readonly [label: string, description?: string] | Readonly<Record<string, string>>;
  /** The parts besides its kind, in the order of the form. */
  readonly parts: P;
  /** The words after `a scan` if the condition may stand beside another; otherwise those after the channel. */
  phrase(condition: C, nameOf: NameOf): string;
  /** The subject of the relay's counter that the condition uses. */
  counts?(condition: C): Subject | undefined;
  /** The kind of the account's records whose ids the condition holds. */
  refersTo?(condition: C): ReferenceKind | undefined;
  predicate(condition: C, context: ConditionContext): Predicate;
}

export interface ConditionKind<K extends string = string, P extends Parts = Parts, A extends About = About>
  extends Declaration<P, A, z.output<SchemaOf<K, P>>> {
  readonly kind: K;
  readonly schema: SchemaOf<K, P>;
}

export function condition<const K extends string, const P extends Parts, const A extends About>(
  kind: K,
  declaration: Declaration<P, A, z.output<SchemaOf<K, P>>>,
): ConditionKind<K, P, A> {
  const schemas = Object.entries(declaration.parts).map(([name, { schema }]) => [name, schema]);
  const schema = z.object({ kind: z.literal(kind), ...Object.fromEntries(schemas) });
  return { ...declaration, kind, schema: schema as never };
}

/** The predicate of a condition that no single scan meets. */
export const neverMatches: Predicate = () => false;

/** The moment at which a scan counts: of a late one when it was made, else when it came: devices' clocks differ. */
export function momentOf({ late, madeAt, scannedAtUtc, receivedAt }: ValidatedScan): number {
  return (late ? (madeAt ?? utcMoment(scannedAtUtc)) : undefined) ?? receivedAt;
}
