/**
 * Declarations of what answers Slack: an id and its handler in one. A feature exports a list of them. Several ids where
 * elements differ only in what they carry.
 */
import type { ActionContext, EventContext, Handler, OptionsHandler, ShortcutContext, ViewHandler } from './context.js';

type Ids = string | readonly string[];

export type Listener =
  | { readonly kind: 'action'; readonly ids: readonly string[]; readonly handler: Handler<ActionContext> }
  // biome-ignore lint/suspicious/noExplicitAny: each modal passes its own input from `fields` to `run`.
  | { readonly kind: 'modal'; readonly ids: readonly string[]; readonly handler: ViewHandler<any> }
  | { readonly kind: 'options'; readonly ids: readonly string[]; readonly handler: OptionsHandler }
  | { readonly kind: 'shortcut'; readonly ids: readonly string[]; readonly handler: Handler<ShortcutContext> }
  | {
      readonly kind: 'event';
      readonly ids: readonly string[];
      readonly handler: (context: EventContext) => Promise<void>;
    };

/** A button, menu or picker, by `action_id`. */
export function action(ids: Ids, handler: Handler<ActionContext>): Listener {
  return { kind: 'action', ids: [ids].flat(), handler };
}

/** The submission of a modal, by `callback_id`. */
export function modal<Input>(id: string, handler: ViewHandler<Input>): Listener {
  return { kind: 'modal', ids: [id], handler };
}

/** A picker whose options are searched for here, by `action_id`. */
export function options(id: string, handler: OptionsHandler): Listener {
  return { kind: 'options', ids: [id], handler };
}

/** An entry in Slack's shortcut menus, by `callback_id`. */
export function shortcut(id: string, handler: Handler<ShortcutContext>): Listener {
  return { kind: 'shortcut', ids: [id], handler };
}

export function event(type: string, handler: (context: EventContext) => Promise<void>): Listener {
  return { kind: 'event', ids: [type], handler };
}
