/** The line on top of a view: what the last action did, or why it failed. Pure. */
import type { Block, RichTextElement } from './elements.js';
import { bold, richText, textElement } from './text.js';

/** A sentence of a notice, or its parts where it holds outside text. */
export type NoticeLine = string | readonly RichTextElement[];

export interface ViewNotice {
  readonly done?: NoticeLine | undefined;
  /** The action's consequences, a line each. */
  readonly also?: readonly NoticeLine[] | undefined;
  readonly problem?: string | undefined;
}

export function noticeBlocks({ done, also = [], problem }: ViewNotice): Block[] {
  return [
    ...(done === undefined ? [] : [richText([textElement('✅ '), ...partsOf(done)], ...also.map(partsOf))]),
    ...(problem === undefined ? [] : [richText([bold(`⚠️ ${problem}`)])]),
  ];
}

function partsOf(line: NoticeLine): readonly RichTextElement[] {
  return typeof line === 'string' ? [textElement(line)] : line;
}
