/**
 * Owns the words in which other listeners speak to the forms: what to open, what is known already, what happens once the
 * account has done it.
 */
import type { InputProblem } from '../../codereadr/operations/check.js';
import type { InputOf, Operation, OutputOf } from '../../codereadr/operations/operation.js';
import type { Who } from '../bolt/people/permissions.js';
import type { BaseContext } from '../bolt/routing/context.js';
import type { Modal } from '../bolt/routing/modal.js';

/** Whoever asks the account for something: any listener's own context will do. */
export type Performer = Pick<BaseContext, 'deps' | 'asker' | 'person' | 'client' | 'reference' | 'changes' | 'tell'>;

/** The same with a window that can still be opened: a command's or a click's context. */
export type Opener = Performer & { readonly window: Modal };

export interface OpenForm {
  readonly operation: Operation;
  /** By variable, what is known already, as the catalogue's checks read it: ids, texts, booleans. Never a secret. */
  readonly prefill?: Readonly<Record<string, unknown>>;
  /** Variables of `prefill` that were chosen already, such as the item of a list: shown, not asked again. */
  readonly locked?: readonly string[];
  /** What is wrong with `prefill`, shown above the fields. */
  readonly problems?: readonly InputProblem[];
  readonly after?: After;
}

/** What else is to happen once the account has done it; the window's own answer comes anyway. */
export interface After {
  /** A key of the `Afterwards` that the forms were registered with. */
  readonly name: string;
  /** Handed back as it is; 1,000 characters at most, no secret. */
  readonly value: string;
}

export interface Done {
  readonly operation: Operation;
  /** Checked, as it was sent; secrets left out. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: unknown;
}

/** A failure here is logged: what was asked of the account is done all the same. */
export type Afterwards = Readonly<Record<string, (context: Performer, done: Done, value: string) => Promise<void>>>;

/**
 * Opens the form of an operation in the context's window. An operation that changes something first asks for that thing,
 * unless `prefill` names it, and comes filled in with what it is now. A delete whose thing is named goes straight to its
 * confirmation.
 * @throws SlackRoomError `slack.not_allowed`, `slack.not_connected`; AccountError. The caller's dispatcher tells them.
 */
export type OpenOperationForm = (context: Opener, form: OpenForm) => Promise<void>;

/**
 * Asks the account without a form: checks the permission, calls, and leaves an audit row of every change, failed or not.
 * Asks nobody for confirmation: never for deletes, unless the caller has asked.
 * @throws SlackRoomError `slack.not_allowed`, `slack.not_connected`, `slack.other_account`; AccountError.
 */
export type PerformOperation = <Op extends Operation>(
  context: Performer,
  operation: Op,
  input: InputOf<Op>,
  how?: PerformHow,
) => Promise<OutputOf<Op>>;

export interface PerformHow {
  /** What the audit's row tells besides the input; no secret. */
  readonly onRecord?: Readonly<Record<string, unknown>>;
  /** Of the connection whose ids the input holds: under another, nothing is asked of the account. */
  readonly connectedAt?: number | undefined;
}

/** Who may use an operation: reads everybody, the rest whoever may change things. */
export type WhoMay = (operation: Operation) => Who;
