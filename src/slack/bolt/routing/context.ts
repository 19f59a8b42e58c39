/**
 * What a listener receives, by kind of request. Listeners run after the acknowledgement and the permission check;
 * what they throw is answered to the person.
 */
import type { BlockAction, BlockElementAction, ViewOutput } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Owner } from '../../../ownership.js';
import type { AuditEntry } from '../../../workspaces/types.js';
import type { HomeView, Message, ModalView, Option } from '../../block-kit/elements.js';
import type { HelpTable } from '../../block-kit/help.js';
import type { SlackClients } from '../clients.js';
import type { Permissions, Person, RequiredRole } from '../people/permissions.js';
import type { Changes } from './changes.js';
import type { Actor, SlackDeps } from './deps.js';
import type { Modal } from './modal.js';
import type { Respond } from './respond.js';
import type { SlowNotice } from './slow-notice.js';

/** What failed after a change was made, with its reference in the log. */
export interface ChangeFailure {
  readonly error: unknown;
  readonly reference: string;
}

/** A listener's dependencies. A feature adds its own with `declare module`. */
export interface ListenerDeps extends SlackDeps {
  readonly permissions: Permissions;
  readonly clients: SlackClients;
  /** All commands, for help. */
  readonly commands: () => readonly HelpTable[];
  /** The value of a *Try again* button for a barcode. */
  tryAgain(barcode: string): string;
  /** Lists changes whose answer did not reach the person, or after which something failed. Never rejects. */
  describeChanges(
    owner: Owner,
    made: readonly AuditEntry[],
    failed?: ChangeFailure,
  ): Promise<{ readonly message: Message; readonly view: ModalView }>;
}

/** What a request is about: an error's answer repeats it and offers to try again. */
export interface Topic {
  barcode?: string;
}

export interface BaseContext {
  readonly deps: ListenerDeps;
  readonly actor: Actor;
  readonly person: Person;
  readonly client: WebClient;
  /** The request's reference in the log, shown with errors. */
  readonly reference: string;
  /** A listener sets it once it knows the barcode. */
  readonly topic: Topic;
  /** Changes this request has made; added to with each audit entry. */
  readonly changes: Changes;
  /** Posts to the person in private: through the response_url, else in the channel, else as a direct message. */
  postPrivately(message: Message): Promise<void>;
}

/** What loading a form or a list needs. */
export type ActorContext = Pick<BaseContext, 'deps' | 'actor'>;

export interface CommandContext extends BaseContext {
  readonly command: string;
  /** The text after the command and its subcommand: decoded once, quotes still around it. */
  readonly text: string;
  readonly channelId: string;
  readonly triggerId: string;
  readonly respond: Respond;
  readonly modal: Modal;
  /** The notice posted when the answer is slow. */
  readonly slowNotice: SlowNotice;
}

export type Action = BlockElementAction;

export interface ActionContext extends BaseContext {
  readonly action: Action;
  readonly body: BlockAction;
  readonly triggerId: string;
  /** Undefined for a click in a modal or in App Home. */
  readonly respond?: Respond;
  /** The modal this click may open; pushed on top when the click is in a modal. */
  readonly modal: Modal;
  /** The view the click was made in. */
  readonly inside?: Modal & { readonly view: ViewOutput };
}

export interface ShortcutContext extends BaseContext {
  readonly callbackId: string;
  readonly triggerId: string;
  readonly respond?: Respond;
  readonly modal: Modal;
  /** A message shortcut's message as Slack sent it: outside data, to be parsed with zod. */
  readonly message?: unknown;
}

export interface ViewContext extends BaseContext {
  readonly view: ViewOutput;
  /** The submitted modal. */
  readonly modal: Modal;
}

/** What is known before the permission check: enough to read a form. */
export interface FormContext {
  readonly deps: ListenerDeps;
  readonly actor: Actor;
  readonly view: ViewOutput;
}

export interface OptionsContext extends Omit<BaseContext, 'postPrivately' | 'topic' | 'changes'> {
  /** The text typed so far; may be empty. */
  readonly typed: string;
  readonly body: unknown;
}

export interface EventContext {
  readonly deps: ListenerDeps;
  /** As Slack sent it: to be parsed with zod. */
  readonly event: unknown;
  readonly eventId: string;
  /** In milliseconds. */
  readonly happenedAt: number;
  readonly isEnterpriseInstall: boolean;
  readonly teamId?: string;
  readonly enterpriseId?: string;
  readonly client: WebClient;
  readonly reference: string;
}

/** How a form is acknowledged, and the input read from it. */
export type Acknowledged<Input> =
  /** Messages by block_id, shown under the inputs; nothing else happens. */
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly show: ModalView; readonly input: Input }
  /** `this`: back to the modal below, if any. */
  | { readonly close: 'this' | 'all'; readonly input: Input };

export interface ViewHandler<Input> {
  readonly role: RequiredRole;
  /** Reads the form synchronously: Slack waits for the acknowledgement. */
  fields(context: FormContext): Acknowledged<Input>;
  /**
   * The form redrawn, where an error belongs to a field it does not show yet: the person was quicker than the
   * redraw.
   */
  redraw?(context: ViewContext): Promise<ModalView>;
  run(context: ViewContext, input: Input): Promise<void>;
}

export interface Handler<Context> {
  readonly role: RequiredRole;
  /** The title of the modal it opens, if any: shown as loading while the permission is checked. */
  readonly modalTitle?: string | ((context: Omit<Context, 'person'>) => string | undefined);
  /** A click in a modal pushes a new one on top; otherwise it replaces the content. */
  readonly push?: boolean;
  run(context: Context): Promise<void>;
}

export interface OptionsHandler {
  readonly role: RequiredRole;
  /** At most 100. */
  offer(context: OptionsContext): Promise<readonly Option[]>;
}

export type { HomeView, Option };
