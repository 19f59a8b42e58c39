/**
 * The lines of the rule form: one for each condition and each exception. A line keeps its number while others are added
 * and removed, so that Slack keeps what was entered. Pure.
 */
import { z } from 'zod';
import { type Condition, isCounting, mostConditions, type Rule } from '../../../../relay/index.js';
import { conditionForm, initialCondition, type RuleKind } from './condition-form.js';

export const linesShape = z.object({ when: z.array(z.number()), unless: z.array(z.number()) });
export type RuleLines = z.output<typeof linesShape>;
export type LineKind = keyof RuleLines;

/** A rule's conditions in the form's order: a condition that counts scans comes first. A new rule has one condition. */
export function shownConditions(rule: Rule | undefined): Conditions {
  const { when, unless } = rule ?? { when: [initialCondition], unless: [] };
  const counting = when.filter(({ kind }) => isCounting(kind));
  return { when: [...counting, ...when.filter((one) => !counting.includes(one))], unless };
}

export function linesFor({ when, unless }: Conditions): RuleLines {
  return { when: when.map((_, at) => at), unless: unless.map((_, at) => when.length + at) };
}

export function addLine(lines: RuleLines, kind: LineKind): RuleLines {
  return lines[kind].length >= mostConditions
    ? lines
    : { ...lines, [kind]: [...lines[kind], Math.max(...lines.when, ...lines.unless) + 1] };
}

export function removeLine(lines: RuleLines, line: number): RuleLines {
  return {
    when: lines.when.filter((one) => one === 0 || one !== line),
    unless: lines.unless.filter((one) => one !== line),
  };
}

type Conditions = Readonly<Record<LineKind, readonly Condition[]>>;

/** The forms of all lines. A rule about missing scans has no other conditions. */
export function formsOf(lines: RuleLines, ruleKind: RuleKind = 'scan') {
  const labels = { when: ['Trigger', 'And'], unless: ['Unless', 'Or'] } as const;
  const allForms = (['when', 'unless'] as const).flatMap((kind) =>
    lines[kind].map((line, at) => ({
      line,
      kind,
      form: conditionForm(line, labels[kind][at === 0 ? 0 : 1], ruleKind),
    })),
  );
  return ruleKind === 'silence' ? allForms.slice(0, 1) : allForms;
}
