/** The kinds of condition, by the name under which they are stored. A new kind is a file here and a line below. */
import { z } from 'zod';
import { answer } from './answer.js';
import { batch } from './batch.js';
import { burst } from './burst.js';
import { checkDigit } from './check-digit.js';
import type { About, ConditionKind } from './condition.js';
import { deviceName } from './device-name.js';
import { every } from './every.js';
import { expires } from './expires.js';
import { firstSeen } from './first-seen.js';
import { from } from './from.js';
import { outsideHours, withinHours } from './hours.js';
import { nth } from './nth.js';
import { property } from './property.js';
import { response } from './response.js';
import { result } from './result.js';
import { silence } from './silence.js';
import { value } from './value.js';
import { valuePattern } from './value-pattern.js';
import { watched } from './watched.js';

/** The kinds, in the order of the menu of triggers. */
const kinds = [
  every,
  result,
  response,
  value,
  valuePattern,
  checkDigit,
  watched,
  firstSeen,
  expires,
  batch,
  from,
  deviceName,
  answer,
  property,
  withinHours,
  outsideHours,
  nth,
  burst,
  silence,
];
type Kinds = { readonly [C in (typeof kinds)[number] as C['kind']]: C };
export const conditionKinds = Object.fromEntries(kinds.map((one) => [one.kind, one])) as Kinds;
type AnySchema = Kinds[keyof Kinds]['schema'];

const schemas = kinds.map(({ schema }) => schema) as [AnySchema, ...AnySchema[]];
export const conditionSchema = z.discriminatedUnion('kind', schemas);
export type Condition = z.output<AnySchema>;
export type ConditionOf<K extends keyof Kinds> = z.output<Kinds[K]['schema']>;
type KindsAbout<A extends About> = {
  [K in keyof Kinds]: Kinds[K] extends { readonly about: A } ? K : never;
}[keyof Kinds];

/** A condition that counts the scans which meet the rule's other conditions. */
export type CountingCondition = ConditionOf<KindsAbout<'several_scans'>>;

/** The declaration of the kind that a condition has. */
export function kindOf({ kind }: Pick<Condition, 'kind'>): ConditionKind {
  return conditionKinds[kind];
}

/** Whether the kind is about several scans, or about none. */
export function isCounting(kind: Condition['kind']): kind is KindsAbout<'several_scans' | 'no_scan'> {
  const { about } = kindOf({ kind });
  return about === 'several_scans' || about === 'no_scan';
}

/** Whether the kind is about one scan: it may stand beside other conditions but silence, and as an exception. */
export function isCombinable(kind: Condition['kind']): boolean {
  return kindOf({ kind }).about === 'one_scan';
}
