/**
 * What a listener receives, by kind of request. Listeners run after the acknowledgement and the permission check;
 * what they throw is answered to the person.
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
  /** Buttons below an error, by its code, for those who may change settings. */
  readonly nextSteps: Readonly<Partial<Record<SlackErrorCode, Button>>>;
  /** Lists changes whose answer did not reach the person, or after which something failed. Never rejects. */
  describeChanges(
    owner: Owner,
    made: readonly AuditEntry[],
    failed?: ChangeFailure,
  ): Promise<{ readonly message: Message; readonly view: ModalView }>;
}

/**
 * The subject of a request, so that nobody types it again after an error. `again`: the button below an error in a
 * message.
 */
export interface Topic {
  barcode?: string;
  again?: Button;
}

export interface BaseContext {
  readonly deps: ListenerDeps;
  /** Its channel, for a request from a modal, is the one that the modal was opened from. */
  readonly actor: Actor;
  readonly person: Person;
  readonly client: WebClient;
  /** The request's reference in the log, shown with errors. */
  readonly reference: string;
  /** A listener fills it once it knows the barcode. */
  readonly topic: Topic;
  /** Changes this request has made; added to with each audit entry. */
  readonly changes: Changes;
  /** Posts to the person in private: through the response_url, else in the channel, else as a direct message. */
  postPrivately(message: Message): Promise<void>;
}

/** The context that loading a form or a list needs. */
export type ActorContext = Pick<BaseContext, 'deps' | 'actor'>;

/** A command's subcommand decides on the permission, so its context comes without the person. */
export type Unchecked<C extends BaseContext> = Omit<C, 'person'>;

export interface CommandContext extends BaseContext {
  readonly command: string;
  /** The text after the command and its subcommand: decoded once, quotes still around it. */
  readonly text: string;
  readonly channelId: string;
  readonly responseUrl: string;
  readonly respond: Respond;
  readonly modal: Modal;
  /** The notice posted when the answer is slow. */
  readonly slowNotice: SlowNotice;
}

export type Action = BlockElementAction;

/** A modal and its view when it was clicked. */
export type ClickedModal = Modal & { readonly view: ViewOutput };

export interface ActionContext<Data = unknown> extends BaseContext {
  readonly action: Action;
  readonly body: BlockAction;
  /** The data of the button or the chosen option. */
  readonly data: Data;
  /** Rejects for a click in a modal or in App Home. */
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
  /** Messages by block_id, shown under the inputs; nothing else happens. */
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly show: ModalView; readonly input: Input }
  /** `this`: back to the modal below, if any. */
  | { readonly close: 'this' | 'all'; readonly input: Input };

/** A shortcut without a channel: the modal is its answer. */
export interface GlobalShortcutContext extends BaseContext {
  readonly modal: Modal;
}

/** A message that somebody wants Scandesk to read. */
export interface MessageContext extends BaseContext {
  readonly message: SpokenMessage;
  /** To the person alone; a direct message is answered in its conversation. */
  readonly respond: Respond;
  /** The notice posted when the answer is slow. */
  readonly slowNotice: SlowNotice;
}

/** A message to Scandesk. */
export interface ConversationContext extends MessageContext {
  /** As whom Scandesk is mentioned. */
  readonly botUserId: string;
}

export interface EventContext {
  readonly deps: ListenerDeps;
  /** As Slack sent it: to be parsed with zod. */
  readonly event: unknown;
  readonly eventId: string;
  /** In milliseconds. */
  readonly happenedAt: number;
  /** The app it was sent to, and its bot where that is known. */
  readonly appId: string | undefined;
  readonly botId: string | undefined;
  readonly isEnterpriseInstall: boolean;
  readonly teamId?: string;
  readonly enterpriseId?: string;
  readonly client: WebClient;
  readonly reference: string;
}
