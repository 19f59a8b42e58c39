/**
 * Owns what a listener is handed, by the kind of request. Listeners are asked after Slack has its acknowledgement and
 * after the permission was checked; what they throw is told to the person.
 */
import type { BlockAction, BlockElementAction, ViewOutput } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Owner } from '../../../ownership.js';
import type { AuditEntry } from '../../../workspaces/types.js';
import type { HomeView, Message, ModalView, Option } from '../../block-kit/elements.js';
import type { HelpTable } from '../../block-kit/help.js';
import type { SlackClients } from '../clients.js';
import type { Permissions, Person, Who } from '../people/permissions.js';
import type { Changes } from './changes.js';
import type { Asker, SlackDeps } from './deps.js';
import type { Modal } from './modal.js';
import type { Respond } from './respond.js';
import type { SlowNotice } from './slow-notice.js';

/** What failed after a change was made, and under which reference the log has it. */
export interface ChangeFailure {
  readonly error: unknown;
  readonly reference: string;
}

/** What a listener is handed. A feature adds what it brings itself, beside its declaration (`declare module`). */
export interface ListenerDeps extends SlackDeps {
  readonly permissions: Permissions;
  readonly clients: SlackClients;
  /** Every command there is, as help shows it. */
  readonly commands: () => readonly HelpTable[];
  /** The value of a *Try again* button for a barcode. */
  tryAgain(barcode: string): string;
  /** What was changed, where its answer did not reach the person or something failed after it. Never rejects. */
  describeChanges(
    owner: Owner,
    made: readonly AuditEntry[],
    failed?: ChangeFailure,
  ): Promise<{ readonly message: Message; readonly view: ModalView }>;
}

/** What a request is about: trouble repeats it, and offers to ask for it again. */
export interface Topic {
  barcode?: string;
}

export interface BaseContext {
  readonly deps: ListenerDeps;
  readonly asker: Asker;
  readonly person: Person;
  readonly client: WebClient;
  /** Under which the log knows this request; shown with trouble. */
  readonly reference: string;
  /** A listener says here what it was asked about, once it knows. */
  readonly topic: Topic;
  /** What this request has changed so far: whoever puts a change on record adds to it. */
  readonly changes: Changes;
  /**
   * Tells the person something in private, wherever they are: through the response_url, else in the channel, else in
   * the app's own messages.
   */
  tell(message: Message): Promise<void>;
}

export interface CommandContext extends BaseContext {
  readonly command: string;
  /** What followed the command and its subcommand, as it was typed: decoded once, quotes still around it. */
  readonly text: string;
  readonly channelId: string;
  readonly triggerId: string;
  readonly respond: Respond;
  readonly window: Modal;
  /** The line that is said when the answer takes long. */
  readonly word: SlowNotice;
}

export type Action = BlockElementAction;

export interface ActionContext extends BaseContext {
  readonly action: Action;
  readonly body: BlockAction;
  readonly triggerId: string;
  /** Undefined for a click in a window or in App Home. */
  readonly respond?: Respond;
  /** A window this click may open; from within a window, on top of it. */
  readonly window: Modal;
  /** The window the click was made in. */
  readonly inside?: Modal & { readonly view: ViewOutput };
}

export interface ShortcutContext extends BaseContext {
  readonly callbackId: string;
  readonly triggerId: string;
  readonly respond?: Respond;
  readonly window: Modal;
  /** The message of a message shortcut, as Slack sends it: from outside, to be read through zod. */
  readonly message?: unknown;
}

export interface ViewContext extends BaseContext {
  readonly view: ViewOutput;
  /** The window that was submitted. */
  readonly window: Modal;
}

/** What is known before the permission was checked: enough to read a form. */
export interface FormContext {
  readonly deps: ListenerDeps;
  readonly asker: Asker;
  readonly view: ViewOutput;
}

export interface OptionsContext extends Omit<BaseContext, 'tell' | 'topic' | 'changes'> {
  /** What has been typed so far; may be empty. */
  readonly typed: string;
  readonly body: unknown;
}

export interface EventContext {
  readonly deps: ListenerDeps;
  /** As Slack sends it: to be read through zod. */
  readonly event: unknown;
  readonly eventId: string;
  /** When it happened, in milliseconds. */
  readonly happenedAt: number;
  readonly isEnterpriseInstall: boolean;
  readonly teamId?: string;
  readonly enterpriseId?: string;
  readonly client: WebClient;
  readonly reference: string;
}

/** How a form is acknowledged at once, and what was read from it. */
export type Acknowledged<Input> =
  /** By block_id: what is wrong, shown under the input. Nothing else happens. */
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly show: ModalView; readonly input: Input }
  /** `this`: back to the window below, if there is one. */
  | { readonly close: 'this' | 'all'; readonly input: Input };

export interface ViewHandler<Input> {
  readonly who: Who;
  /** Reads the form. Must not wait for anything. */
  acknowledge(context: FormContext): Acknowledged<Input>;
  /**
   * The form for what was entered. It is drawn where something is wrong with a field that the form has not got: somebody was
   * quicker than the drawing of it.
   */
  redrawn?(context: ViewContext): Promise<ModalView>;
  run(context: ViewContext, input: Input): Promise<void>;
}

export interface Handler<Context> {
  readonly who: Who;
  /** The title of the window it opens, if it opens one: shown as loading when checking the permission takes a while. */
  readonly opens?: string | ((context: Omit<Context, 'person'>) => string | undefined);
  /** A click in a window opens it on top of that one; else what it shows takes that one's place. */
  readonly onTop?: boolean;
  run(context: Context): Promise<void>;
}

export interface OptionsHandler {
  readonly who: Who;
  /** At most 100. */
  offer(context: OptionsContext): Promise<readonly Option[]>;
}

export type { HomeView, Option };
