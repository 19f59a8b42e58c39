/** The reader of an operation's input from its form, validated; a change has changed and required values only. Pure. */
import { currentReaderOf } from '../../../codereadr/current-values.js';
import { type InputProblem, parseInput } from '../../../codereadr/operations/check.js';
import type { FileInput, Operation, Param } from '../../../codereadr/operations/operation.js';
import { isPlainPage, notPlainPage } from '../../../codereadr/operations/page.js';
import type { Option } from '../../block-kit/elements.js';
import type { FormFile } from '../../forms/view-state.js';
import { type FormMetadata, textHash } from '../metadata.js';
import type { Values } from '../types.js';
import { limitProblems } from './limits.js';
import type { ParamField } from './operation-form.js';
import { keepChoice } from './param-kinds.js';
import { labelIn } from './resources.js';
import type { Submission } from './submitted-form.js';

export type ReadInput =
  | { readonly ok: true; readonly input: Values }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

type Texts = Readonly<Record<string, string>>;

/** `texts`: contents of files that stand for text. Until a file is read, a placeholder fills its field. */
export function inputOf(
  submission: Submission,
  { now, texts = {} }: { readonly now: number; readonly texts?: Texts },
): ReadInput {
  const { operation, metadata, builtForm, draft } = submission;
  const problems: InputProblem[] = [];
  const rawInput: Record<string, unknown> = {};
  let isChanged = false;
  const clearedNames = new Set(
    builtForm.groups.flatMap(({ heading }) => (draft[`c.${heading}`] ?? []) as readonly string[]),
  );
  for (const field of builtForm.params) {
    const submittedValue = fieldValue(field, submission, texts, clearedNames.has(field.name));
    if ('problem' in submittedValue) {
      problems.push({ param: field.name, path: field.name, message: submittedValue.problem });
    } else if (submittedValue.value !== undefined) {
      rawInput[field.name] = submittedValue.value;
    }
    isChanged ||= 'changed' in submittedValue && submittedValue.changed;
  }
  for (const [name, { raw: value }] of Object.entries(metadata.locked ?? {})) {
    rawInput[name] = value;
  }
  if (builtForm.mode === 'change' && problems.length === 0) {
    if (!isChanged) {
      problems.push(problem(builtForm.params[0]?.name ?? '', 'Nothing has changed. Edit a field or cancel.'));
    }
    problems.push(...createProblems(operation, metadata, rawInput));
  }
  problems.push(...trimProblems(operation, rawInput));
  const parsed = parseInput(operation, rawInput, { now });
  problems.push(...limitProblems(operation, parsed.ok ? (parsed.input as Values) : rawInput));
  const faults = parsed.ok ? problems : [...problems, ...parsed.problems.filter((each) => !hasProblem(each, problems))];
  return parsed.ok && faults.length === 0
    ? { ok: true, input: parsed.input as Values }
    : { ok: false, problems: faults };
}

function hasProblem({ param }: InputProblem, problems: readonly InputProblem[]): boolean {
  return problems.some((each) => each.param === param);
}

function problem(param: string, message: string, apiCode?: string): InputProblem {
  return { param, path: param, message, ...(apiCode === undefined ? {} : { apiCode }) };
}

type Value = { readonly value: unknown; readonly changed: boolean } | { readonly problem: string };

function fieldValue(field: ParamField, submission: Submission, texts: Texts, isCleared: boolean): Value {
  const { metadata, draft, values } = submission;
  const { name, param } = field;
  const draftValue = draft[`v.${name}`];
  const rawValue = param.type === 'file' ? fileValue(submission, name, param) : values[`v.${name}`];
  if (rawValue === fileAndUrl) {
    return { problem: 'Choose a file or enter its URL, not both.' };
  }
  const currentHash = metadata.told?.[name];
  const isUnchanged = currentHash !== undefined && textHash(textToHash(draftValue)) === currentHash;
  if (draft[`f.${name}`]) {
    return rawValue !== undefined && !isUnchanged
      ? { problem: 'Enter text or choose a file, not both.' }
      : { value: texts[name] ?? unreadText(field), changed: true };
  }
  if (isCleared) {
    return rawValue !== undefined
      ? { problem: 'This is filled in and also chosen under “Fields to clear”. Choose one of the two.' }
      : { value: param.resetWhenOmitted ? undefined : '', changed: true };
  }
  if (currentHash === undefined) {
    return { value: rawValue, changed: rawValue !== undefined };
  }
  if (isUnchanged) {
    return { value: param.required ? rawValue : undefined, changed: false };
  }
  if (rawValue === undefined) {
    return field.clearable ? { value: '', changed: true } : { problem: 'This field can’t be empty.' };
  }
  return { value: rawValue, changed: true };
}

