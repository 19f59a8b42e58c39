/** The answer to an operation, as modal and as message: a result in pages, or a sentence about the change. */
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { codeOf } from '../../../errors.js';
import { type Block, type Message, type ModalView, message, modalView } from '../../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../../block-kit/notice.js';
import { barcodePlain, elementsOf, escaped, plainText, richText } from '../../block-kit/text.js';
import { inputOnRecord } from '../redact.js';
import { secretNames, withoutSecretProperties, withoutSecretValue } from '../secret-properties.js';
import type { OperationContext, Values } from '../types.js';
import { resultRecords } from './pages.js';
import { picturedFile } from './pictures.js';
import { isPicture, resultOf } from './result.js';
import {
  inMessage,
  inModal,
  inputLines,
  type PageSize,
  type ResultPage,
  resultMessage,
  resultView,
} from './result-blocks.js';
import { successMessage } from './success-message.js';

export interface OperationResult {
  readonly operation: Operation;
  readonly input: Values;
  readonly output: unknown;
  /** Names of the ids in the input, where known. */
  readonly names?: Readonly<Record<string, string>>;
  /** Further lines below the sentence about a change. */
  readonly also?: readonly string[];
}

export interface RenderedResult {
  readonly view: ModalView;
  readonly message: Message;
  /** The notice about a change; empty for a read. */
  readonly notice: ViewNotice;
}

export async function answerOf(context: OperationContext, outcome: OperationResult): Promise<RenderedResult> {
  if (isPicture(outcome.output)) {
    return pictureAnswer(context, outcome);
  }
  const { operation, input, output } = outcome;
  const secrets = await secretNames(context, operation);
  if (operation.effect !== 'read') {
    return doneAnswer({ ...outcome, input: withoutSecretValue(operation, input, secrets) });
  }
  const result = resultOf(operation, input, withoutSecretProperties(operation, input, output, secrets));
  const stored =
    needsPages(result, inMessage) || needsPages(result, inModal) ? await store(context, result) : undefined;
  const page: ResultPage = { result, page: 0, stored };
  return { view: resultView(page), message: resultMessage(page), notice: {} };
}

function needsPages(result: ResultPage['result'], size: PageSize): boolean {
  return (result.items?.length ?? 0) > size.items;
}

/** Stores the result for its further pages. Where that fails, the first page alone is better than no answer. */
async function store(
  { deps, actor, reference }: OperationContext,
  result: ResultPage['result'],
): Promise<string | undefined> {
  try {
    return await resultRecords.save(deps, actor.owner, result);
  } catch (error) {
    deps.log.warn({ code: codeOf(error), reference }, 'result not stored: only its first page is shown');
    return undefined;
  }
}

function doneAnswer({ operation, input, output, names, also = [] }: OperationResult): RenderedResult {
  const id = typeof output === 'object' && output !== null && 'id' in output ? String(output.id) : undefined;
  const shownInput = inputOnRecord(operation, input);
  const sentence = successMessage(operation, shownInput, { names, id });
  const notice: ViewNotice = { done: sentence, also };
  const text = plainText(elementsOf(sentence));
  const lines = inputLines(operation, shownInput, names);
  const blocks = [...noticeBlocks(notice), ...(lines.length > 0 ? [richText(...lines)] : [])];
  return { ...rendered('Done', blocks, text), notice };
}

async function pictureAnswer(
  context: OperationContext,
  { operation, input, output }: OperationResult,
): Promise<RenderedResult> {
  if (!isPicture(output)) {
    throw new TypeError(`${operationName(operation)} returned no picture`);
  }
  const file = await picturedFile(context.client, output, 'barcode', context.deps.clock);
  const value = typeof input.value === 'string' ? input.value : '';
  const blocks: Block[] = [
    {
      type: 'image',
      slack_file: { id: file },
      alt_text: `Barcode ${barcodePlain(value, 500).text}`,
      title: barcodePlain(value, 500),
    },
  ];
  return { ...rendered(operation.title, blocks, operation.title), notice: {} };
}

function rendered(title: string, blocks: readonly Block[], text: string): Omit<RenderedResult, 'notice'> {
  return {
    view: modalView(title, blocks, { callback_id: 'form.result', close: 'Done' }),
    message: message(escaped(text), blocks),
  };
}
