/** The account's public types: calls, results, errors. Ids and barcodes are always strings. */
import { z } from 'zod';
import { ScandeskError } from '../errors.js';
import type { InputProblem } from './operations/check.js';
import type { CodeMeaning } from './operations/codes.js';
import type { InputOf, Operation, OutputOf, ReferenceKind } from './operations/operation.js';

/** When calls are scarce, people go before assistants, and assistants before background work. */
export type Priority = 'person' | 'assistant' | 'background';

export interface CallOptions {
  /** Who goes first when calls are scarce; default `person`. */
  readonly priority?: Priority;
  /** Aborts the call: any call while it waits for the quota; a read also once it was sent. */
  readonly signal?: AbortSignal;
  /** How long a call may wait for the quota before it fails with `account.quota`; default 2,000 ms. */
  readonly maxWaitMs?: number;
  /** Whether a failed read, or a call after error 111, may be sent again; false: the caller counts. Default true. */
  readonly retries?: boolean;
  /** The person for whom the call is: of a minute's calls, people who wait get equally many, as do their assistants. */
  readonly who?: string;
  /** The known state of the data to read: for 10 seconds an answer is shared with callers who name the same state. */
  readonly version?: string;
  /** Whether to ignore an answer that has already come. Default false. */
  readonly anew?: boolean;
  /** Called after a read with the time at which the answering call began: its data is at least as new. */
  readonly answeredAsOf?: (at: number) => void;
  /**
   * Of a cached list: the age up to which it is served without a call, and how long an older one waits for the call. An
   * older one is served too where the account refuses the key.
   */
  readonly list?: { readonly freshMs: number; readonly waitMs: number };
}

/** The call counters, read without a call. */
export interface CallsLeft {
  readonly minute: CallCounter;
  readonly day: CallCounter;
}

