/** The fields of a condition's form, made of its declaration, and the condition that is read from them. */
import { type Condition, type ConditionKind, type ConditionPart, kindOf } from '../../relay/index.js';
import type { AnyDraft, Fields } from '../forms/form.js';
import { type ConditionSource, field } from './condition.js';
import { idFields } from './id-fields.js';
import { inputOf } from './part-inputs.js';

/** The name of a part's input. */
const nameOf = (partName: string, { entry }: ConditionPart): string => entry?.name ?? partName;

/** The value that the condition has where nothing is entered. */
const initialOf = ({ entry, schema }: ConditionPart): unknown => entry?.initial ?? schema.safeParse(undefined).data;

export interface ConditionFields {
  /** The fields in the order shown. Kinds that have a field of the same name share it. */
  readonly fields: Fields;
  /** The entered condition, with the detail of its choice in the menu. What is wrong with a part is passed to `problem`. */
  read(values: AnyDraft, detail: string, problem: (field: string, message: string) => void): Condition;
}

export function fieldsOfKind({ kind, parts }: ConditionKind): ConditionFields {
  const partEntries = Object.entries(parts);
  return {
    fields: Object.fromEntries(partEntries.flatMap(([name, part]) => partFields(name, part))),
    read(values, detail, problem) {
      const condition: Record<string, unknown> = { kind };
      for (const [name, part] of partEntries) {
        const inputName = part.idsOf ? `ids.${condition[part.idsOf]}` : nameOf(name, part);
        condition[name] = (part.inMenu ? detail : values[inputName]) ?? initialOf(part);
      }
      for (const [name, part] of partEntries) {
        const message = part.entry && faultOf(part, condition[name], condition);
        if (message !== undefined) {
          problem(nameOf(name, part), message);
        }
      }
      return condition as Condition;
    },
  };
}

/** What is wrong with an entered part. Where its input read nothing, that has said why. */
function faultOf({ entry, schema }: ConditionPart, value: unknown, condition: object): string | undefined {
  const issues = value === undefined ? [] : schema.safeParse(value).error?.issues;
  return entry?.problem?.(condition as never) ?? issues?.[0]?.message;
}

function partFields(name: string, part: ConditionPart): [string, Fields[string]][] {
  const { entry } = part;
  if (!entry) {
    return part.idsOf ? Object.entries(idFields) : [];
  }
  const { kind, rerenders } = inputOf(entry, part.schema);
  const content = kind.optionOf ?? kind.content;
  const from = (source: ConditionSource) => {
    const value = storedValue(source, name, part) ?? kind.initialFor?.(source) ?? initialOf(part);
    return value === undefined || !content ? (value ?? kind.blank) : content(value as never, source);
  };
  return [[nameOf(name, part), field(kind, { ...entry, initial: undefined, rerenders, from })]];
}

/** The part's value in the stored condition, also one of another kind with the same input. */
function storedValue({ condition }: ConditionSource, name: string, part: ConditionPart): unknown {
  const stored = condition && kindOf(condition).parts[name];
  return stored && nameOf(name, stored) === nameOf(name, part) ? condition[name as keyof Condition] : undefined;
}
