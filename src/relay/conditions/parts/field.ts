/** A part of a condition: its schema, and how people enter it. `slack/conditions/` makes an input of it. */
import { z } from 'zod';

/** What a form holds, by the names of its inputs. */
export type Entered = Readonly<Record<string, unknown>>;

/** The inputs that the schema does not say, as it does those of a number and a text. */
type InputName = 'pattern' | 'lines' | 'letter_case' | 'zone' | 'hours' | 'question';
/** The inputs that show labels. `either`: of a boolean, with two. `comparison`: shared by conditions that compare. */
type ChoiceName = 'one_of' | 'either' | 'comparison';
export type PartInput = 'number' | 'text' | InputName | ChoiceName;

export interface Words<Value> {
  readonly label: string | ((entered: Entered) => string);
  readonly hint?: string | ((entered: Entered) => string | undefined);
  /** What the input shows where nothing is stored, if not the schema's default. It counts where none is shown. */
  readonly initial?: Value;
  /** The input's name, if not the part's. Open windows know it; conditions that give the same one share the input. */
  readonly name?: string;
  readonly placeholder?: string;
  /** The error where nothing is entered. */
  readonly missing?: string;
  readonly optional?: true;
  /** Why the entered condition cannot be, besides what the schema says; undefined if it can. */
  readonly problem?: (condition: never) => string | undefined;
  /** The most characters, if not as many as the schema takes. */
  readonly max?: number;
  readonly shown?: (entered: Entered) => boolean;
  readonly collapsible?: true;
}

export type Entry<Value = unknown> = Words<Value> &
  (
    | { readonly as?: InputName; readonly choices?: undefined }
    | { readonly as: ChoiceName; readonly choices: Readonly<Record<string, string>> }
  );

export interface ConditionPart<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly entry?: Entry;
  /** Whether the condition's choice in the menu of triggers stands for it. */
  readonly inMenu?: true;
  /** Of ids, which are picked by name: the part that says whose they are. */
  readonly idsOf?: string;
}

export function field<S extends z.ZodType>(schema: S, entry: Entry<z.output<S>>): ConditionPart<S> {
  return { schema, entry };
}

type LabelsSchema<L> = z.ZodEnum<{ readonly [K in keyof L & string]: K }>;

/** One of the labels, by its key. */
export function oneOf<const L extends Readonly<Record<string, string>>>(
  choices: L,
  words: Words<keyof L>,
  as: ChoiceName = 'one_of',
): ConditionPart<LabelsSchema<L>> {
  return { schema: keysOf(choices), entry: { ...words, as, choices } };
}

/** The part that the condition's choice in the menu stands for: one of these labels. */
export function inMenu<const L extends object>(labels: L): ConditionPart<LabelsSchema<L>> {
  return { schema: keysOf(labels), inMenu: true };
}

function keysOf<L extends object>(labels: L): LabelsSchema<L> {
  return z.enum(Object.keys(labels)) as never;
}
