/** Every kind of condition as people see it: the menu of triggers, and what a rule's form and sentence say of one. */
import { type Condition, type ConditionKind, conditionKinds, headings, kindOf } from '../../relay/index.js';
import type { Choice } from '../forms/inputs.js';
import { fieldsOfKind } from './condition-fields.js';

type Kind = Condition['kind'];

const choiceValue = (kind: Kind, detail: string) => (detail === '' ? kind : `${kind}:${detail}`);

/** The choices of a kind: one with an empty detail, or one for each value of the part that is chosen in the menu. */
const detailsOf = (menu: ConditionKind['menu']) =>
  (Array.isArray(menu) ? [['', ...menu]] : Object.entries(menu)) as unknown as Choice[];

/** The choices in the menu of triggers, in its order. */
export const choices = (Object.keys(conditionKinds) as Kind[]).flatMap((kind) => {
  const { heading, menu } = kindOf({ kind });
  const shown = fieldsOfKind(kindOf({ kind }));
  return detailsOf(menu).map(([detail, ...words]) => {
    const choice: Choice = [choiceValue(kind, detail), ...words];
    return { kind, detail, heading, shown, choice };
  });
});

/** The menu of triggers, by headings. */
export function triggerGroups(isOffered: (kind: Kind) => boolean = () => true) {
  return headings
    .map((heading) => {
      const offered = choices.filter((one) => one.heading === heading && isOffered(one.kind));
      return [heading, offered.map(({ choice }) => choice)] as const;
    })
    .filter(([, offered]) => offered.length > 0);
}

/** The choice with a value in the menu, with its kind of condition; undefined for any other value. */
export function findChoice(choiceKey: unknown) {
  return choices.find(({ choice: [value] }) => value === choiceKey);
}

/** The choice in the menu that stands for a condition. */
export function choiceOf(condition: Condition): string {
  const chosen = Object.entries(kindOf(condition).parts).find(([, { inMenu }]) => inMenu);
  return choiceValue(condition.kind, chosen ? String(condition[chosen[0] as keyof Condition]) : '');
}

/** The label of a condition's choice; undefined where the condition has fields, so that the label does not say all. */
export function labelOf(condition: Condition): string | undefined {
  const hasFields = Object.values(kindOf(condition).parts).some(({ inMenu }) => !inMenu);
  return hasFields ? undefined : findChoice(choiceOf(condition))?.choice[1];
}
