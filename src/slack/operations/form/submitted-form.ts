/** A submitted form: read, validated without the account, and the content that a redrawn form keeps of it. Pure. */
import type { ViewOutput } from '@slack/bolt';
import type { InputProblem } from '../../../codereadr/operations/check.js';
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { cut } from '../../block-kit/elements.js';
import { SlackError } from '../../bolt/errors.js';
import type { AnyDraft } from '../../forms/form.js';
import { type FormFile, formStateIn } from '../../forms/view-state.js';
import { largestTextFile, tooLarge } from '../files/files.js';
import { messageOf } from '../form-problems.js';
import { type FormMetadata, operationOf } from '../metadata.js';
import type { Values } from '../types.js';
import { filesIn, type OperationForm, operationForm, pickedIn } from './operation-form.js';
import { allValue, labelIn } from './resources.js';

export interface Submission {
  readonly operation: Operation;
  readonly metadata: FormMetadata;
  readonly builtForm: OperationForm;
  /** The form's contents, without secrets. */
  readonly draft: AnyDraft;
  /** Raw input by block, secrets included. */
  readonly values: Values;
}

/** Reads a submission. A file of an earlier attempt stays, unless a URL replaces it. */
export function submissionIn(view: Pick<ViewOutput, 'state'>, metadata: FormMetadata): Submission {
  const operation = operationOf(metadata);
  const builtForm = operationForm(operation, metadata);
  const { form } = builtForm;
  const state = formStateIn(view);
  const files = Object.entries(metadata.files ?? {}).filter(([name]) => state.text(`u.${name}`).trim() === '');
  return {
    operation,
    metadata,
    builtForm,
    draft: form.entered(state, form.draft({ files: Object.fromEntries(files), values: metadata.usual ?? {} })),
    values: { ...byBlock(metadata.usual), ...form.read(state, {}) },
  };
}

function byBlock(usual: FormMetadata['usual'] = {}): Values {
  return Object.fromEntries(Object.entries(usual).map(([name, value]) => [`v.${name}`, value]));
}

/** Problems with the size of files, which validation cannot know before they are read. */
export function fileProblems({ operation, builtForm, draft }: Submission): readonly InputProblem[] {
  return Object.entries(filesIn(builtForm, draft)).flatMap(([name, { size }]) => {
    const param = operation.input[name];
    const most = param?.type === 'file' ? param.maxBytes : largestTextFile;
    return size > most ? [{ param: name, path: name, message: tooLarge(size, most), apiCode: '105' }] : [];
  });
}

const longestError = 500;

/** Errors by block. The problem of a parameter without a shown input goes under the first input, with its label. */
export function fieldErrors(
  { blocks }: Pick<ViewOutput, 'blocks'>,
  operation: Operation,
  problems: readonly InputProblem[],
): Record<string, string> {
  const inputs = blocks.flatMap((block) =>
    block.type === 'input' && 'block_id' in block ? [String(block.block_id)] : [],
  );
  const [firstInput] = inputs;
  if (firstInput === undefined) {
    throw new SlackError('slack.state', `form without inputs has problems: ${operationName(operation)}`);
  }
  const errors: Record<string, string> = {};
  for (const problem of problems) {
    const ownInput = `v.${problem.param}`;
    const input = inputs.includes(ownInput) ? ownInput : firstInput;
    const message =
      input === ownInput ? messageOf(problem) : `${labelIn(operation, problem.param)}: ${messageOf(problem)}`;
    errors[input] ??= cut(message, longestError);
  }
  return errors;
}

/** The file to upload, and its size limit in bytes. */
export function fileGiven({ builtForm: { params }, draft }: Submission) {
  for (const { name, param } of params) {
    const file = draft[`v.${name}`] as FormFile | undefined;
    if (param.type === 'file' && file) {
      return { name, file, maxBytes: param.maxBytes };
    }
  }
  return undefined;
}

/** The input that a redrawn form keeps: everything but secrets. */
export function redrawInput({ operation, metadata, builtForm, draft }: Submission) {
  const files = filesIn(builtForm, draft);
  return {
    operation,
    draft,
    metadata: { ...metadata, files: Object.keys(files).length > 0 ? files : undefined },
  };
}

/** Names of the submitted ids, as the form showed them: reading them costs no call. */
export function namesIn({ metadata, builtForm, draft }: Submission): Readonly<Record<string, string>> {
  const locked = Object.entries(metadata.locked ?? {}).map(([name, { shown }]): [string, string] => [name, shown]);
  const picked = builtForm.params.flatMap((each): [string, string][] => {
    const names = pickedIn(each, draft).map(({ text, value = '' }) =>
      value === allValue ? text.text : `${text.text} (ID ${value})`,
    );
    return names.length > 0 ? [[each.name, names.join(', ')]] : [];
  });
  return Object.fromEntries([...locked, ...picked]);
}