export interface CallCounter {
  /** The calls left: `Infinity` when unlimited; `undefined` while unknown. */
  readonly left: number | undefined;
  readonly limit: number | undefined;
  /** When the counter is reset, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

export interface AccountClient {
  /**
   * Makes one call of the account service.
   * @throws AccountError
   */
  call<Op extends Operation>(operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<OutputOf<Op>>;
  callsLeft(): CallsLeft;
  /** The number of changes that were sent or are over: an answer from before the last one is not joined. */
  changes(): number;
  /** The service's last result for the key; undefined where it is older than ten minutes. Makes no call. */
  key(): KeyState | undefined;
}

export type KeyState = 'accepted' | 'refused';

export interface ResourceNames {
  /** Without `postbackUrl`, which may contain a secret and is never cached: services/retrieve returns it. */
  services(options?: CallOptions): Promise<readonly Service[]>;
  users(options?: CallOptions): Promise<readonly User[]>;
  devices(options?: CallOptions): Promise<readonly Device[]>;
  databases(options?: CallOptions): Promise<readonly Database[]>;
  /** The questions with their answers. */
  questions(options?: CallOptions): Promise<readonly Question[]>;
  /** The cached resources of one kind, up to a day old; makes no call. Undefined where none are cached. */
  cached<K extends keyof CachedResources>(kind: K): Promise<readonly CachedResources[K][] | undefined>;
  /** Names from the cache alone; makes no call. */
  cachedNames(kinds: readonly NamedKind[]): Promise<NameOf>;
  /** At most one call for each kind without fresh names; after a failure none for 30 s. By default quick. */
  findNames(kinds: readonly NamedKind[], options?: CallOptions): Promise<NameOf>;
  /** Drops the cache of one kind, or of all, after a change or on a person's request. */
  forget(kind?: keyof CachedResources): Promise<void>;
}

export type NamedKind = keyof CachedResources;

/** The name of a resource; undefined where it is not known. A device is found by its id and by its udid. */
export type NameOf = (kind: ReferenceKind, id: string) => string | undefined;

/** The kinds of resources whose names are cached. */
export interface CachedResources {
  readonly services: Service;
  readonly users: User;
  readonly devices: Device;
  readonly databases: Database;
  readonly questions: Question;
}

/**
 * One account, opened with its key. Opening a key again shares counters and cache and, while the account is used, calls
 * in flight. A caller that needs the account for longer than one task opens it again.
 */
export interface Account {
  readonly client: AccountClient;
  readonly names: ResourceNames;
}

export interface Accounts {
  open(apiKey: string): Account;
  /** Drops the account of the key once no call is under way. The counters stay. */
  forget(apiKey: string): void;
  close(): Promise<void>;
}

const texts = z.array(z.string()).readonly();

export const serviceShape = z.object({
  id: z.string(),
  name: z.string(),
  /** The method: record, ondevicerecord, database, ondevicedatabase, webview, postback, or an unknown value. */
  validationMethod: z.string(),
  databaseId: z.string().optional(),
  duplicateScanValue: z.string().optional(),
  description: z.string().optional(),
  userIds: texts,
  questionIds: texts,
});
export type Service = Readonly<z.output<typeof serviceShape>> & { readonly postbackUrl?: string };

export const userShape = z.object({
  id: z.string(),
  username: z.string(),
  serviceIds: texts,
  limit: z.string().optional(),
  created: z.string().optional(),
});
export type User = Readonly<z.output<typeof userShape>>;

export const deviceShape = z.object({
  id: z.string(),
  udid: z.string(),
  name: z.string(),
  created: z.string().optional(),
});
export type Device = Readonly<z.output<typeof deviceShape>>;

export const databaseShape = z.object({
  id: z.string(),
  name: z.string(),
  count: z.number().optional(),
  serviceIds: texts,
  caseSensitive: z.boolean().optional(),
});
export type Database = Readonly<z.output<typeof databaseShape>>;

/** A question that devices ask, with its answers. */
export const questionShape = z.object({
  id: z.string(),
  text: z.string(),
  /** The question's type: a value of `question_type`, or an unknown one. */
  type: z.string(),
  answers: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
});
export type Question = Readonly<z.output<typeof questionShape>>;

export interface DatabaseValue {
  readonly value: string;
  readonly valid: boolean;
  readonly response: string;
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The account's status of a scan. `other`: a status that docs/account-api.md does not list, kept as it came. */
export type ScanStatus = 'valid' | 'invalid' | 'not_validated' | 'other';

export interface RecordedScan {
  readonly id: string;
  readonly value: string;
  readonly status: ScanStatus;
  /** The status as the account sent it, where `status` is `other`. */
  readonly statusSent?: string;
  /** The response text. */
  readonly result: string;
  /** The scan's time: `YYYY-MM-DD HH:mm:ss` in the requested time zone. */
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
 * - `account.refused`: the service answered with an error; see `apiCode` and `apiText`.
 * - `account.key_refused`: API codes 10, 100, 101: the key is wrong, deleted or not allowed.
 * - `account.quota`: no calls left (own count, 111 or 113); `quota` says how many are left and when there are more.
 * - `account.unreachable`: no connection, or it broke before an answer.
 * - `account.slow`: no answer in time.
 * - `account.broken`: an unusable answer: not 200, HTML, cut off, too large, no status.
 * - `account.input`: the input does not match the declaration; `param` names the parameter. No whole call was made.
 * - `account.aborted`: the caller aborted, or the account was closed.
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

/** Why an answer is unusable. `server_error`: HTTP 5xx. */
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
  /** The account's error code, where it sent one. */
  readonly apiCode?: string;
  /** The service's own text. It comes from outside: escape it. */
  readonly apiText?: string;
  /** The meaning of `apiCode` for this operation, where it differs from the table of codes. */
  readonly meaning?: Pick<CodeMeaning, 'title' | 'todo'>;
  /** The parameter at fault, where it is known. */
  readonly param?: string;
  /** That parameter's label in forms, with `account.input`. */
  readonly label?: string;
  readonly quota?: { readonly period: 'minute' | 'day'; readonly left: number; readonly againAt: number };
  /** Why the answer is unusable, with `account.broken`. */
  readonly reason?: BrokenReason;
  /** Every problem, with `account.input`; `param` is the first one's. */
  readonly problems?: readonly InputProblem[];
  /** The change (`databases/create`) that was sent but not confirmed: it may have been made. */
  unconfirmed?: string;

  constructor(
    code: AccountErrorCode,
    message: string,
    { cause, ...details }: { readonly cause?: unknown } & Omit<Partial<AccountError>, keyof ScandeskError> = {},
  ) {
    super(code, message, { cause });
    Object.assign(this, details);
  }
}
