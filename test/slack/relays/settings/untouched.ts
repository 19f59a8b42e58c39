/** The rule form as Slack sends it when nobody touched it. */
import { type Rule, ruleSchema } from '../../../../src/relay/index.js';
import { formStateIn } from '../../../../src/slack/forms/view-state.js';
import { contentForm, ruleOf as enteredRule } from '../../../../src/slack/relays/settings/rules/rule-content.js';
import { ruleFields } from '../../../../src/slack/relays/settings/rules/rule-form.js';
import { linesFor, type RuleLines, shownConditions } from '../../../../src/slack/relays/settings/rules/rule-lines.js';

const source = (rule: Rule | undefined) => ({ rule, channel: 'C0', zone: 'Europe/Berlin', nameOf: () => undefined });
const options = { more: true, groupsOffered: true, isSet: false, agreement: [] };

type Element = Readonly<Record<string, unknown>> & { readonly type: string };

export const ruleOf = (fields: object): Rule => ruleSchema.parse({ id: 'r1', channel: 'C1', ...fields });

export const blocksOf = (rule: Rule | undefined, lines: RuleLines = linesFor(shownConditions(rule))) =>
  ruleFields(contentForm(lines).draft(source(rule)), { ...options, lines });

export function untouched(rule: Rule | undefined, lines: RuleLines = linesFor(shownConditions(rule))) {
  const values = blocksOf(rule, lines).flatMap((block) => {
    if (block.type !== 'input' || block.block_id === undefined) {
      return [];
    }
    const element = (block as unknown as { readonly element: Element }).element;
    const state = {
      type: element.type,
      value: element.initial_value,
      selected_option: element.initial_option,
      selected_options: element.initial_options,
      selected_users: element.initial_users,
      selected_conversation: element.initial_conversation,
      selected_time: element.initial_time,
    };
    return [[block.block_id, { x: state }]];
  });
  return formStateIn({ state: { values: Object.fromEntries(values) } } as never);
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
