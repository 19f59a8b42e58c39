/**
 * What a listener receives, by kind of request. It runs after the permission check and the acknowledgement, and the
 * person gets an answer to its errors; but a picker's options are the acknowledgement, and nobody is behind an event.
 */
import type { BlockAction, BlockElementAction, ViewOutput } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Owner } from '../../../ownership.js';
import type { AuditEntry } from '../../../workspaces/types.js';
import type { Button, Message, ModalView } from '../../block-kit/elements.js';
import type { SlackClients } from '../clients.js';
import type { SlackErrorCode } from '../errors.js';
import type { Permissions, Person } from '../people/permissions.js';
import type { SpokenMessage } from './conversation-message.js';
import type { Actor, SlackDeps } from './deps.js';
import type { Modal } from './modal.js';
import type { Changes, Respond } from './respond.js';
import type { SlowNotice } from './slow-notice.js';

/** The failure after a change was made, with its reference in the log. */
export interface ChangeFailure {
  readonly error: unknown;
  readonly reference: string;
}

/** A listener's dependencies. A feature adds its own with `declare module`. */
export interface ListenerDeps extends SlackDeps {
  readonly permissions: Permissions;
  readonly clients: SlackClients;
  /** Redraws App Home after a click there. Never throws. */
  homeClicked(context: Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference'>): Promise<void>;
  /** Buttons below an error, by the error's code, for those who may change settings. */
  readonly nextSteps: Readonly<Partial<Record<SlackErrorCode, Button>>>;
  /** Lists changes whose answer did not reach the person, or after which something failed. Never rejects. */
  describeChanges(
    owner: Owner,
    made: readonly AuditEntry[],
    failed?: ChangeFailure,
  ): Promise<{ readonly message: Message; readonly view: ModalView }>;
}

/**
 * The subject of a request, repeated in the answer so that nobody types it again after an error. `again`: the button
 * below an error in a message.
 */
export interface Topic {
  barcode?: string;
  again?: Button;
}

export interface BaseContext {
  readonly deps: ListenerDeps;
  /** The person and the channel; for a request from a modal, the channel where the modal was opened. */
  readonly actor: Actor;
  readonly person: Person;
  readonly client: WebClient;
  /** The request's reference in the log, shown with errors. */
  readonly reference: string;
  /** The subject of the request; a listener fills it once it knows the barcode. */
  readonly topic: Topic;
  /** Changes that this request has made; each audit entry with the outcome `ok` adds one. */
  readonly changes: Changes;
  /** Posts a message to the person alone: through the response_url, else in the channel, else as a direct message. */
  postPrivately(message: Message): Promise<void>;
}

/** The context that loading a form or a list needs. */
export type ActorContext = Pick<BaseContext, 'deps' | 'actor'>;

/** The context before the permission check, without the person: a command's subcommand decides which role is needed. */
export type Unchecked<C extends BaseContext> = Omit<C, 'person'>;

export interface CommandContext extends BaseContext {
  readonly command: string;
  /** The text after the command and its subcommand, with Slack's escapes decoded once; quotes stay around it. */
  readonly text: string;
  readonly channelId: string;
  readonly responseUrl: string;
  readonly respond: Respond;
  readonly modal: Modal;
  /** The notice that is posted when the answer is slow. */
  readonly slowNotice: SlowNotice;
}

export type Action = BlockElementAction;

/** A modal and its view when it was clicked. */
export type ClickedModal = Modal & { readonly view: ViewOutput };

export interface ActionContext<Data = unknown> extends BaseContext {
  readonly action: Action;
  readonly body: BlockAction;
  /** The data that the clicked button or the chosen option carries. */
  readonly data: Data;
  /** Responds through the click's response_url. Rejects for a click in a modal or in App Home. */
  readonly respond: Respond;
  /** The modal that this click fills: the clicked one, or a new one; with `push` a new one on top. */
  readonly modal: Modal;
  /** The modal the click was made in. */
  readonly inside?: ClickedModal;
}

/** A click in a modal whose metadata the listener reads. */
export interface ModalActionContext<Data = unknown, Metadata = unknown> extends ActionContext<Data> {
  readonly metadata: Metadata;
  readonly inside: ClickedModal;
}

/** The context before the permission check: enough to read a form. */
export interface FormContext<Metadata = unknown> extends ActorContext {
  readonly view: ViewOutput;
  readonly metadata: Metadata;
}

export interface ViewContext<Metadata = unknown> extends BaseContext {
  readonly view: ViewOutput;
  readonly metadata: Metadata;
  /** The submitted modal. */
  readonly modal: Modal;
}

export interface OptionsContext<Metadata = unknown> extends Omit<BaseContext, 'postPrivately' | 'topic' | 'changes'> {
  /** The text typed so far; may be empty. */
  readonly typed: string;
  readonly blockId: string;
  readonly metadata: Metadata;
}

/** The acknowledgement of a form, and the input read from it. */
export type Acknowledged<Input> =
  /** The form's errors by block_id, which Slack shows under the inputs; nothing else happens. */
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly show: ModalView; readonly input: Input }
  /** `this`: the submitted modal closes, and the modal below it, if any, shows. `all`: every modal closes. */
  | { readonly close: 'this' | 'all'; readonly input: Input };

/** The context of a shortcut without a channel: the modal is its answer. */
export interface GlobalShortcutContext extends BaseContext {
  readonly modal: Modal;
}

/** A message that somebody wants Scandesk to read. */
export interface MessageContext extends BaseContext {
  readonly message: SpokenMessage;
  /** Responds to the person alone; in a direct message, in the conversation. */
  readonly respond: Respond;
  /** The notice that is posted when the answer is slow. */
  readonly slowNotice: SlowNotice;
}

/** A message to Scandesk. */
export interface ConversationContext extends MessageContext {
  /** The bot's user id, by which a message mentions Scandesk. */
  readonly botUserId: string;
}

export interface EventContext {
  readonly deps: ListenerDeps;
  /** The event as Slack sent it: to be parsed with zod. */
  readonly event: unknown;
  readonly eventId: string;
  /** The time of the event, in milliseconds. */
  readonly happenedAt: number;
  /** The ids of the app that the event was sent to, and of its bot where that is known. */
  readonly appId: string | undefined;
  readonly botId: string | undefined;
  readonly isEnterpriseInstall: boolean;
  readonly teamId?: string;
  readonly enterpriseId?: string;
  readonly client: WebClient;
  readonly reference: string;
}
