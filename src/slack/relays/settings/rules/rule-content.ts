/** The content of the rule form, by line: the stored rule, with entered values over it. Pure. */
import { type RelaySettings, type Rule, storedRule } from '../../../../relay/index.js';
import type { FormState } from '../../../forms/view-state.js';
import type { ConditionDraft } from './condition-form.js';
import { type RuleDraft, type RuleFormSource, ruleForm } from './fields.js';
import { formsOf, linesFor, type RuleLines, shownConditions } from './rule-lines.js';

export interface RuleContent {
  readonly rule: RuleDraft;
  readonly lines: RuleLines;
  /** The condition of each line, by the line's number. */
  readonly conditions: ReadonlyMap<number, ConditionDraft>;
}

export function ruleContent(source: RuleFormSource, lines: RuleLines, enteredState?: FormState): RuleContent {
  const storedLines = shownConditions(source.rule);
  const numbers = linesFor(storedLines);
  const conditionAt = (line: number) =>
    storedLines.when[numbers.when.indexOf(line)] ?? storedLines.unless[numbers.unless.indexOf(line)];
  const conditions = formsOf(lines).map(({ line, form }) => {
    const former = form.draft({ ...source, condition: conditionAt(line) });
    return [line, enteredState ? form.entered(enteredState, former) : former] as const;
  });
  const former = ruleForm.draft(source);
  const rule = enteredState ? ruleForm.entered(enteredState, former) : former;
  return { rule: { ...rule, isSet: source.rule?.workflow !== undefined }, lines, conditions: new Map(conditions) };
}

/** What the form of a rule overwrites: not whether the rule is on, which is set in the list. */
export const shownRule = (id: string | undefined) => (settings: RelaySettings) => {
  const found = settings.rules.find((each) => each.id === id);
  const { on: _, ...rule } = found ? (storedRule(found) as Partial<Rule>) : {};
  return found && rule;
};
