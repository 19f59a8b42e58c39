/** Schema of a relay's rules: all of `when`, none of `unless`, and what a match does. Old rules have one condition. */
import { z } from 'zod';
import { hoursSchema, zone } from '../../schedules/hours.js';
import { exact, minutes, pattern } from './setting-parts.js';

export const conditionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('every') }),
  z.object({ kind: z.literal('result'), is: z.enum(['valid', 'invalid', 'duplicate', 'late', 'not_validated']) }),
  z.object({ kind: z.literal('value'), is: z.array(z.string().min(1)).min(1).max(1_000), exact }),
  z.object({ kind: z.literal('value_pattern'), pattern }),
  /** The value looks like an EAN-8, UPC-A, EAN-13, GTIN-14 or SSCC, and its last digit does not fit. */
  z.object({ kind: z.literal('check_digit') }),
  /** Somebody watches it: /scandesk watch. */
  z.object({ kind: z.literal('watched') }),
  z.object({ kind: z.literal('from'), what: z.enum(['service', 'user', 'device']), ids: z.array(z.string()).min(1) }),
  z.object({
    kind: z.literal('answer'),
    /** Undefined: any question. */
    questionId: z.string().optional(),
    how: z.enum(['equals', 'contains', 'above', 'below']),
    to: z.string(),
    exact: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('property'),
    name: z.string().min(1),
    how: z.enum(['present', 'equals', 'contains', 'above', 'below']),
    to: z.string().default(''),
    exact: z.boolean().default(false),
  }),
  /** The relay never saw this value before. */
  z.object({ kind: z.literal('first_seen') }),
  z.object({ kind: z.literal('outside_hours'), hours: hoursSchema }),
  z.object({ kind: z.literal('within_hours'), hours: hoursSchema }),
  /** A date in the GS1 barcode (use by, best before, sell by) is at most so many days away, or past. */
  z.object({ kind: z.literal('expires'), days: z.number().int().min(0).max(3_650), zone }),
  /** The batch or lot in the GS1 barcode. */
  z.object({ kind: z.literal('batch'), is: z.array(z.string().min(1).max(100)).min(1).max(1_000), exact }),
  /** Every nth scan of the same value, device, user, service, or of the relay. */
  z.object({
    kind: z.literal('nth'),
    n: z.number().int().min(1).max(1_000_000),
    of: z.enum(['value', 'device', 'user', 'service', 'relay']),
    /** Every nth again and again, or the nth once. */
    again: z.boolean().default(true),
  }),
  /** No scan for so long, within the hours; posted again each day until one comes again. */
  z.object({
    kind: z.literal('silence'),
    of: z.enum(['relay', 'device', 'service']),
    /** Udids or service ids; none (relay): any scan ends the silence. */
    ids: z.array(z.string()).max(100).default([]),
    minutes,
    hours: hoursSchema,
  }),
  /** n invalid scans in m minutes; then not again before m minutes have passed. */
  z.object({ kind: z.literal('burst'), n: z.number().int().min(2).max(1_000), minutes }),
]);
export type Condition = z.output<typeof conditionSchema>;

export type ConditionOf<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

/** Of each list. The rule's form shows them all. */
export const mostConditions = 5;

const people = z.object({
  users: z.array(z.string()).max(20).default([]),
  groups: z.array(z.string()).max(20).default([]),
});

const conditions = z.array(conditionSchema).max(mostConditions);

export const ruleSchema = z
  .object({
    id: z.string().min(1).max(40),
    /** Of its counters; see `withGenerations`. */
    generation: z.number().int().min(1).optional(),
    name: z.string().max(80).default(''),
    on: z.boolean().default(true),
    /** All of them. A single one is stored by itself, as it was when a rule had only one. */
    when: z.preprocess((stored) => (Array.isArray(stored) ? stored : [stored]), conditions.min(1)),
    /** None of them. */
    unless: conditions.default([]),
    /** `stop`: it posts nothing, and the rules after it are not asked. */
    action: z.enum(['post', 'stop']).default('post'),
    /** Empty only for a rule that stops. */
    channel: z.string(),
    mention: people.default({ users: [], groups: [] }),
    /** `each`: a message a scan; `thread`: replies under one parent card a day that keeps count; `digest`: one message at the end. */
    how: z.enum(['each', 'thread', 'digest']).default('each'),
    /** How long a digest collects. */
    digestMinutes: minutes.default(15),
    /** Within these hours nothing is posted; one digest follows at their end. */
    quiet: hoursSchema.optional(),
    /** Whom an incident mentions that nobody acknowledged in time. */
    escalate: people.extend({ minutes }).optional(),
    /** The channel too hears when an incident gets worse or is over. Unset: only its thread. */
    broadcast: z.boolean().optional(),
  })
  .superRefine((rule, { addIssue }) => {
    const message = ruleProblem(rule);
    if (message !== undefined) {
      addIssue({ code: 'custom', message });
    }
  });
export type Rule = z.output<typeof ruleSchema>;

/** A rule as it is stored: one that an older version could have written is written as it would have. */
export function storedRule({ when, unless, action, ...rule }: Rule): object {
  const { id, name, on, ...rest } = rule;
  return {
    ...{ id, name, on, when: when.length === 1 ? when[0] : when },
    ...(unless.length === 0 ? {} : { unless }),
    ...(action === 'post' ? {} : { action }),
    ...rest,
  };
}

/** Why the parts of a rule do not go together; undefined if they do. For people. */
export function ruleProblem({ when, unless, action, channel }: Pick<Rule, 'when' | 'unless' | 'action' | 'channel'>) {
  const counting = when.filter(({ kind }) => isCounting(kind));
  const single = counting.some(({ kind }) => kind === 'silence');
  if (action === 'post' && channel === '') {
    return 'Choose a channel.';
  }
  if (unless.some(({ kind }) => isCounting(kind) || kind === 'every')) {
    return 'This trigger can’t be an exception.';
  }
  if (counting.length > 0 && action === 'stop') {
    return 'A rule that only stops can’t count scans or wait for them.';
  }
  if (single && when.length + unless.length > 1) {
    return 'A rule that posts when no scans arrive can’t have other conditions.';
  }
  if (counting.length > 1) {
    return 'A rule can count scans in only one way.';
  }
  if (counting.length > 0 && [...when, ...unless].some(({ kind }) => kind === 'answer')) {
    return 'A rule that counts scans can’t depend on answers: they arrive after the scan was counted.';
  }
  return undefined;
}

/** A rule whose alarms are incidents. */
export function hasIncidents({ when }: Pick<Rule, 'when'>): boolean {
  return when.some(({ kind }) => kind === 'burst' || kind === 'silence');
}

/** About several scans, or about none: what it counts is what meets the rule's other conditions. */
export function isCounting(kind: Condition['kind']): kind is 'nth' | 'burst' | 'silence' {
  return kind === 'nth' || kind === 'burst' || kind === 'silence';
}
