/**
 * The form engine. A field is declared once: its input, label and hint, its path in the settings, and when it is shown.
 * The form draws the fields, carries what was entered across rerenders, reads values or errors and writes settings.
 */
import { varyingBlock } from '../block-kit/block-names.js';
import type { Block } from '../block-kit/elements.js';
import { type PathOf, valueAt, withValue } from './path.js';
import type { Errors, FormState } from './view-state.js';

/** What is drawn around an input. `name` is its block: Slack keeps the entered value while the name stays. */
export interface Frame {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: boolean | undefined;
  /** Whether a change of the input rerenders the form. */
  readonly rerenders?: boolean | undefined;
  readonly action: string;
}

/** A kind of input. `Draft`: its content while the form is open. `Value`: its valid content. */
export interface Kind<Draft, Value = Draft> {
  /** The input's content before anything was entered or stored. */
  readonly blank: Draft;
  /** The content that reads as this value, where content and value differ in type. */
  content?(value: Value): Draft;
  draw(frame: Frame, draft: Draft): Block | readonly Block[];
  /** The entered content; `before` if the input was not in the form. A blank choice may count as `before`, too. */
  entered(state: FormState, name: string, before: Draft): Draft;
  /** The entered value; where nothing was entered, an empty text or list, or undefined. A fault adds an error. */
  read(state: FormState, name: string, errors: Errors): Value | undefined;
}

/** The contents of all fields: a label, a hint or the visibility of a field may depend on its neighbors. */
export type AnyDraft = Readonly<Record<string, unknown>>;

export interface FieldSpec<Source, Draft> {
  readonly label: string | ((draft: AnyDraft) => string);
  readonly hint?: string | ((draft: AnyDraft) => string | undefined);
  readonly optional?: boolean | ((draft: AnyDraft) => boolean);
  readonly rerenders?: boolean;
  /** The path of the field's value in what the form was opened on: `atMost.n`. The value is read there, and written. */
  readonly path?: string;
  /** The field’s content where the path holds no value; blank if unset. */
  readonly initial?: NoInfer<Draft>;
  /** The field’s content in what the form was opened on, where that is not the value at its path. */
  readonly from?: (source: Source) => Draft;
  /** Whether the field is shown; a field without this is always shown. */
  readonly shown?: (draft: AnyDraft) => boolean;
  /** Whether the field may be left out where it would be shown: it then keeps its setting. */
  readonly collapsible?: boolean;
  /** Whether the field keeps its setting where it is not shown, too. */
  readonly keepsHidden?: boolean;
  /** The content that the input depends on: when it changes, the input gets a new block, and Slack drops its value. */
  readonly variesWith?: (draft: AnyDraft) => unknown;
  /** The input's `action_id`, where neither of the form's two fits. */
  readonly action?: string;
}

export interface Field<Source, Draft, Value> extends FieldSpec<Source, Draft> {
  readonly kind: Kind<Draft, Value>;
}

// biome-ignore lint/suspicious/noExplicitAny: a form holds fields of any content
type Any = any;
type AnyField = Field<Any, Any, Any>;
export type Fields = Readonly<Record<string, AnyField>>;
export type DraftOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<Any, infer D, Any> ? D : never };
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<Any, Any, infer V> ? V : never;
};
type SourceOf<F extends Fields> = F[keyof F] extends Field<infer S, Any, Any> ? S : never;

/** Declares fields of a form that is opened on a `Source`. */
export function fieldsOf<Source>() {
  return <Draft, Value>(
    kind: Kind<Draft, Value>,
    spec: FieldSpec<Source, Draft> & { readonly path?: PathOf<Source> },
  ): Field<Source, Draft, Value> => ({ kind, ...spec });
}

/** Shows a field while another one holds one of these values. */
export function when(name: string, ...values: readonly unknown[]): (draft: AnyDraft) => boolean {
  return (draft) => values.includes(draft[name]);
}

export interface FormActions {
  /** The `action_id` of inputs that are read on submission. */
  readonly field: string;
  /** The `action_id` of inputs whose change rerenders the form. */
  readonly rerender: string;
}

