/**
 * The first rule of a relay. A relay without rules posts by its default, one with rules only what they choose. So a
 * second rule is added that posts what the relay posted before, unless somebody chose otherwise. Pure.
 */
import { type Condition, type RelaySettings, type Rule, ruleSchema } from '../../../../relay/index.js';
import type { Relay } from '../../../../relay/relays/types.js';

/** The settings by which a relay posts without rules. */
export type Unruled = Pick<Relay, 'channel' | 'notable'>;

/** Whether the rule leaves out scans that the relay posts without rules. */
export function leavesOut({ on, action, channel, when, unless }: Rule, unruled: Unruled): boolean {
  const every = unless.length === 0 && when.every((one) => one.kind === 'every' || isSame(one, conditionOf(unruled)));
  return !(on && action === 'post' && channel === unruled.channel && every);
}

/** `settings`: with their first rule. Both rules post, whatever the other does. `id`: of the second one. */
export function keepPosting(settings: RelaySettings, unruled: Unruled, id: string): RelaySettings {
  const keptRule = ruleSchema.parse({ id, when: conditionOf(unruled), channel: unruled.channel });
  return settings.rules.every((rule) => leavesOut(rule, unruled))
    ? { ...settings, rules: [...settings.rules, keptRule], match: 'all' }
    : settings;
}

function conditionOf({ notable }: Unruled): Condition {
  return notable === 'all' ? { kind: 'every' } : { kind: 'result', is: 'invalid' };
}

function isSame(one: Condition, other: Condition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
