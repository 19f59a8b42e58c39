/** The modal of an operation, built from its declaration and the known values. Pure. */

import type { InputProblem } from '../../../codereadr/operations/check.js';
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  type ModalView,
  modalView,
  plain,
} from '../../block-kit/elements.js';
import { barcodeElement, bold, richText, textElement } from '../../block-kit/text.js';
import { type FormMetadata, formMetadata } from '../metadata.js';
import type { InputContents } from './input-values.js';
import { fileOf, pickedOf } from './input-values.js';
import { clearBlock, inputBlock, linkBlock, textFileBlock } from './inputs.js';
import { type Group, layOut, modeOf, type VisibleField } from './layout.js';
import type { Lists } from './pick-input.js';
import { labelIn } from './resources.js';

export interface FormSpec {
  readonly operation: Operation;
  readonly metadata: FormMetadata;
  readonly entered: InputContents;
  /** By group: the fields chosen to be emptied. */
  readonly clears?: InputContents;
  readonly lists: Lists;
  /** Shown above their fields. */
  readonly problems?: readonly InputProblem[];
  /** Shown on top: it concerns the whole form. */
  readonly formProblem?: string | undefined;
}

const longestLine = 600;
/** More would not be read, and a view holds 100 blocks. */
const mostProblems = 20;

export function formView(given: FormSpec): ModalView {
  const spec = { ...given, problems: given.problems?.slice(0, mostProblems) };
  const { operation, metadata } = spec;
  const groups = layOut(operation, metadata, spec.entered, spec.clears);
  const seen = new Set(groups.flatMap((group) => group.seen.map(({ field }) => field.name)));
  const unplaced = (spec.problems ?? []).filter(({ param }) => !seen.has(param));
  const top = [
    ...(spec.formProblem === undefined ? [] : [spec.formProblem]),
    ...unplaced.map((problem) => lineOf(operation, problem)),
  ];
  const blocks: Block[] = [
    ...top.map(warning),
    ...lockedBlocks(operation, metadata),
    ...introBlocks(operation, metadata),
    ...groups.flatMap((group) => groupBlocks(group, spec)),
  ];
  // No divider at the top: there is nothing above to divide.
  if (blocks[0]?.type === 'divider') {
    blocks.shift();
  }
  return modalView(
    operation.title,
    blocks.length > 0 ? blocks : [richText([textElement('There are no options for this operation.')])],
    {
      callback_id: operation.effect === 'read' ? 'form.read' : 'form.change',
      submit: submitLabel(operation),
      private_metadata: formMetadata.write(metadata),
    },
  );
}

/** The first step of a change: which item. */
export function chooseView(spec: FormSpec, keys: readonly string[]): ModalView {
  const { operation, metadata } = spec;
  const groups = layOut(operation, metadata, spec.entered);
  const seen = groups.flatMap((group) => group.seen).filter(({ field }) => keys.includes(field.name));
  const unplaced = (spec.problems ?? []).filter(({ param }) => !keys.includes(param));
  const top = [
    ...(spec.formProblem === undefined ? [] : [spec.formProblem]),
    ...unplaced.map((problem) => lineOf(operation, problem)),
  ];
  return modalView(
    operation.title,
    [...top.map(warning), ...lockedBlocks(operation, metadata), ...seen.flatMap((each) => fieldBlocks(each, spec))],
    { callback_id: 'form.choose', submit: 'Next', private_metadata: formMetadata.write(metadata) },
  );
}

function submitLabel({ effect, host }: Operation): string {
  if (host === 'generator') {
    return 'Create';
  }
  return effect === 'read' ? 'Search' : effect === 'write' ? 'Save' : 'Continue';
}

function lockedBlocks(operation: Operation, { locked = {} }: FormMetadata): Block[] {
  const lines = Object.entries(locked).map(([name, { raw, label, shown }]) => [
    textElement(`${label}: `),
    operation.input[name]?.type === 'barcode' ? barcodeElement(String(raw)) : bold(shown),
  ]);
  return lines.length > 0 ? [richText(...lines)] : [];
}

function introBlocks(operation: Operation, metadata: FormMetadata): Block[] {
  const lines = [
    ...(modeOf(operation, metadata) === 'change' ? ['Only the fields you edit are changed.'] : []),
    ...(operation.effect === 'delete' ? ['Before anything is deleted, you’ll see what it affects.'] : []),
  ];
  const resets = Object.values(operation.input).some((param) => param.resetWhenOmitted);
  return [
    ...(lines.length > 0 ? [richText(...lines.map((line) => [textElement(line)]))] : []),
    ...(resets ? [resetWarning(operation)] : []),
  ];
}

/** The account does not return such a setting, and resets it with every change that omits it. */
function resetWarning(operation: Operation): Block {
  const names = Object.entries(operation.input)
    .filter(([, param]) => param.resetWhenOmitted)
    .map(([name, param]) => param.label ?? name);
  return warning(
    `Saving resets the ${names.join(' and ')} unless you choose them here. The account doesn’t return their current values.`,
  );
}

function groupBlocks(group: Group, spec: FormSpec): Block[] {
  const { heading, seen, clearable, folded } = group;
  if (seen.length === 0 && folded === 0) {
    return [];
  }
  const more = folded > 0 ? [moreButton(heading)] : [];
  const clear = clearable.length > 0 ? [clearBlock(heading, clearable, pickedOf(spec.clears?.[heading]))] : [];
  const head: Block[] = heading === '' ? [] : [divider, { type: 'header', text: plain(heading) }];
  return [...head, ...seen.flatMap((each) => fieldBlocks(each, spec)), ...clear, ...more];
}

function moreButton(heading: string): Block {
  const text = heading === '' ? 'More settings' : `More settings: ${heading}`;
  return actions([button(text, 'form.more', { value: `g.${heading}` })], `g.${heading}`);
}

function fieldBlocks({ field, fileToo }: VisibleField, spec: FormSpec): Block[] {
  const { metadata, entered, lists, problems = [] } = spec;
  const earlierFile = metadata.files?.[field.name]?.name ?? fileOf(entered[field.name])?.name;
  const isUnknown = modeOf(spec.operation, metadata) === 'change' && metadata.told?.[field.name] === undefined;
  const isText = field.kind.kind === 'line' || field.kind.kind === 'lines' || field.kind.kind === 'number';
  // One problem at a time: a second often says the same again.
  const wrong = problems.find(({ param }) => param === field.name);
  return [
    ...(wrong ? [warning(wrong.message)] : []),
    inputBlock(field, {
      content: entered[field.name],
      lists,
      now: metadata.now?.[field.name],
      earlierFile: field.kind.kind === 'file' ? earlierFile : undefined,
      placeholder: isUnknown && isText && !field.required ? 'Unchanged' : undefined,
    }),
    ...(fileToo ? [textFileBlock(field, earlierFile)] : []),
    ...(field.kind.kind === 'file' && field.kind.url ? [linkBlock(field, entered[field.name])] : []),
  ];
}

function lineOf(operation: Operation, { param, message }: InputProblem): string {
  return `${labelIn(operation, param)}: ${message}`;
}

function warning(line: string): Block {
  return richText([{ type: 'emoji', name: 'warning' }, textElement(' '), bold(cut(line, longestLine))]);
}

export function startingMetadata(operation: Operation, more: Omit<FormMetadata, 'op'>): FormMetadata {
  return { op: operationName(operation), ...more };
}
