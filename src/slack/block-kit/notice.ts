/** The line on top of a view: what the last action did, or why it failed. Pure. */
import type { Block } from './elements.js';
import { bold, elementsOf, type Line, plainText, richText } from './text.js';

export interface ViewNotice {
  readonly done?: Line | undefined;
  /** The action's consequences, a line each. */
  readonly also?: readonly Line[] | undefined;
  /** Its first part is shown bold. */
  readonly problem?: Line | undefined;
}

export function noticeBlocks({ done, also = [], problem }: ViewNotice): Block[] {
  const [first, ...rest] = elementsOf(problem ?? []);
  return [
    ...(done === undefined ? [] : [richText(['✅ ', ...elementsOf(done)], ...also)]),
    ...(first === undefined ? [] : [richText([bold(`⚠️ ${plainText([first])}`), ...rest])]),
  ];
}
