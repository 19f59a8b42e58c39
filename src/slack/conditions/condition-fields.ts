/** The fields of a condition's form, made of its declaration, and the condition that is read from them. */
import { type Condition, type ConditionKind, type ConditionPart, kindOf } from '../../relay/index.js';
import type { Fields } from '../forms/form.js';
import { type ConditionSource, field } from './condition.js';
import { idFields } from './inputs/id-fields.js';
import { inputOf } from './inputs/part-inputs.js';

/** The name of a part's input. */
const nameOf = (partName: string, { entry }: ConditionPart): string => entry?.name ?? partName;

/** The value that the condition has where nothing is entered. */
const initialOf = ({ entry, schema }: ConditionPart): unknown => entry?.initial ?? schema.safeParse(undefined).data;

export interface ConditionFields {
  /** The fields in the order shown. Kinds that have a field of the same name share it. */
  readonly fields: Fields;
  /** The entered condition. A missing or wrong part adds an error; the condition is then incomplete. */
  read(entered: EnteredCondition): Condition;
}

interface EnteredCondition {
  readonly values: Readonly<Record<string, unknown>>;
  /** The detail of the choice in the trigger's menu. */
  readonly detail: string;
  /** Adds an error to a field. */
  problem(field: string, message: string): void;
}

export function fieldsOfKind({ kind, parts }: ConditionKind): ConditionFields {
  const partEntries = Object.entries(parts);
  return {
    fields: Object.fromEntries(partEntries.flatMap(([name, part]) => partFields(name, part))),
    read({ values, detail, problem }) {
      const condition: Record<string, unknown> = { kind };
      for (const [name, part] of partEntries) {
        const isEntered = part.entry ? values[nameOf(name, part)] : part.inMenu && detail;
        const value = part.idsOf ? values[`ids.${condition[part.idsOf]}`] : isEntered;
        condition[name] = value ?? initialOf(part);
      }
      for (const [name, part] of partEntries) {
        const message = part.entry?.problem?.(condition as never);
        if (message !== undefined) {
          problem(nameOf(name, part), message);
        }
      }
      return condition as Condition;
    },
  };
}

function partFields(name: string, part: ConditionPart): [string, Fields[string]][] {
  const { entry } = part;
  if (!entry) {
    return part.idsOf ? Object.entries(idFields) : [];
  }
  const { kind, rerenders, initial, content = kind.content } = inputOf(entry, part.schema);
  const from = (source: ConditionSource) => {
    const value = storedValue(source, name, part) ?? initial?.(source) ?? initialOf(part);
    return value === undefined || !content ? (value ?? kind.blank) : content(value as never, source);
  };
  const { label, hint, optional, shown, collapsible } = entry;
  return [[nameOf(name, part), field(kind, { label, hint, optional, shown, collapsible, rerenders, from })]];
}

/** The part's value in the stored condition, also one of another kind with the same input. */
function storedValue({ condition }: ConditionSource, name: string, part: ConditionPart): unknown {
  const inputIn = (one: ConditionPart) => (one.entry?.as === 'comparison' ? 'comparison' : nameOf(name, one));
  const stored = condition && kindOf(condition).parts[name];
  return stored && inputIn(stored) === inputIn(part) ? condition[name as keyof Condition] : undefined;
}
