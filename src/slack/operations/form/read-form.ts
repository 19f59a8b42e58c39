/**
 * The conversion of a form's content to its operation's input, validated. A change contains only changed values. Pure.
 */

import { currentReaderOf } from '../../../codereadr/current-values.js';
import { type InputProblem, parseInput } from '../../../codereadr/operations/check.js';
import type { FileInput, Operation } from '../../../codereadr/operations/operation.js';
import { isPlainPage, notPlainPage } from '../../../codereadr/operations/page.js';
import { type FormMetadata, markOf } from '../metadata.js';
import { type InputField, keepChoice } from './input-kind.js';
import { fileOf, type GivenFile, type InputContent, pickedOf, textOf, toRaw } from './input-values.js';
import { fieldsOf, modeOf } from './layout.js';
import { ownProblems } from './limits.js';
import { labelIn } from './resources.js';
import type { SubmittedState } from './view-state.js';

export type Read =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** `texts`: contents of files given for texts; a file that is not read yet counts as given. */
export function inputOf(
  operation: Operation,
  metadata: FormMetadata,
  state: SubmittedState,
  { now, texts = {} }: { readonly now: number; readonly texts?: Readonly<Record<string, string>> },
): Read {
  const problems: InputProblem[] = [];
  const raw: Record<string, unknown> = {};
  let changed = false;
  const mode = modeOf(operation, metadata);
  const emptied = new Set(
    Object.values(state.clears).flatMap((content) => pickedOf(content).map(({ value }) => value ?? '')),
  );
  for (const field of fieldsOf(operation, metadata)) {
    const given = fieldValue(field, metadata, state, texts, emptied.has(field.name));
    if ('problem' in given) {
      problems.push({ param: field.name, path: field.name, message: given.problem });
    } else if (given.value !== undefined) {
      raw[field.name] = given.value;
    }
    changed ||= 'changed' in given && given.changed;
  }
  for (const [name, { raw: value }] of Object.entries(metadata.locked ?? {})) {
    raw[name] = value;
  }
  if (mode === 'change' && problems.length === 0) {
    if (!changed) {
      const [first] = fieldsOf(operation, metadata);
      problems.push(problem(first?.name ?? '', 'Nothing has changed. Edit a field or cancel.'));
    }
    problems.push(...createProblems(operation, metadata, raw));
  }
  problems.push(...trimProblems(operation, raw));
  const parsed = parseInput(operation, raw, { now });
  problems.push(...ownProblems(operation, parsed.ok ? (parsed.input as Readonly<Record<string, unknown>>) : raw));
  const all = parsed.ok ? problems : [...problems, ...parsed.problems.filter((each) => !hasProblem(each, problems))];
  return parsed.ok && all.length === 0
    ? { ok: true, input: parsed.input as Readonly<Record<string, unknown>> }
    : { ok: false, problems: all };
}

function hasProblem({ param }: InputProblem, problems: readonly InputProblem[]): boolean {
  return problems.some((each) => each.param === param);
}

function problem(param: string, message: string, apiCode?: string): InputProblem {
  return { param, path: param, message: message, ...(apiCode === undefined ? {} : { apiCode }) };
}

type Value = { readonly value: unknown; readonly changed: boolean } | { readonly problem: string };

