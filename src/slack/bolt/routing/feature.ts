/** A feature: what one folder adds to Slack, by Slack's ids. Its `index.ts` exports one. */
import type { Subcommand } from './commands.js';
import type { Listener } from './listeners.js';
import type { Router } from './router.js';

export interface Feature {
  /** By the command they belong to. */
  readonly commands?: Readonly<Partial<Record<'/barcode' | '/scandesk', readonly Subcommand[]>>>;
  readonly listeners: readonly Listener[];
}

export function register(registry: Router, { listeners }: Feature): void {
  for (const listener of listeners) {
    for (const id of listener.ids) {
      switch (listener.kind) {
        case 'action':
          registry.action(id, listener.handler);
          break;
        case 'modal':
          registry.view(id, listener.handler);
          break;
        case 'options':
          registry.options(id, listener.handler);
          break;
        case 'shortcut':
          registry.shortcut(id, listener.handler);
          break;
        case 'event':
          registry.event(id, listener.handler);
          break;
      }
    }
  }
}
