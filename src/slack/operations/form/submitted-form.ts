/** A submitted form: read, validated without the account, and what a redrawn form keeps of it. Pure. */
import type { InputProblem } from '../../../codereadr/operations/check.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { cut } from '../../block-kit/elements.js';
import { SlackError } from '../../bolt/errors.js';
import type { FormContext } from '../../bolt/routing/context.js';
import { largestTextFile, tooLarge } from '../files/files.js';
import { messageOf } from '../form-problems.js';
import { type FormNotes, formNotes, operationOf } from '../metadata.js';
import { fileOf, type GivenFile, type InputContents, pickedOf } from './input-values.js';
import { withoutSecretEntries } from './layout.js';
import { allValue, labelIn } from './resources.js';
import { readViewState, type SubmittedState } from './view-state.js';

export interface Submission {
  readonly operation: Operation;
  readonly notes: FormNotes;
  readonly sent: SubmittedState;
}

export function submissionIn(view: FormContext['view']): Submission {
  const notes = formNotes.read(view.private_metadata);
  return { operation: operationOf(notes), notes, sent: readViewState(view.state.values) };
}

/** Size limits of files, which validation of the input cannot know before they are read. */
export function fileProblems({ operation, notes, sent }: Submission): readonly InputProblem[] {
  const problem = (param: string, message: string) => [{ param, path: param, message, apiCode: '105' }];
  return Object.entries(operation.input).flatMap(([name, param]) => {
    const given = fileOf(sent.entered[name]) ?? sent.textFiles[name] ?? keptFile(notes, sent, name);
    const most = param.type === 'file' ? param.maxBytes : largestTextFile;
    return given && given.size > most ? problem(name, tooLarge(given.size, most)) : [];
  });
}

/** A file of an earlier attempt, unless a URL replaced it. */
function keptFile(notes: FormNotes, sent: SubmittedState, name: string): GivenFile | undefined {
  return sent.links[name] === undefined ? notes.files?.[name] : undefined;
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
    throw new SlackError('slack.state', 'a form without inputs has problems');
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
export function fileGiven({ operation, notes, sent }: Submission) {
  for (const [name, param] of Object.entries(operation.input)) {
    const file = fileOf(sent.entered[name]) ?? keptFile(notes, sent, name);
    if (param.type === 'file' && file) {
      return { name, file, maxBytes: param.maxBytes };
    }
  }
  return undefined;
}

/** What a redrawn form keeps: everything but secrets; files by name. */
export function keptInput({ operation, notes, sent }: Submission): {
  entered: InputContents;
  clears: InputContents;
  notes: FormNotes;
} {
  const given = Object.entries(sent.entered).flatMap(([name, held]): [string, GivenFile][] => {
    const file = fileOf(held);
    return file ? [[name, file]] : [];
  });
  const kept = Object.entries(notes.files ?? {}).filter(([name]) => keptFile(notes, sent, name));
  const files = { ...Object.fromEntries(kept), ...Object.fromEntries(given), ...sent.textFiles };
  return {
    entered: withoutSecretEntries(operation, sent.entered),
    clears: sent.clears,
    notes: { ...notes, files: Object.keys(files).length > 0 ? files : undefined },
  };
}

/** Names of the submitted ids, as the form showed them: costs no call. */
export function namesIn({ operation, notes, sent }: Submission): Readonly<Record<string, string>> {
  const locked = Object.entries(notes.locked ?? {}).map(([name, { shown }]): [string, string] => [name, shown]);
  const picked = Object.entries(sent.entered).flatMap(([name, held]): [string, string][] => {
    const param = operation.input[name];
    const options = param?.type === 'id' || param?.type === 'ids' ? pickedOf(held) : [];
    const names = options.map(({ text, value = '' }) =>
      value === allValue ? text.text : `${text.text} (ID ${value})`,
    );
    return names.length > 0 ? [[name, names.join(', ')]] : [];
  });
  return Object.fromEntries([...locked, ...picked]);
}
