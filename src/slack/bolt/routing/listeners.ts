/**
 * Declarations of listeners: an id, the shape of the data that comes with it, and the function that runs. A feature
 * exports a list of them. Schemas also read what messages and open modals hold since 1.0.0; several ids share one
 * listener where elements differ only in what they carry.
 */
import type { z } from 'zod';
import type { ModalView, Option } from '../../block-kit/elements.js';
import type { RequiredRole } from '../people/permissions.js';
import type { CommandTable } from './commands.js';
import type {
  Acknowledged,
  ActionContext,
  ConversationContext,
  EventContext,
  FormContext,
  GlobalShortcutContext,
  MessageContext,
  ModalActionContext,
  OptionsContext,
  ViewContext,
} from './context.js';
import type { Modal } from './modal.js';

export type DataSchema = z.ZodType | undefined;
export type Output<S extends DataSchema> = S extends z.ZodType ? z.output<S> : undefined;

export type ClickContext<D extends DataSchema, M extends DataSchema> = M extends z.ZodType
  ? ModalActionContext<Output<D>, z.output<M>>
  : ActionContext<Output<D>>;

interface Clickable<D extends DataSchema, M extends DataSchema> {
  readonly role: RequiredRole | ((click: Pick<ClickContext<D, M>, 'data'>) => RequiredRole);
  /** The data of the button or the chosen option: `z.string()` for text, else JSON. */
  readonly data?: D;
  /** The schema of the metadata of the element's modal; undefined: the action answers in any message or modal. */
  readonly metadata?: M;
  /** Whether a click in a modal opens a new modal on top; otherwise it replaces the content. */
  readonly push?: boolean | ((click: Pick<ClickContext<D, M>, 'data'> & { readonly metadata: Output<M> }) => boolean);
}

export interface ActionSpec<D extends DataSchema = DataSchema, M extends DataSchema = DataSchema>
  extends Clickable<D, M> {
  /** The title of the modal that the action opens, if any: shown as loading while the permission is checked. */
  readonly modalTitle?: string | ((context: Omit<ClickContext<D, M>, 'person'>) => string | undefined);
  run(context: ClickContext<D, M>): Promise<void>;
}

/** A button, menu or picker that opens a modal. */
interface OpenerSpec<D extends DataSchema, M extends DataSchema> extends Clickable<D, M> {
  readonly modalTitle: string;
  view(context: ClickContext<D, M>): Promise<ModalView>;
  /** Whether `view` makes a change, whose outcome is shown. */
  readonly isOutcome?: boolean;
}

export interface ModalSpec<Input = unknown, M extends DataSchema = DataSchema> {
  readonly role: RequiredRole;
  readonly metadata?: M;
  /** Reads the form synchronously: Slack waits for the acknowledgement. */
  fields(form: FormContext<Output<M>>): Acknowledged<Input>;
  /** Draws the form again, where an error belongs to a field that it does not show yet. */
  redraw?(context: ViewContext<Output<M>>): Promise<ModalView>;
  run(context: ViewContext<Output<M>>, input: Input): Promise<void>;
}

export interface OptionsSpec<M extends DataSchema = DataSchema> {
  readonly role: RequiredRole;
  readonly metadata?: M;
  /** The options that match the typed text; those after the first 100 are left out. */
  offer(context: OptionsContext<Output<M>>): Promise<readonly Option[]>;
}

/** A shortcut in the menu of messages. */
export interface ShortcutSpec {
  readonly role: RequiredRole;
  run(context: MessageContext): Promise<void>;
}

/** A shortcut that is offered everywhere in Slack. */
export interface GlobalShortcutSpec {
  readonly role: RequiredRole;
  /** The title of the modal that the shortcut opens: shown as loading while the permission is checked. */
  readonly modalTitle: string;
  run(context: GlobalShortcutContext): Promise<void>;
}

/** The listener of messages in which a person mentions the app or writes to it. */
export interface ConversationSpec {
  readonly role: RequiredRole;
  run(context: ConversationContext): Promise<void>;
}

type EventRun = (context: EventContext) => Promise<void>;

interface Specs {
  readonly command: CommandTable;
  readonly action: ActionSpec;
  readonly view: ModalSpec;
  readonly options: OptionsSpec;
  readonly event: EventRun;
  readonly shortcut: ShortcutSpec;
  readonly global_shortcut: GlobalShortcutSpec;
  readonly conversation: ConversationSpec;
}

export type ListenerKind = keyof Specs;

export interface ListenerOf<Kind extends ListenerKind> {
  readonly kind: Kind;
  readonly ids: readonly string[];
  readonly spec: Specs[Kind];
}

export type Listener = { [Kind in ListenerKind]: ListenerOf<Kind> }[ListenerKind];

/** A button, menu or picker, by `action_id`. */
export function action<D extends DataSchema = undefined, M extends DataSchema = undefined>(
  ids: string | readonly string[],
  spec: ActionSpec<D, M>,
): ListenerOf<'action'> {
  return { kind: 'action', ids: [ids].flat(), spec: spec as ActionSpec };
}

/** The opening of a modal, which shows `modalTitle` as loading until `view` resolves. */
export function opens<Context>(
  modalTitle: string,
  view: (context: Context) => Promise<ModalView>,
  { isOutcome = false } = {},
) {
  return {
    modalTitle,
    async run(context: Context & { readonly modal: Modal }): Promise<void> {
      await context.modal.fill(modalTitle, () => view(context), { isOutcome });
    },
  };
}

/** An action that opens a modal, by `action_id`. */
export function opener<D extends DataSchema = undefined, M extends DataSchema = undefined>(
  ids: string | readonly string[],
  { modalTitle, view, isOutcome, ...spec }: OpenerSpec<D, M>,
): ListenerOf<'action'> {
  return action(ids, { ...spec, ...opens(modalTitle, view, { isOutcome }) } as ActionSpec<D, M>);
}

/** The submission of a modal, by `callback_id`. */
export function modal<Input, M extends DataSchema = undefined>(
  id: string,
  spec: ModalSpec<Input, M>,
): ListenerOf<'view'> {
  return { kind: 'view', ids: [id], spec: spec as ModalSpec };
}

/** A picker whose options Scandesk searches, by `action_id`. */
export function options<M extends DataSchema = undefined>(id: string, spec: OptionsSpec<M>): ListenerOf<'options'> {
  return { kind: 'options', ids: [id], spec: spec as OptionsSpec };
}

export function event(type: string, run: EventRun): ListenerOf<'event'> {
  return { kind: 'event', ids: [type], spec: run };
}

export function command(table: CommandTable): ListenerOf<'command'> {
  return { kind: 'command', ids: [table.command], spec: table };
}

/** A shortcut in the menu of messages, by `callback_id`. */
export function messageShortcut(id: string, spec: ShortcutSpec): ListenerOf<'shortcut'> {
  return { kind: 'shortcut', ids: [id], spec };
}

/** A shortcut that is offered everywhere in Slack, by `callback_id`. */
export function globalShortcut(id: string, spec: GlobalShortcutSpec): ListenerOf<'global_shortcut'> {
  return { kind: 'global_shortcut', ids: [id], spec };
}

/** The listener of messages to Scandesk, by the event that the manifest subscribes to. */
export function conversation(type: 'app_mention' | 'message.im', spec: ConversationSpec): ListenerOf<'conversation'> {
  return { kind: 'conversation', ids: [type], spec };
}
