/**
 * Owns the words in which the rest of Scandesk speaks of the account: what a call may be asked, what comes back, what
 * can go wrong. Ids and barcodes are strings, always.
 */
import { ScandeskError } from '../errors.js';
import type { InputProblem } from './operations/check.js';
import type { CodeMeaning } from './operations/codes.js';
import type { InputOf, Operation, OutputOf } from './operations/operation.js';

/** People wait in front of background work when calls are scarce. */
export type Priority = 'person' | 'background';

export interface CallOptions {
  /** Default `person`. */
  readonly priority?: Priority;
  /** Gives the call up: in the queue, or on the wire for reads. */
  readonly signal?: AbortSignal;
  /** How long a call may wait for the quota before it fails with `account.quota`; default 2,000 ms. */
  readonly maxWaitMs?: number;
}

/** What is known of the call counters, without spending a call. */
export interface CallsLeft {
  readonly minute: CallCounter;
  readonly day: CallCounter;
}

export interface CallCounter {
  /** `Infinity` when unlimited; `undefined` while nothing is known. */
  readonly left: number | undefined;
  readonly limit: number | undefined;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number;
}

export interface AccountClient {
  /**
   * One call of the account service.
   * @throws AccountError
   */
  call<Op extends Operation>(operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<OutputOf<Op>>;
  callsLeft(): CallsLeft;
  /** What the service last made of the key; undefined where it has not answered for minutes. No call is spent. */
  key(): KeyState | undefined;
}

export type KeyState = 'accepted' | 'refused';

export interface NamesAndLists {
  /** Without `postbackUrl`, which may hold a secret and is cached nowhere: ask services/retrieve for it. */
  services(options?: CallOptions): Promise<readonly Service[]>;
  users(options?: CallOptions): Promise<readonly User[]>;
  devices(options?: CallOptions): Promise<readonly Device[]>;
  databases(options?: CallOptions): Promise<readonly Database[]>;
  /** With their answers. */
  questions(options?: CallOptions): Promise<readonly Question[]>;
  /** What is kept of one kind, however old: never a call. Undefined where nothing is. */
  known<K extends keyof CachedResources>(kind: K): Promise<readonly CachedResources[K][] | undefined>;
  /** Forget what was cached of one kind, or all: after a change, or when a person asks for it. */
  forget(kind?: keyof CachedResources): Promise<void>;
}

/** The kinds of things whose names are kept. */
export interface CachedResources {
  readonly services: Service;
  readonly users: User;
  readonly devices: Device;
  readonly databases: Database;
  readonly questions: Question;
}

/**
 * One account, opened with its key. Opening the same key again gives the same counters and cache, and while it is used the
 * same calls in flight. Whoever needs it for longer than one task opens it again.
 */
export interface Account {
  readonly client: AccountClient;
  readonly reference: NamesAndLists;
}

export interface Accounts {
  open(apiKey: string): Account;
  /** The key is not needed any more: let go once no call of it is under way. Its counters stay. */
  forget(apiKey: string): void;
  close(): Promise<void>;
}

export interface Service {
  readonly id: string;
  readonly name: string;
  /** record, ondevicerecord, database, ondevicedatabase, webview, postback, or a word we do not know yet. */
  readonly validationMethod: string;
  readonly postbackUrl?: string;
  readonly databaseId?: string;
  readonly duplicateScanValue?: string;
  readonly description?: string;
  readonly userIds: readonly string[];
  readonly questionIds: readonly string[];
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly serviceIds: readonly string[];
  readonly limit?: string;
  readonly created?: string;
}

export interface Device {
  readonly id: string;
  readonly udid: string;
  readonly name: string;
  readonly created?: string;
}

export interface Database {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
  readonly serviceIds: readonly string[];
  readonly caseSensitive?: boolean;
}

/** A question that devices ask, with the answers to choose from. */
export interface Question {
  readonly id: string;
  readonly text: string;
  /** A word of `question_type`, or one we do not know yet. */
  readonly type: string;
  readonly answers: readonly { readonly id: string; readonly text: string }[];
}

/** One value of a database: the barcode, whether it is valid, what is answered. */
export interface DatabaseValue {
  readonly value: string;
  readonly valid: boolean;
  readonly response: string;
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What the account recorded of a scan. `other`: a status the contract does not know, kept as it came. */
export type ScanStatus = 'valid' | 'invalid' | 'not_validated' | 'other';

export interface RecordedScan {
  readonly id: string;
  readonly value: string;
  readonly status: ScanStatus;
  /** What the account sent as status, where `status` is `other`. */
  readonly statusSent?: string;
  /** The response text. */
  readonly result: string;
  /** `YYYY-MM-DD HH:mm:ss` in the time zone that was asked for. */
  readonly timestamp: string;
  readonly timestampReceived?: string;
  readonly timestampModified?: string;
  readonly device: Named;
  readonly service: Named;
  readonly user: Named;
  readonly answers: readonly { readonly questionId: string; readonly question: string; readonly answer: string }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/**
 * - `account.refused`: the service answered with an error; `apiCode` and `apiText` say which.
 * - `account.key_refused`: API codes 10, 100, 101: the key is wrong, gone or not allowed.
 * - `account.quota`: no calls left (own count, 111 or 113); `quota` says how many and when again.
 * - `account.unreachable`: no connection, or it broke before an answer.
 * - `account.slow`: no answer in time.
 * - `account.broken`: an answer that is no answer: not 200, HTML, cut off, too large, no status.
 * - `account.input`: what was asked does not fit the declaration; `variable` names it. No call was spent.
 * - `account.aborted`: the caller gave up.
 */
export type AccountErrorCode =
  | 'account.refused'
  | 'account.key_refused'
  | 'account.quota'
  | 'account.unreachable'
  | 'account.slow'
  | 'account.broken'
  | 'account.input'
  | 'account.aborted';

/** Why an answer is no answer. `server_error`: HTTP 5xx, the service's own trouble. */
export const brokenReasons = [
  'not_http',
  'http_status',
  'server_error',
  'redirect',
  'empty',
  'html',
  'cut_off',
  'too_large',
  'encoding',
  'xml',
  'no_status',
  'no_picture',
  'data',
] as const;

export type BrokenReason = (typeof brokenReasons)[number];

export class AccountError extends ScandeskError {
  declare readonly code: AccountErrorCode;
  /** The contract's numeric code, as text, where the service answered one. */
  readonly apiCode?: string;
  /** The service's own words. They come from outside: escape them. */
  readonly apiText?: string;
  /** What `apiCode` says of the operation that was asked, where the table of codes says something else. */
  readonly meaning?: Pick<CodeMeaning, 'title' | 'todo'>;
  /** The variable the error belongs to, where that is known. */
  readonly variable?: string;
  /** With `account.input`: what a form calls that variable. */
  readonly label?: string;
  readonly quota?: { readonly period: 'minute' | 'day'; readonly left: number; readonly againAt: number };
  /** With `account.broken`. */
  readonly reason?: BrokenReason;
  /** With `account.input`: everything that is wrong, `variable` being the first. */
  readonly problems?: readonly InputProblem[];
  /** The change (`databases/create`) that was sent, and that nobody confirmed: it may have been made. */
  unconfirmed?: string;

  constructor(
    code: AccountErrorCode,
    message: string,
    details: {
      cause?: unknown;
      apiCode?: string;
      apiText?: string;
      meaning?: AccountError['meaning'];
      variable?: string;
      label?: string;
      quota?: AccountError['quota'];
      reason?: BrokenReason;
      problems?: readonly InputProblem[];
    } = {},
  ) {
    super(code, message, details);
    if (details.apiCode !== undefined) this.apiCode = details.apiCode;
    if (details.apiText !== undefined) this.apiText = details.apiText;
    if (details.meaning !== undefined) this.meaning = details.meaning;
    if (details.variable !== undefined) this.variable = details.variable;
    if (details.label !== undefined) this.label = details.label;
    if (details.quota !== undefined) this.quota = details.quota;
    if (details.reason !== undefined) this.reason = details.reason;
    if (details.problems !== undefined) this.problems = details.problems;
  }
}