export interface Form<F extends Fields, Source> {
  readonly fields: F;
  /** The block of a field, by the field's name. */
  nameOf(field: keyof F & string): string;
  /** The contents with which a form opens; without a source, those of a blank form. */
  draft(source?: Source): DraftOf<F>;
  /** The contents as entered; a field that the form did not show keeps the former content. */
  entered(state: FormState, before?: DraftOf<F>): DraftOf<F>;
  isShown(draft: DraftOf<F>, field: keyof F & string): boolean;
  /** Draws the named fields in this order, leaving out hidden ones. */
  draw(draft: DraftOf<F>, ...names: readonly (keyof F & string)[]): Block[];
  /** The values of the fields that are shown; hidden fields, and collapsible fields that were left out, are absent. */
  read(state: FormState, errors: Errors): ValuesOf<F>;
  /**
   * What the form was opened on, with these values at their paths. A field that is absent from `values` keeps its
   * setting if it is collapsible or keeps it hidden; any other setting without a value, or with '', is removed.
   */
  write<Settings extends object>(before: Settings, values: ValuesOf<F>): Settings;
}

/** Makes a form. `prefix`: a field's block is `prefix.name`, unless a function names it. */
export function createForm<const F extends Fields>(
  prefix: string | ((field: string) => string),
  actions: FormActions,
  fields: F,
): Form<F, SourceOf<F>> {
  const fieldEntries = Object.entries(fields) as [keyof F & string, AnyField][];
  const nameOf = typeof prefix === 'function' ? prefix : (field: string) => `${prefix}.${field}`;
  const isShown = ({ shown }: AnyField, draft: AnyDraft) => shown?.(draft) ?? true;
  const enteredDraft = (state: FormState, before: AnyDraft) =>
    Object.fromEntries(fieldEntries.map(([name, { kind }]) => [name, kind.entered(state, nameOf(name), before[name])]));
  const blank = Object.fromEntries(fieldEntries.map(([name, { kind }]) => [name, kind.blank])) as DraftOf<F>;

  function drawField(fieldName: string, draft: AnyDraft): Block | readonly Block[] {
    const { kind, label, hint, optional, rerenders, variesWith, action } = fields[fieldName]!;
    const frame: Frame = {
      name: variesWith ? varyingBlock(nameOf(fieldName), variesWith(draft)) : nameOf(fieldName),
      label: typeof label === 'function' ? label(draft) : label,
      hint: typeof hint === 'function' ? hint(draft) : hint,
      optional: typeof optional === 'function' ? optional(draft) : optional,
      rerenders,
      action: action ?? (rerenders ? actions.rerender : actions.field),
    };
    return kind.draw(frame, draft[fieldName]);
  }

  function contentIn(source: SourceOf<F>, { kind, from, path, initial = kind.blank }: AnyField): unknown {
    if (from) {
      return from(source);
    }
    const value = path === undefined ? undefined : valueAt(source, path);
    return value === undefined ? initial : kind.content ? kind.content(value) : value;
  }

  return {
    fields,
    nameOf,
    draft: (source) =>
      source === undefined
        ? blank
        : (Object.fromEntries(fieldEntries.map(([name, field]) => [name, contentIn(source, field)])) as DraftOf<F>),
    entered: (state, before = blank) => enteredDraft(state, before) as DraftOf<F>,
    isShown: (draft, name) => isShown(fields[name]!, draft),
    draw: (draft, ...names) =>
      names.filter((name) => isShown(fields[name]!, draft)).flatMap((name) => drawField(name, draft)),
    read(state, errors) {
      const draft = enteredDraft(state, blank);
      const read = fieldEntries
        .filter(([name, field]) => isShown(field, draft) && (!field.collapsible || state.has(nameOf(name))))
        .map(([name, { kind }]) => [name, kind.read(state, nameOf(name), errors)]);
      return Object.fromEntries(read) as ValuesOf<F>;
    },
    write: (before, values) =>
      fieldEntries.reduce(
        (settings, [name, { path, collapsible, keepsHidden }]) =>
          path === undefined || ((collapsible || keepsHidden) && !(name in values))
            ? settings
            : withValue(settings, path, values[name]),
        before,
      ),
  };
}
