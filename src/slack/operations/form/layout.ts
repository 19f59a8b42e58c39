/**
 * The layout of a form: which inputs show, under which headings. Plain ones always show, advanced ones for one
 * group at a time; an input that holds something always shows. Pure.
 */

import { currentReaderOf } from '../../../codereadr/current-values.js';
import type { Operation, Param } from '../../../codereadr/operations/operation.js';
import type { FormMetadata } from '../metadata.js';
import { type FormMode, fieldOf, type InputField } from './input-kind.js';
import { type InputContents, pickedOf, toRaw } from './input-values.js';

export interface VisibleField {
  readonly field: InputField;
  /** The file input for a long text shows too. */
  readonly fileToo: boolean;
}

export interface Group {
  /** Empty for fields without a heading. */
  readonly heading: string;
  readonly seen: readonly VisibleField[];
  /** Fields that can be emptied. */
  readonly clearable: readonly InputField[];
  /** Number of folded inputs. */
  readonly folded: number;
}

export function modeOf(operation: Operation, metadata: Pick<FormMetadata, 'told'>): FormMode {
  const asks = operation.effect === 'read' && operation.host !== 'generator';
  return asks ? 'ask' : metadata.told ? 'change' : 'new';
}

/** All fields this form can show: without those already chosen and those that do not apply. */
export function fieldsOf(
  operation: Operation,
  metadata: Pick<FormMetadata, 'told' | 'locked' | 'fixed'>,
): readonly InputField[] {
  const mode = modeOf(operation, metadata);
  return Object.keys(operation.input)
    .filter((name) => metadata.locked?.[name] === undefined && !isRuledOut(operation, name, metadata.fixed))
    .map((name) => fieldOf(operation, name, mode, metadata.told?.[name] !== undefined));
}

/** Conditions of the create operation that exclude a parameter for an item of this kind. */
function isRuledOut(operation: Operation, name: string, fixed: FormMetadata['fixed']): boolean {
  const { onlyWhen } = currentReaderOf(operation)?.createdBy?.input[name] ?? {};
  const decided = onlyWhen && fixed?.[onlyWhen.param];
  return decided !== undefined && !onlyWhen!.is.includes(decided);
}

export function layOut(
  operation: Operation,
  metadata: Pick<FormMetadata, 'told' | 'locked' | 'fixed' | 'open' | 'files'>,
  entered: InputContents,
  clears: InputContents = {},
): readonly Group[] {
  const mode = modeOf(operation, metadata);
  const fields = fieldsOf(operation, metadata);
  const headings = [...new Set(fields.map(({ param }) => param.group ?? ''))];
  return headings.map((heading) => {
    const own = fields.filter(({ param }) => (param.group ?? '') === heading);
    const isOpen = metadata.open === heading;
    const seen = own
      .filter((field) => !field.param.advanced || isOpen || holds(field, entered) || metadata.files?.[field.name])
      .map((field) => ({
        field,
        fileToo: field.byFile && (isOpen || field.required || metadata.files?.[field.name] !== undefined),
      }));
    const unseenFiles = seen.filter(({ field, fileToo }) => field.byFile && !fileToo).length;
    const folded = own.length - seen.length + unseenFiles;
    // Emptying is rare: where a group has folded inputs, it unfolds with them.
    const isShown = folded === 0 || isOpen || pickedOf(clears[heading]).length > 0;
    const clearable = mode === 'change' && isShown ? seen.map(({ field }) => field) : [];
    return { heading, seen, clearable: clearable.filter((field) => needsClearing(field, metadata)), folded };
  });
}

/** A value shown in its input is emptied there; only one the account does not return needs another way. */
function needsClearing(field: InputField, { told }: Pick<FormMetadata, 'told'>): boolean {
  return field.clearable && told?.[field.name] === undefined;
}

function holds(field: InputField, entered: InputContents): boolean {
  return toRaw(field, entered[field.name]) !== undefined;
}

/** Secrets are entered again; they are never shown. */
export function withoutSecretEntries(operation: Operation, entered: InputContents): InputContents {
  const isSecret = (param: Param | undefined) => param?.secret === true;
  return Object.fromEntries(Object.entries(entered).filter(([name]) => !isSecret(operation.input[name])));
}
