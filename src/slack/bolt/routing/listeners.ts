/**
 * Declarations of what answers Slack: an id with the shape of its data and its handler in one. A feature exports a list
 * of them. The schemas also read what older versions left in messages and open modals.
 */
import type { ViewOutput } from '@slack/bolt';
import type { z } from 'zod';
import type { ModalView, Option } from '../../block-kit/elements.js';
import { SlackError } from '../errors.js';
import { decode } from '../metadata.js';
import type { RequiredRole } from '../people/permissions.js';
import type {
  Acknowledged,
  Action,
  ActionContext,
  EventContext,
  FormContext,
  Handler,
  OptionsContext,
  OptionsHandler,
  ShortcutContext,
  ViewContext,
  ViewHandler,
} from './context.js';

type Schema = z.ZodType | undefined;
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

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

/** A click in a modal, whose metadata the action reads. */
export type ModalActionContext = ActionContext & { readonly inside: NonNullable<ActionContext['inside']> };

type ContextFor<M extends Schema> = M extends z.ZodType ? ModalActionContext : ActionContext;

interface ActionSpec<D extends Schema, M extends Schema> {
  readonly role: RequiredRole;
  /** What the button or the chosen option carries. */
  readonly data?: D;
  /** Metadata of the modal in which the element is; without it, the action answers anywhere. */
  readonly metadata?: M;
  /** The title of the modal it opens, if any: shown as loading while the permission is checked. */
  readonly modalTitle?: string | ((context: Omit<ActionContext, 'person'>, data: Output<D>) => string | undefined);
  /** A click in a modal pushes a new one on top; otherwise it replaces the content. */
  readonly push?: boolean;
  run(context: ContextFor<M>, data: Output<D>, metadata: Output<M>): Promise<void>;
}

/** A button, menu or picker, by `action_id`; several ids where buttons differ in what they carry only. */
export function action<D extends Schema = undefined, M extends Schema = undefined>(
  id: string | readonly string[],
  { data, metadata, modalTitle, run, ...rest }: ActionSpec<D, M>,
): Listener {
  const ids = typeof id === 'string' ? [id] : id;
  const where = ids.join(', ');
  const dataOf = (clicked: Action) => (data && decode(data, carriedBy(clicked), where)) as Output<D>;
  return {
    kind: 'action',
    ids,
    handler: {
      ...rest,
      ...(modalTitle === undefined
        ? {}
        : {
            modalTitle:
              typeof modalTitle === 'string' ? modalTitle : (context) => modalTitle(context, dataOf(context.action)),
          }),
      async run(context) {
        if (metadata && !context.inside) {
          throw new SlackError('slack.state', `clicked outside a modal: ${where}`);
        }
        const known = metadata && decode(metadata, context.inside?.view.private_metadata, where);
        await run(context as ContextFor<M>, dataOf(context.action), known as Output<M>);
      },
    },
  };
}

function carriedBy(clicked: Action): string | undefined {
  if ('value' in clicked) {
    return clicked.value;
  }
  return 'selected_option' in clicked ? (clicked.selected_option?.value ?? undefined) : undefined;
}

interface ModalSpec<M extends Schema, Input> {
  readonly role: RequiredRole;
  readonly metadata?: M;
  /** Reads the form and says how it is acknowledged. Synchronous: Slack waits. */
  fields(form: FormContext, metadata: Output<M>): Acknowledged<Input>;
  /**
   * The form drawn again, where an error belongs to a field it does not show yet: the person was quicker than the
   * redraw.
   */
  redraw?(context: ViewContext, metadata: Output<M>): Promise<ModalView>;
  run(context: ViewContext, input: Input, metadata: Output<M>): Promise<void>;
}

/** The submission of a modal, by `callback_id`. */
export function modal<Input, M extends Schema = undefined>(
  id: string,
  { role, metadata, fields, redraw, run }: ModalSpec<M, Input>,
): Listener {
  const metadataOf = (view: ViewOutput) => (metadata && decode(metadata, view.private_metadata, id)) as Output<M>;
  return {
    kind: 'modal',
    ids: [id],
    handler: {
      role,
      fields: (form) => fields(form, metadataOf(form.view)),
      ...(redraw ? { redraw: (context: ViewContext) => redraw(context, metadataOf(context.view)) } : {}),
      run: (context: ViewContext, input: Input) => run(context, input, metadataOf(context.view)),
    },
  };
}

interface OptionsSpec {
  readonly role: RequiredRole;
  /** At most 100. */
  offer(context: OptionsContext): Promise<readonly Option[]>;
}

/** A picker whose options are searched for here, by `action_id`. */
export function options(id: string, handler: OptionsSpec): Listener {
  return { kind: 'options', ids: [id], handler };
}

/** An entry in Slack's shortcut menus, by `callback_id`. */
export function shortcut(id: string, handler: Handler<ShortcutContext>): Listener {
  return { kind: 'shortcut', ids: [id], handler };
}

export function event(type: string, run: (context: EventContext) => Promise<void>): Listener {
  return { kind: 'event', ids: [type], handler: run };
}
