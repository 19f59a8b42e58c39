/**
 * Owns which inputs of an operation are seen, under which headings: the plain ones always, the advanced ones of one group
 * at a time, and whatever holds something. So a form stays readable, and nothing that was entered is ever folded away. Pure.
 */

import { currentOf } from '../../../codereadr/current.js';
import type { Operation, Param } from '../../../codereadr/operations/operation.js';
import type { FormNotes } from '../metadata.js';
import { type EnteredInputs, pickedOf, rawOf } from './held.js';
import { type FormMode, fieldOf, type InputField } from './input-kind.js';

export interface VisibleField {
  readonly field: InputField;
  /** The text can be given as a file, and the input for it is seen. */
  readonly fileToo: boolean;
}

export interface Group {
  /** Empty for what stands without a heading. */
  readonly heading: string;
  readonly seen: readonly VisibleField[];
  /** Fields of it that can be emptied. */
  readonly clearable: readonly InputField[];
  /** How many inputs are folded away. */
  readonly folded: number;
}

export function modeOf(operation: Operation, notes: Pick<FormNotes, 'told'>): FormMode {
  const asks = operation.effect === 'read' && operation.host !== 'generator';
  return asks ? 'ask' : notes.told ? 'change' : 'new';
}

/** Every field that this form can have, seen or not: without what was chosen before, and what does not go with it. */
export function fieldsOf(
  operation: Operation,
  notes: Pick<FormNotes, 'told' | 'locked' | 'fixed'>,
): readonly InputField[] {
  const mode = modeOf(operation, notes);
  return Object.keys(operation.input)
    .filter((name) => notes.locked?.[name] === undefined && !isRuledOut(operation, name, notes.fixed))
    .map((name) => fieldOf(operation, name, mode, notes.told?.[name] !== undefined));
}

/** What the maker's conditions forbid for a thing of this kind. */
function isRuledOut(operation: Operation, name: string, fixed: FormNotes['fixed']): boolean {
  const { onlyWhen } = currentOf(operation)?.madeBy?.input[name] ?? {};
  const decided = onlyWhen && fixed?.[onlyWhen.variable];
  return decided !== undefined && !onlyWhen!.is.includes(decided);
}

export function layOut(
  operation: Operation,
  notes: Pick<FormNotes, 'told' | 'locked' | 'fixed' | 'open' | 'files'>,
  entered: EnteredInputs,
  clears: EnteredInputs = {},
): readonly Group[] {
  const mode = modeOf(operation, notes);
  const fields = fieldsOf(operation, notes);
  const headings = [...new Set(fields.map(({ variable }) => variable.group ?? ''))];
  return headings.map((heading) => {
    const own = fields.filter(({ variable }) => (variable.group ?? '') === heading);
    const isOpen = notes.open === heading;
    const seen = own
      .filter((field) => !field.variable.advanced || isOpen || holds(field, entered) || notes.files?.[field.name])
      .map((field) => ({
        field,
        fileToo: field.byFile && (isOpen || field.required || notes.files?.[field.name] !== undefined),
      }));
    const unseenFiles = seen.filter(({ field, fileToo }) => field.byFile && !fileToo).length;
    const folded = own.length - seen.length + unseenFiles;
    // To empty something is rare: where there is more to unfold, it is unfolded with that.
    const isShown = folded === 0 || isOpen || pickedOf(clears[heading]).length > 0;
    const clearable = mode === 'change' && isShown ? seen.map(({ field }) => field) : [];
    return { heading, seen, clearable: clearable.filter((field) => needsClearing(field, notes)), folded };
  });
}

/** What stands in its input is emptied there; only what the account does not tell needs another way. */
function needsClearing(field: InputField, { told }: Pick<FormNotes, 'told'>): boolean {
  return field.clearable && told?.[field.name] === undefined;
}

function holds(field: InputField, entered: EnteredInputs): boolean {
  return rawOf(field, entered[field.name]) !== undefined;
}

/** A password that was sent is asked again; nothing shows it. */
export function withoutSecretEntries(operation: Operation, entered: EnteredInputs): EnteredInputs {
  const isSecret = (variable: Param | undefined) => variable?.secret === true;
  return Object.fromEntries(Object.entries(entered).filter(([name]) => !isSecret(operation.input[name])));
}