const fileAndUrl = Symbol('a file and its URL');

/** The value of a file field. The file is read during the upload; before that, only its name is checked. */
function fileValue(
  { draft }: Submission,
  name: string,
  param: FileParam,
): FileInput | string | undefined | typeof fileAndUrl {
  const file = draft[`v.${name}`] as FormFile | undefined;
  const url = String(draft[`u.${name}`] ?? '').trim();
  if (file && url !== '') {
    return fileAndUrl;
  }
  return file ? { name: nameSent(param, file.name), type: file.type, content: new Uint8Array() } : url || undefined;
}

type FileParam = Extract<Param, { type: 'file' }>;

/** The name that a file is sent under: a file that the form converts gets the suffix of what it becomes. */
export function nameSent({ suffixes, converted = [] }: FileParam, name: string): string {
  const suffix = converted.find((each) => name.toLowerCase().endsWith(each));
  return suffix === undefined ? name : `${name.slice(0, -suffix.length)}${suffixes[0] ?? ''}`;
}

/** The placeholder for a text in a file, which passes validation until the file is read. */
function unreadText({ param }: ParamField): string {
  return param.type === 'json' ? '{}' : 'a file';
}

/** An input's content as the text that `textHash` hashes. */
export function textToHash(draft: unknown): string {
  return typeof draft === 'object' ? ((draft as Option).value ?? keepChoice) : String(draft ?? keepChoice);
}

/** The problems that the create operation's conditions find, which hold for changes too. */
function createProblems(operation: Operation, metadata: FormMetadata, rawInput: Values): readonly InputProblem[] {
  const maker = currentReaderOf(operation)?.createdBy;
  if (!maker) {
    return [];
  }
  return Object.entries(maker.input).flatMap(([paramName, { requiredWhen, pageWhen, requires, requiresCode }]) => {
    const page = pageWhen && metadata.fixed?.[pageWhen.param];
    if (page !== undefined && pageWhen?.is.includes(page) && !isPlainPage(String(rawInput[paramName] ?? ''))) {
      return [problem(paramName, notPlainPage, pageWhen.code)];
    }
    const fixedValue = requiredWhen && metadata.fixed?.[requiredWhen.param];
    if (rawInput[paramName] === '' && fixedValue !== undefined && requiredWhen?.is.includes(fixedValue)) {
      return [problem(paramName, 'This type of service requires it.', requiredWhen.code)];
    }
    // Only parameters switched on are checked here: `parseInput` checks the operation's own cross-field rules.
    const isSwitchedOn = rawInput[paramName] === true || rawInput[paramName] === '1';
    const otherNames = operation.input[paramName]?.requires ? [] : (requires ?? []);
    const lackingNames = otherNames.filter(
      (other) => rawInput[other] === '' || (rawInput[other] === undefined && !isSet(metadata, other)),
    );
    return isSwitchedOn && lackingNames.length > 0
      ? [
          problem(
            paramName,
            `This requires ${lackingNames.map((other) => labelIn(operation, other)).join(' and ')}.`,
            requiresCode,
          ),
        ]
      : [];
  });
}

function isSet(metadata: FormMetadata, name: string): boolean {
  return metadata.told?.[name] !== undefined || metadata.now?.[name] !== undefined;
}

/** The problem of a barcode with outer spaces while “Trim spaces” is on: one of the two is a mistake. */
function trimProblems(operation: Operation, rawInput: Values): readonly InputProblem[] {
  const { value, trim_value: trim } = rawInput;
  const willTrim = operation.input.trim_value !== undefined && trim !== false && trim !== '0';
  return willTrim && typeof value === 'string' && operation.input.value?.type === 'barcode' && value.trim() !== value
    ? [
        problem(
          'value',
          'This starts or ends with a space, which “Trim spaces” would remove. Turn that off or remove the space.',
        ),
      ]
    : [];
}
