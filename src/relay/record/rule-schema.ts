/**
 * The schema of a relay's rules. A rule matches a scan that meets all conditions of `when` and none of `unless`. A
 * single condition of `when` is stored without an array, as older versions stored it.
 */
import { z } from 'zod';
import { hoursSchema } from '../../schedules/hours.js';
import { conditionSchema, isCombinable, isCounting, kindOf } from '../conditions/index.js';
import { minutes } from '../conditions/parts/setting-parts.js';
import { workflowSchema } from './workflow.js';

export {
  type Condition,
  type ConditionOf,
  conditionKinds,
  isCombinable,
  isCounting,
  kindOf,
} from '../conditions/index.js';

/** The most conditions in each list. The rule's form shows all of them. */
export const mostConditions = 5;

const people = z.object({
  users: z.array(z.string()).max(20).default([]),
  groups: z.array(z.string()).max(20).default([]),
});

const conditions = z.array(conditionSchema).max(mostConditions);

export const ruleSchema = z
  .object({
    id: z.string().min(1).max(40),
    /** The generation of the rule’s counters; see `withGenerations`. */
    generation: z.number().int().min(1).optional(),
    name: z.string().max(80).default(''),
    on: z.boolean().default(true),
    /** The conditions that a scan meets, all of them. A single one is stored by itself, as when a rule had only one. */
    when: z.preprocess((stored) => (Array.isArray(stored) ? stored : [stored]), conditions.min(1)),
    /** The exceptions, none of which a scan may meet. */
    unless: conditions.default([]),
    /** `stop`: the rule posts nothing, and later rules are not asked. `workflow`: one starts beside any rule's post. */
    action: z.enum(['post', 'stop', 'workflow']).default('post'),
    /** The channel of the rule's posts; empty only for a rule that does not post. */
    channel: z.string(),
    workflow: workflowSchema.optional(),
    mention: people.default({ users: [], groups: [] }),
    /** `each`: a message a scan; `thread`: replies under a thread parent a day; `digest`: one message for all scans. */
    how: z.enum(['each', 'thread', 'digest']).default('each'),
    /** How many minutes a digest collects scans. */
    digestMinutes: minutes.default(15),
    /** Hours within which the rule posts nothing; one digest follows at their end. */
    quiet: hoursSchema.optional(),
    /** The people whom an incident mentions when nobody acknowledged it in time. */
    escalate: people.extend({ minutes }).optional(),
    /** Whether the channel, and not only the thread, gets a reply when an incident gets worse or is over. */
    broadcast: z.boolean().optional(),
  })
  .superRefine((rule, { addIssue }) => {
    const message = ruleProblem(rule) ?? (isWorkflowMissing(rule) ? 'Enter the workflow’s webhook URL.' : undefined);
    if (message !== undefined) {
      addIssue({ code: 'custom', message });
    }
  });
export type Rule = z.output<typeof ruleSchema>;

/** A rule as it is stored: in an older version's form, if that version could have written it. */
export function storedRule({ when, unless, action, ...rule }: Rule): object {
  const { id, name, on, ...rest } = rule;
  return {
    id,
    name,
    on,
    when: when.length === 1 ? when[0] : when,
    ...(unless.length === 0 ? {} : { unless }),
    ...(action === 'post' ? {} : { action }),
    ...rest,
  };
}

/** The reason, for people, why the parts of a rule do not go together; undefined if they do. */
export function ruleProblem({ when, unless, action, channel }: Pick<Rule, 'when' | 'unless' | 'action' | 'channel'>) {
  const countingConditions = when.filter(({ kind }) => isCounting(kind));
  if (action === 'workflow' && hasIncidents({ when })) {
    return 'An alert can’t start a workflow. Choose a trigger about single scans.';
  }
  if (action === 'post' && channel === '') {
    return 'Choose a channel.';
  }
  if (!unless.every(({ kind }) => isCombinable(kind))) {
    return 'This trigger can’t be an exception.';
  }
  if (countingConditions.length > 0 && action === 'stop') {
    return 'A rule that only stops can’t count scans or wait for them.';
  }
  if (when.length + unless.length > 1 && when.some(({ kind }) => kind === 'silence')) {
    return 'A rule that posts when no scans arrive can’t have other conditions.';
  }
  if (countingConditions.length > 1) {
    return 'A rule can count scans in only one way.';
  }
  if (countingConditions.length > 0 && [...when, ...unless].some((one) => kindOf(one).facts === 'answers')) {
    return 'A rule that counts scans can’t depend on answers: they arrive after the scan was counted.';
  }
  return undefined;
}

function isWorkflowMissing({ action, workflow }: { readonly action: string; readonly workflow?: object | undefined }) {
  return action === 'workflow' && workflow === undefined;
}

/** The queue of the rule's posts: a channel, or the trigger of the workflow that it starts. */
export function queueOf({ action, channel, workflow }: Pick<Rule, 'action' | 'channel' | 'workflow'>): string {
  return action === 'workflow' ? (workflow?.trigger ?? '') : channel;
}

/** Whether a rule that is on uses the names behind a scan's ids. */
export function needNames(rules: readonly Rule[]): boolean {
  return rules.some(({ on, when, unless }) => on && [...when, ...unless].some((one) => kindOf(one).facts === 'names'));
}

/** Whether the rule's alarms are incidents. */
export function hasIncidents({ when }: Pick<Rule, 'when'>): boolean {
  return when.some((one) => kindOf(one).opensIncidents);
}
