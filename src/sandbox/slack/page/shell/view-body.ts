/** The blocks of one open modal or Home tab: redrawn on every update without losing input, focus or an open list. */
import type { ShownView } from '../../api.js';
import { blocksIn, drawBlock } from '../blocks/index.js';
import type { Surface } from '../context.js';
import { el } from '../dom.js';
import { createFormState, type FormState } from '../form-state.js';
import { type Json, str } from '../json.js';
import { createKeyedList } from '../keyed-list.js';

export interface ViewBody {
  readonly node: HTMLElement;
  readonly form: FormState;
  readonly blocks: readonly Json[];
  show(view: ShownView, errors: Readonly<Record<string, string>>): void;
}

/** `first`: the view as it opened, with the workspace's stored input from before the page was loaded. */
export function createViewBody(first: ShownView, surfaceOf: (form: FormState) => Surface): ViewBody {
  const node = el('div', { class: 'blocks view-blocks' });
  const list = createKeyedList(node);
  const form = createFormState();
  form.seed(first.state);
  let blocks: readonly Json[] = [];
  return {
    node,
    form,
    get blocks() {
      return blocks;
    },
    show(view, errors) {
      blocks = blocksIn(view.view.blocks);
      form.keepOnly(blocks);
      const surface = surfaceOf(form);
      const { directory } = surface;
      const around = JSON.stringify([directory.me.id, directory.people, directory.channels]);
      list.show(
        blocks.map((block, index) => {
          const blockId = str(block, 'block_id');
          const error = blockId === undefined ? undefined : errors[blockId];
          return {
            key: blockId ?? `at ${index}`,
            signature: JSON.stringify([block, error ?? null, around]),
            draw: () => drawBlock(block, surface, error),
          };
        }),
      );
    },
  };
}
