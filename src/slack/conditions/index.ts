/** Every kind of condition as people see it, with what a rule's form and sentence read from the list. */
import type { NameOf } from '../../codereadr/types.js';
import type { Condition } from '../../relay/index.js';
import { answer } from './answer.js';
import { batch } from './batch.js';
import { burst } from './burst.js';
import { checkDigit } from './check-digit.js';
import { headings, type ShownCondition } from './condition.js';
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

type Kind = Condition['kind'];

/** The conditions, in the order of the menu. */
export const shownConditions: { readonly [K in Kind]: ShownCondition<K> } = {
  every,
  result,
  response,
  value,
  value_pattern: valuePattern,
  check_digit: checkDigit,
  watched,
  first_seen: firstSeen,
  expires,
  batch,
  from,
  device_name: deviceName,
  answer,
  property,
  within_hours: withinHours,
  outside_hours: outsideHours,
  nth,
  burst,
  silence,
};

const conditionEntries = Object.entries(shownConditions) as (readonly [Kind, ShownCondition<Kind>])[];

const choiceValue = (kind: Kind, detail: string) => (detail === '' ? kind : `${kind}:${detail}`);

const choices = conditionEntries.flatMap(([kind, shown]) =>
  shown.choices.map(([detail, label, description]) => {
    const choice = [choiceValue(kind, detail), label, description] as const;
    return { kind, detail, shown, choice };
  }),
);

/** The menu of triggers, by headings. */
export function triggerGroups(isOffered: (kind: Kind) => boolean = () => true) {
  return headings
    .map((heading) => {
      const offered = choices.filter(({ kind, shown }) => shown.heading === heading && isOffered(kind));
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
  const shownCondition: ShownCondition<Kind> = shownConditions[condition.kind];
  return choiceValue(condition.kind, shownCondition.detailOf?.(condition) ?? '');
}

/** The label of a condition's choice; undefined where the condition has fields, so that the label does not say all. */
export function labelOf(condition: Condition): string | undefined {
  const found = findChoice(choiceOf(condition));
  return found && Object.keys(found.shown.fields).length === 0 ? found.choice[1] : undefined;
}

export function phraseOf(condition: Condition, nameOf: NameOf): string {
  const shownCondition: ShownCondition<Kind> = shownConditions[condition.kind];
  return shownCondition.phrase(condition, nameOf);
}
