/** The types by which other features use the forms: the form to open, its known values, and the step after it. */
import type { InputProblem } from '../../codereadr/operations/check.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import type { BaseContext } from '../bolt/routing/context.js';
import type { Modal } from '../bolt/routing/modal.js';

/** A context that can run an operation: that of any listener. */
export type OperationContext = Pick<
  BaseContext,
  'deps' | 'actor' | 'person' | 'client' | 'reference' | 'changes' | 'postPrivately'
>;

/** Values by parameter: raw or validated input, or what is shown of it. */
export type Values = Readonly<Record<string, unknown>>;

/** A context with a modal to open: a command's or a click's. */
export type ModalOperationContext = OperationContext & { readonly modal: Modal };

export interface OpenForm {
  readonly operation: Operation;
  /** Known values by parameter, as raw input for validation: ids, texts, booleans. Never a secret. */
  readonly prefill?: Values;
  /** Defaults of a new item's folded fields, which apply while these fields are not shown. */
  readonly usual?: Readonly<Record<string, string | number>>;
  /** Parameters of `prefill` that are shown and not requested again, such as the item of a list. */
  readonly locked?: readonly string[];
  /** Problems with `prefill`, shown above their fields, or on top where a field is not shown. */
  readonly problems?: readonly InputProblem[];
  readonly after?: StepAfter;
}

/** The step after the operation. */
export interface StepAfter {
  /** A key of the `Afterwards` with which the forms were registered. */
  readonly name: string;
  /** The value for the next step, passed on unchanged; at most 1,000 characters, no secret. */
  readonly value: string;
}

export interface FinishedOperation {
  readonly operation: Operation;
  /** The operation's input, validated, without secrets. */
  readonly input: Values;
  readonly output: unknown;
  /** The notice of the change, for the top of the view to which the person goes back. */
  readonly notice: ViewNotice;
}

/**
 * Steps by name. A step resolves to the view that the person goes back to; undefined: the operation's answer is shown.
 * A step's failure is only logged: the operation is done.
 */
export type Afterwards = Readonly<
  Record<string, (context: OperationContext, done: FinishedOperation, value: string) => Promise<ModalView | undefined>>
>;

export interface PerformOptions {
  /** Further fields of the audit entry; no secret. */
  readonly auditDetail?: Values;
  /** `connectedAt` of the connection whose ids the input holds: under another one the account is not called. */
  readonly connectedAt?: number | undefined;
}
