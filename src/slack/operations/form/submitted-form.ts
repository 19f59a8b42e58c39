/** A submitted form: read, validated without the account, and what a redrawn form keeps of it. Pure. */
import type { InputProblem } from '../../../codereadr/operations/check.js';
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { cut } from '../../block-kit/elements.js';
import { SlackError } from '../../bolt/errors.js';
import type { FormContext } from '../../bolt/routing/context.js';
import { largestTextFile, tooLarge } from '../files/files.js';
import { messageOf } from '../form-problems.js';
import { type FormMetadata, formMetadata, operationOf } from '../metadata.js';
import { fileOf, type GivenFile, type InputContents, pickedOf } from './input-values.js';
import { withoutSecretEntries } from './layout.js';
import { allValue, labelIn } from './resources.js';
import { readViewState, type SubmittedState } from './view-state.js';

export interface Submission {
  readonly operation: Operation;
  readonly metadata: FormMetadata;
  readonly state: SubmittedState;
}

export function submissionIn(view: FormContext['view']): Submission {
  const metadata = formMetadata.read(view.private_metadata);
  return { operation: operationOf(metadata), metadata, state: readViewState(view.state.values) };
}

/** Size limits of files, which validation of the input cannot know before they are read. */
export function fileProblems({ operation, metadata, state }: Submission): readonly InputProblem[] {
  const problem = (param: string, message: string) => [{ param, path: param, message, apiCode: '105' }];
  return Object.entries(operation.input).flatMap(([name, param]) => {
    const given = fileOf(state.entered[name]) ?? state.textFiles[name] ?? earlierFile(metadata, state, name);
    const most = param.type === 'file' ? param.maxBytes : largestTextFile;
    return given && given.size > most ? problem(name, tooLarge(given.size, most)) : [];
  });
}

/** A file of an earlier attempt, unless a URL replaced it. */
function earlierFile(metadata: FormMetadata, state: SubmittedState, name: string): GivenFile | undefined {
  return state.links[name] === undefined ? metadata.files?.[name] : undefined;
}

const longestError = 500;

/** By block. A problem without a visible input goes under the first one, with its label. */
export function fieldErrors(
  view: FormContext['view'],
  operation: Operation,
  problems: readonly InputProblem[],
): Record<string, string> {
  const inputs = view.blocks.flatMap((block) =>
    block.type === 'input' && 'block_id' in block ? [String(block.block_id)] : [],
  );
  const [first] = inputs;
  if (first === undefined) {
    throw new SlackError('slack.state', `form without inputs has problems: ${operationName(operation)}`);
  }
  const errors: Record<string, string> = {};
  for (const problem of problems) {
    const own = `v.${problem.param}`;
    const at = inputs.includes(own) ? own : first;
    const message = at === own ? messageOf(problem) : `${labelIn(operation, problem.param)}: ${messageOf(problem)}`;
    errors[at] ??= cut(message, longestError);
  }
  return errors;
}

/** The uploaded file, and its size limit in bytes. */
export function fileGiven({ operation, metadata, state }: Submission) {
  for (const [name, param] of Object.entries(operation.input)) {
    const file = fileOf(state.entered[name]) ?? earlierFile(metadata, state, name);
    if (param.type === 'file' && file) {
      return { name, file, maxBytes: param.maxBytes };
    }
  }
  return undefined;
}

/** What a redrawn form keeps: everything but secrets; files by name. */
export function redrawInput({ operation, metadata, state }: Submission): {
  entered: InputContents;
  clears: InputContents;
  metadata: FormMetadata;
} {
  const given = Object.entries(state.entered).flatMap(([name, content]): [string, GivenFile][] => {
    const file = fileOf(content);
    return file ? [[name, file]] : [];
  });
  const earlier = Object.entries(metadata.files ?? {}).filter(([name]) => earlierFile(metadata, state, name));
  const files = { ...Object.fromEntries(earlier), ...Object.fromEntries(given), ...state.textFiles };
  return {
    entered: withoutSecretEntries(operation, state.entered),
    clears: state.clears,
    metadata: { ...metadata, files: Object.keys(files).length > 0 ? files : undefined },
  };
}

/** Names of the submitted ids, as the form showed them: costs no call. */
export function namesIn({ operation, metadata, state }: Submission): Readonly<Record<string, string>> {
  const locked = Object.entries(metadata.locked ?? {}).map(([name, { shown }]): [string, string] => [name, shown]);
  const picked = Object.entries(state.entered).flatMap(([name, content]): [string, string][] => {
    const param = operation.input[name];
    const options = param?.type === 'id' || param?.type === 'ids' ? pickedOf(content) : [];
    const names = options.map(({ text, value = '' }) =>
      value === allValue ? text.text : `${text.text} (ID ${value})`,
    );
    return names.length > 0 ? [[name, names.join(', ')]] : [];
  });
  return Object.fromEntries([...locked, ...picked]);
}