function fieldValue(
  field: InputField,
  metadata: FormMetadata,
  { entered, textFiles, links }: SubmittedState,
  texts: Readonly<Record<string, string>>,
  emptied: boolean,
): Value {
  const content = entered[field.name];
  const link = links[field.name];
  if (link !== undefined && fileOf(content)) {
    return { problem: 'Choose a file or enter its URL, not both.' };
  }
  const raw =
    field.kind.kind === 'file' && link === undefined
      ? placeholderOf(fileOf(content) ?? metadata.files?.[field.name])
      : toRaw(field, content);
  const currentHash = metadata.told?.[field.name];
  const same = currentHash !== undefined && markOf(asMarked(field, content)) === currentHash;
  const file = textFiles[field.name] ?? (field.byFile ? metadata.files?.[field.name] : undefined);
  if (file) {
    return raw !== undefined && !same
      ? { problem: 'Enter text or choose a file, not both.' }
      : { value: texts[field.name] ?? unreadText(field), changed: true };
  }
  if (emptied) {
    return raw !== undefined
      ? { problem: 'This is filled in and also chosen under “Fields to clear”. Choose one of the two.' }
      : { value: field.param.resetWhenOmitted ? undefined : '', changed: true };
  }
  if (currentHash === undefined) {
    return { value: raw, changed: raw !== undefined };
  }
  if (same) {
    return { value: field.required ? raw : undefined, changed: false };
  }
  if (raw === undefined) {
    return field.clearable ? { value: '', changed: true } : { problem: 'This field can’t be empty.' };
  }
  return { value: raw, changed: true };
}

/** The file is read during the upload; before that only its name is checked. */
function placeholderOf(file: GivenFile | undefined): FileInput | undefined {
  return file && { name: file.name, type: file.type, content: new Uint8Array() };
}

/** Passes validation until the file is read. */
function unreadText({ param }: InputField): string {
  return param.type === 'json' ? '{}' : 'a file';
}

/** The same text that `markOf` received for the account's value. */
export function asMarked(field: InputField, content: InputContent | undefined): string {
  switch (field.kind.kind) {
    case 'choice':
    case 'resource':
      return pickedOf(content)[0]?.value ?? keepChoice;
    default:
      return textOf(content);
  }
}

/** The conditions of the create operation hold for changes too. */
function createProblems(
  operation: Operation,
  metadata: FormMetadata,
  raw: Readonly<Record<string, unknown>>,
): readonly InputProblem[] {
  const maker = currentReaderOf(operation)?.createdBy;
  if (!maker) {
    return [];
  }
  return Object.entries(maker.input).flatMap(([name, { requiredWhen, pageWhen, requires, requiresCode }]) => {
    const page = pageWhen && metadata.fixed?.[pageWhen.param];
    if (page !== undefined && pageWhen?.is.includes(page) && !isPlainPage(String(raw[name] ?? ''))) {
      return [problem(name, notPlainPage, pageWhen.code)];
    }
    const decided = requiredWhen && metadata.fixed?.[requiredWhen.param];
    if (raw[name] === '' && decided !== undefined && requiredWhen?.is.includes(decided)) {
      return [problem(name, 'This type of service requires it.', requiredWhen.code)];
    }
    // An operation's own cross-field rules are checked with its input.
    const isSwitchedOn = raw[name] === true || raw[name] === '1';
    const others = operation.input[name]?.requires ? [] : (requires ?? []);
    const lacking = others.filter(
      (other) => raw[other] === '' || (raw[other] === undefined && !isSet(metadata, other)),
    );
    return isSwitchedOn && lacking.length > 0
      ? [
          problem(
            name,
            `This requires ${lacking.map((other) => labelIn(operation, other)).join(' and ')}.`,
            requiresCode,
          ),
        ]
      : [];
  });
}

function isSet(metadata: FormMetadata, name: string): boolean {
  return metadata.told?.[name] !== undefined || metadata.now?.[name] !== undefined;
}

/** A barcode with outer spaces, and a service set to trim: one of the two is a mistake. */
function trimProblems(operation: Operation, raw: Readonly<Record<string, unknown>>): readonly InputProblem[] {
  const { value, trim_value: trim } = raw;
  const cuts = operation.input.trim_value !== undefined && trim !== false && trim !== '0';
  return cuts && typeof value === 'string' && operation.input.value?.type === 'barcode' && value.trim() !== value
    ? [
        problem(
          'value',
          'This starts or ends with a space, which “Trim spaces” would remove. Turn that off or remove the space.',
        ),
      ]
    : [];
}
