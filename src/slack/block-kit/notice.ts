/** The line on top of a view: what the last action did, or why it failed. Pure. */
import type { Block } from './elements.js';
import { bold, elementsOf, type Line, richText } from './text.js';

export interface ViewNotice {
  readonly done?: Line | undefined;
  /** The action's consequences, a line each. */
  readonly also?: readonly Line[] | undefined;
  readonly problem?: string | undefined;
}

export function noticeBlocks({ done, also = [], problem }: ViewNotice): Block[] {
  return [
    ...(done === undefined ? [] : [richText(['✅ ', ...elementsOf(done)], ...also)]),
    ...(problem === undefined ? [] : [richText([bold(`⚠️ ${problem}`)])]),
  ];
}
