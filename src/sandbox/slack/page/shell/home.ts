/** The app's Home tab. */
import type { ShownView, WorkspaceState } from '../../api.js';
import type { Surface } from '../context.js';
import { el, fill } from '../dom.js';
import type { FormState } from '../form-state.js';
import { createViewBody, type ViewBody } from './view-body.js';

export interface Home {
  readonly node: HTMLElement;
  show(view: ShownView | null, state: WorkspaceState): void;
}

export function createHome(surfaceOf: (view: ShownView, form: FormState) => Surface): Home {
  const node = el('div', {
    class: 'home',
    'data-test': 'home',
    role: 'region',
    tabindex: '0',
    'aria-label': 'App Home',
  });
  let shownView: string | undefined;
  let body: ViewBody | undefined;
  return {
    node,
    show(view, state) {
      if (!view) {
        shownView = undefined;
        body = undefined;
        const why =
          state.app.installed_at !== undefined
            ? `${state.app.name} has nothing to show here yet.`
            : `${state.app.name} is not installed in this workspace.`;
        fill(node, el('p', { class: 'empty' }, why));
        return;
      }
      if (shownView !== view.id || !body) {
        shownView = view.id;
        body = createViewBody(view, (form) => surfaceOf(view, form));
        fill(node, el('div', { class: 'home-column' }, body.node));
      }
      node.setAttribute('data-view-id', view.id);
      body.show(view, {});
    },
  };
}
