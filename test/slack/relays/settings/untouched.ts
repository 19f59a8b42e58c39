/** The rule form as Slack sends it when nobody touched it. */
import { type Rule, ruleSchema } from '../../../../src/relay/index.js';
import { drawnState } from '../../../../src/slack/forms/view-state.js';
import { contentForm, ruleOf as enteredRule } from '../../../../src/slack/relays/settings/rules/rule-content.js';
import { ruleFields } from '../../../../src/slack/relays/settings/rules/rule-form.js';
import { linesFor, type RuleLines, shownConditions } from '../../../../src/slack/relays/settings/rules/rule-lines.js';

const source = (rule: Rule | undefined) => ({ rule, channel: 'C0', zone: 'Europe/Berlin', nameOf: () => undefined });
const options = { more: true, groupsOffered: true, isSet: false, agreement: [] };

export const ruleOf = (fields: object): Rule => ruleSchema.parse({ id: 'r1', channel: 'C1', ...fields });

export const blocksOf = (rule: Rule | undefined, lines: RuleLines = linesFor(shownConditions(rule))) =>
  ruleFields(contentForm(lines).draft(source(rule)), { ...options, lines });

export function untouched(rule: Rule | undefined, lines: RuleLines = linesFor(shownConditions(rule))) {
  return drawnState({ state: { values: {} } }, blocksOf(rule, lines));
}

/** What is read from the form. */
export function readUntouched(rule: Rule, lines: RuleLines = linesFor(shownConditions(rule))) {
  const errors: Record<string, string> = {};
  const entered = contentForm(lines).read(untouched(rule), errors);
  return Object.keys(errors).length > 0
    ? { errors, change: undefined }
    : { change: (before: Rule | undefined, id: string) => enteredRule(entered, before, id) };
}

/** The rule that is saved when its form is sent as it was opened. */
export function savedUntouched(rule: Rule): unknown {
  const read = readUntouched(rule);
  return read.change ? read.change(rule, rule.id) : read;
}
