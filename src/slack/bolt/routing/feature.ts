/** A feature: what one folder adds to Slack, by Slack's ids. Its `index.ts` exports one. */
import type { Subcommand } from './commands.js';
import type { ActionContext, EventContext, Handler, OptionsHandler, ShortcutContext, ViewHandler } from './context.js';
import type { Listener } from './listeners.js';
import type { Router } from './router.js';

type ById<Listener> = Readonly<Record<string, Listener>>;

export interface Feature {
  /** By the command they belong to. */
  readonly commands?: Readonly<Partial<Record<'/barcode' | '/scandesk', readonly Subcommand[]>>>;
  readonly listeners?: readonly Listener[];
  /** By `action_id`. */
  readonly actions?: ById<Handler<ActionContext>>;
  /** By `callback_id`. Each handler has an input type of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: each handler passes its own input from `acknowledge` to `run`.
  readonly views?: ById<ViewHandler<any>>;
  /** By `action_id`. */
  readonly options?: ById<OptionsHandler>;
  /** By event type. */
  readonly events?: ById<(context: EventContext) => Promise<void>>;
  /** By `callback_id`. */
  readonly shortcuts?: ById<Handler<ShortcutContext>>;
}

export function register(registry: Router, { listeners, actions, views, options, events, shortcuts }: Feature): void {
  for (const listener of listeners ?? []) {
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
  for (const [id, handler] of Object.entries(actions ?? {})) {
    registry.action(id, handler);
  }
  for (const [id, handler] of Object.entries(views ?? {})) {
    registry.view(id, handler);
  }
  for (const [id, handler] of Object.entries(options ?? {})) {
    registry.options(id, handler);
  }
  for (const [type, run] of Object.entries(events ?? {})) {
    registry.event(type, run);
  }
  for (const [id, handler] of Object.entries(shortcuts ?? {})) {
    registry.shortcut(id, handler);
  }
}
