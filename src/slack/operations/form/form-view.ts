/** The modal of an operation, built from its declaration and the known values. Pure. */
import type { InputProblem } from '../../../codereadr/operations/check.js';
import { databases } from '../../../codereadr/operations/index.js';
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
import { noticeBlocks } from '../../block-kit/notice.js';
import { barcodeElement, bold, type Line, richText } from '../../block-kit/text.js';
import { encode } from '../../bolt/metadata.js';
import type { AnyDraft } from '../../forms/form.js';
import { type FormMetadata, formModal } from '../metadata.js';
import { type Group, type OperationForm, operationForm, type ParamField } from './operation-form.js';
import type { Menus } from './param-kinds.js';
import { labelIn } from './resources.js';

export interface FormSpec {
  readonly operation: Operation;
  readonly metadata: FormMetadata;
  /** The contents of the form's fields; blank if absent. */
  readonly draft?: AnyDraft;
  readonly menus: Menus;
  /** Problems, each shown above its field, or on top where the form does not show that field. */
  readonly problems?: readonly InputProblem[];
  /** A problem that concerns the whole form, shown on top. */
  readonly formProblem?: Line | undefined;
}

interface Drawing {
  readonly builtForm: OperationForm;
  readonly draft: AnyDraft;
  readonly problems: readonly InputProblem[];
}

const longestLine = 600;
/** The most problems shown: nobody reads more of them, and a view holds 100 blocks. */
const mostProblems = 20;

export function formView(spec: FormSpec): ModalView {
  const { operation, metadata } = spec;
  const drawing = drawingOf(spec);
  const { builtForm } = drawing;
  const blocks: Block[] = [
    ...topBlocks(spec, drawing, builtForm.params),
    ...introBlocks(operation, builtForm),
    ...builtForm.groups.flatMap((group) => groupBlocks(group, drawing)),
  ];
  // A divider at the top is removed: there is nothing above to divide.
  if (blocks[0]?.type === 'divider') {
    blocks.shift();
  }
  return modalView(
    operation.title,
    blocks.length > 0 ? blocks : [richText('There are no options for this operation.')],
    {
      callback_id: operation.effect === 'read' ? 'form.read' : 'form.change',
      submit: submitLabel(operation),
      private_metadata: encode(formModal, metadata),
    },
  );
}

/** The first step of a change, which asks for the item. */
export function chooseView(spec: FormSpec, keys: readonly string[]): ModalView {
  const { operation, metadata } = spec;
  const drawing = drawingOf(spec);
  const params = drawing.builtForm.params.filter(({ name }) => keys.includes(name));
  return modalView(
    operation.title,
    [...topBlocks(spec, drawing, params), ...params.flatMap((each) => fieldBlocks(each, drawing))],
    { callback_id: 'form.choose', submit: 'Next', private_metadata: encode(formModal, metadata) },
  );
}

function drawingOf({ operation, metadata, draft, menus, problems = [] }: FormSpec): Drawing {
  const builtForm = operationForm(operation, metadata, menus);
  return { builtForm, draft: draft ?? builtForm.form.draft(), problems: problems.slice(0, mostProblems) };
}

/** The blocks on top: the form's problem, those of parameters without a shown field, and the values chosen before. */
function topBlocks(
  { operation, metadata, formProblem }: FormSpec,
  { builtForm, draft, problems }: Drawing,
  params: readonly ParamField[],
): Block[] {
  const placed = params.filter(({ name }) => builtForm.form.isShown(draft, `v.${name}`)).map(({ name }) => name);
  return [
    ...warning(formProblem),
    ...problems
      .filter(({ param }) => !placed.includes(param))
      .flatMap(({ param, message }) => warning(`${labelIn(operation, param)}: ${message}`)),
    ...lockedBlocks(operation, metadata),
  ];
}

function submitLabel(operation: Operation): string {
  const { effect, host } = operation;
  if (host === 'generator') {
    return 'Create';
  }
  // Before an upload there is a question, too.
  const isSaved = effect === 'write' && operation !== databases.upload;
  return effect === 'read' ? 'Search' : isSaved ? 'Save' : 'Continue';
}

function lockedBlocks(operation: Operation, { locked = {} }: FormMetadata): Block[] {
  const lines = Object.entries(locked).map(([name, { raw, label, shown }]) => [
    `${label}: `,
    operation.input[name]?.type === 'barcode' ? barcodeElement(String(raw)) : bold(shown),
  ]);
  return lines.length > 0 ? [richText(...lines)] : [];
}

function introBlocks(operation: Operation, { mode }: OperationForm): Block[] {
  const lines = [
    ...(mode === 'change' ? ['Only the fields you edit are changed.'] : []),
    ...(operation.effect === 'delete' ? ['Before anything is deleted, you’ll see what it affects.'] : []),
  ];
  const resets = Object.values(operation.input).some((param) => param.resetWhenOmitted);
  return [...(lines.length > 0 ? [richText(...lines)] : []), ...(resets ? resetWarning(operation) : [])];
}

/** The warning about settings that the account does not return, and resets with every change that omits them. */
function resetWarning(operation: Operation): Block[] {
  const names = Object.entries(operation.input)
    .filter(([, param]) => param.resetWhenOmitted)
    .map(([name, param]) => param.label ?? name);
  return warning(
    `Saving resets the ${names.join(' and ')} unless you choose them here. The account doesn’t return their current values.`,
  );
}

function groupBlocks(group: Group, drawing: Drawing): Block[] {
  const { builtForm, draft } = drawing;
  const { heading, params } = group;
  const inputs = params.flatMap((each) => fieldBlocks(each, drawing));
  const moreButtons = builtForm.isFolded(group, draft) ? [moreButton(heading)] : [];
  const clear = `c.${heading}` in builtForm.form.fields ? builtForm.form.draw(draft, `c.${heading}`) : [];
  const head: Block[] = heading === '' ? [] : [divider, { type: 'header', text: plain(heading) }];
  return [...head, ...inputs, ...clear, ...moreButtons];
}

function moreButton(heading: string): Block {
  const text = heading === '' ? 'More settings' : `More settings: ${heading}`;
  return actions([button(text, 'form.more', { value: `g.${heading}` })], `g.${heading}`);
}

function fieldBlocks({ name }: ParamField, { builtForm: { form }, draft, problems }: Drawing): Block[] {
  const inputs = form.draw(
    draft,
    ...['v', 'f', 'u'].map((part) => `${part}.${name}`).filter((id) => id in form.fields),
  );
  // One problem of a field is shown at a time: a second often repeats the first.
  const problem = problems.find(({ param }) => param === name);
  return inputs.length > 0 && problem ? [...warning(problem.message), ...inputs] : inputs;
}

function warning(line: Line | undefined): Block[] {
  return noticeBlocks({ problem: typeof line === 'string' ? cut(line, longestLine) : line });
}
