/**
 * The first rule of a relay. Without rules, a relay posts by its default; with rules, only what the rules choose. So a
 * second rule is added that posts what the relay posted without rules, unless somebody chose otherwise. Pure.
 */
import { type Condition, hasIncidents, type RelaySettings, type Rule, ruleSchema } from '../../../../relay/index.js';
import type { Relay } from '../../../../relay/relays/types.js';

/** The settings by which a relay posts without rules. */
export type UnruledSettings = Pick<Relay, 'channel' | 'notable'>;

/** Whether the rule leaves out scans that the relay posts without rules. */
export function leavesOut({ on, action, channel, when, unless }: Rule, unruled: UnruledSettings): boolean {
  const every = unless.length === 0 && when.every((one) => one.kind === 'every' || isSame(one, conditionOf(unruled)));
  return !(on && action === 'post' && channel === unruled.channel && every);
}

/**
 * Whether a relay posts with this rule as its first exactly what it posts without rules.
 * @param keeps whether it goes on posting, beside the rule, what it posts without rules
 */
export function changesNothing(rule: Rule, unruled: UnruledSettings, keeps: boolean): boolean {
  const { on, action, channel, how, when, mention, quiet } = rule;
  const isUnseen =
    on &&
    action === 'post' &&
    channel === unruled.channel &&
    how === 'each' &&
    !quiet &&
    !hasIncidents(rule) &&
    mention.users.length + mention.groups.length === 0;
  const isWithin = unruled.notable === 'all' || when.some((one) => isSame(one, conditionOf(unruled)));
  return isUnseen && (keeps ? isWithin : !leavesOut(rule, unruled));
}

/** Adds the second rule, with the id, where the first leaves scans out. Then every matching rule posts. */
export function keepPosting(settings: RelaySettings, unruled: UnruledSettings, id: string): RelaySettings {
  const keptRule = ruleSchema.parse({ id, when: conditionOf(unruled), channel: unruled.channel });
  return settings.rules.every((rule) => leavesOut(rule, unruled))
    ? { ...settings, rules: [...settings.rules, keptRule], match: 'all' }
    : settings;
}

function conditionOf({ notable }: UnruledSettings): Condition {
  return notable === 'all' ? { kind: 'every' } : { kind: 'result', is: 'invalid' };
}

function isSame(one: Condition, other: Condition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
