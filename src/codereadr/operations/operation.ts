/**
 * The format in which an operation is declared, as data. Typed call, validation, modal, permission, confirmation, audit
 * row, help and the sandbox's input validation derive from it.
 */
import type { Element } from '../xml/xml.js';
import type { CodeMeaning } from './codes.js';

/** Another parameter, its values that count, and the service's API code where the condition is violated. */
export interface InputCondition {
  readonly param: string;
  readonly is: readonly string[];
  readonly code?: string;
}

interface Common {
  /** The parameter in one line, for a person. */
  readonly description: string;
  /** The label in forms; derived from the name where absent. */
  readonly label?: string;
  readonly required?: true;
  /** Required only where another parameter has one of these values: `database_id` with validation_method=database. */
  readonly requiredWhen?: InputCondition;
  /** Required unless another parameter holds an e-mail address: a new user's password. */
  readonly requiredUnlessEmail?: { readonly param: string; readonly code?: string };
  /** Set in a record's field: the field is required where this parameter of the operation sets no value for all. */
  readonly requiredWithout?: string;
  /** Allowed only where another parameter has one of these values. */
  readonly onlyWhen?: InputCondition;
  /** Parameters that must be sent with this one (API code 224 and the like). */
  readonly requires?: readonly string[];
  /** The service's API code where one of `requires` is missing. */
  readonly requiresCode?: string;
  /** Parameters sent with their current value if the input omits them; `requiresCode` if the account has none. */
  readonly sentWith?: readonly string[];
  readonly conflictsWith?: readonly string[];
  /** The condition under which the text is a page and begins with exactly `<html>`. */
  readonly pageWhen?: InputCondition;
  /** The service's default, as it goes over the wire. */
  readonly default?: string;
  /** The text that clears the parameter, where the account does not take an empty text for that. */
  readonly clearedBy?: string;
  /** Whether the value is secret: never shown, logged or audited, and never cleared. */
  readonly secret?: true;
  /** Whether a change without this parameter resets it to the service's default. */
  readonly resetWhenOmitted?: true;
  /** The heading of the parameter's group in a long form. */
  readonly group?: string;
  /** Whether the form hides the field until it is unfolded. */
  readonly advanced?: true;
  /** The account's error codes for a missing or wrong parameter, as far as they are known. */
  readonly errors?: readonly string[];
}

export type ReferenceKind = 'service' | 'user' | 'device' | 'database' | 'question' | 'answer' | 'scan' | 'upload';

export type Param = Common &
  /** A text. `pattern`: a regular expression that the whole text must match; `description` explains it. */
  (
    | { readonly type: 'text'; readonly max?: number; readonly multiline?: true; readonly pattern?: string }
    | { readonly type: 'barcode'; readonly max?: number }
    | { readonly type: 'boolean' }
    | { readonly type: 'integer'; readonly min?: number; readonly max?: number }
    | { readonly type: 'enum'; readonly options: readonly (readonly [value: string, description: string])[] }
    | { readonly type: 'enumList'; readonly options: readonly (readonly [value: string, description: string])[] }
    | { readonly type: 'id'; readonly of: ReferenceKind }
    /** Ids of records. `all`: the service accepts that value. Forms of deletes never offer it. */
    | { readonly type: 'ids'; readonly of: ReferenceKind; readonly all?: true }
    | { readonly type: 'date'; readonly american?: true }
    | { readonly type: 'time'; readonly american?: true }
    /** A time zone, under any IANA name; `account`: that value means the account’s own zone. */
    | { readonly type: 'zone'; readonly account?: true }
    | { readonly type: 'url' }
    | { readonly type: 'email' }
    /** JSON. `object`: a JSON object whose values are texts or numbers. */
    | { readonly type: 'json'; readonly object?: true }
    /** A file. `url`: whether its URL is also accepted. `converted`: suffixes of files that the form sends as another. */
    | {
        readonly type: 'file';
        readonly suffixes: readonly string[];
        readonly converted?: readonly string[];
        readonly maxBytes: number;
        readonly url?: true;
      }
    /** A map in PHP's form: `name[key]=value`. */
    | { readonly type: 'pairs' }
    /** A comma-separated list of names. */
    | { readonly type: 'names' }
    /**
     * A list of records in PHP's form, `name[0][field]=…`. `columns`: the fields in a line of typed text, quoted as in
     * CSV, unless a header line of `headers` names them.
     */
    | {
        readonly type: 'records';
        readonly max: number;
        readonly fields: Readonly<Record<string, Param>>;
        readonly columns?: readonly string[];
        readonly headers?: 'values';
      }
  );

export type Params = Readonly<Record<string, Param>>;

/** What an operation does. `delete`: needs a confirmation that names the deleted records. */
export type Effect = 'read' | 'write' | 'delete';

/** Two times that must come in order, by the names of their parameters. */
export interface ServicePeriod {
  readonly startDate: string;
  readonly startTime: string;
  readonly endDate: string;
  readonly endTime: string;
  /** The API code for an end before its start. */
  readonly orderCode?: string;
  /** The API code for an end that has passed. */
  readonly pastCode?: string;
}

/** A picture as the barcode generator sends it. */
export interface Picture {
  readonly format: 'gif' | 'jpg' | 'png';
  readonly contentType: 'image/gif' | 'image/jpeg' | 'image/png';
  readonly content: Uint8Array;
}

interface Declaration<V extends Params, Out> {
  /** The title of the operation's modal: `Search values`. At most 24 characters. */
  readonly title: string;
  /**
   * The success message of a change, in the past tense, each `{param}` replaced by the value sent: `Renamed
   * {database_id} to {database_name}`. For an id it includes the kind of resource.
   */
  readonly success?: string;
  readonly effect: Effect;
  readonly input: V;
  /**
   * Parses the root element of a successful answer. Unknown elements and attributes are ignored. Returns a promise
   * where the answer may be large: see `mapInTurns`.
   */
  readonly output: (root: Element) => Out | Promise<Out>;
  /** Parses an answer that is a picture; without this function, a picture is a broken answer. */
  readonly picture?: (picture: Picture) => Out;
  readonly period?: ServicePeriod;
  /** The input to send instead of one that the account does not support; undefined for a supported input. */
  adapt?(input: Readonly<Record<string, unknown>>): Adapted<NoInfer<Out>> | undefined;
  /** The host of the operation: the barcode generator has one of its own and answers with an image. */
  readonly host?: 'account' | 'generator';
  /** API codes of this operation that belong to none of its parameters. */
  readonly errors?: readonly string[];
  /** The meanings of codes for this operation, where they differ from the table. */
  readonly meanings?: Readonly<Record<string, Pick<CodeMeaning, 'title' | 'todo'>>>;
  /** Notes for developers, in docs/account-api.md#operations. */
  readonly notes?: string;
}

export interface Operation<V extends Params = Params, Out = unknown> extends Declaration<V, Out> {
  readonly section: string;
  readonly action: string;
  /** API codes of this operation and its parameters, besides those of every call. */
  readonly errors: readonly string[];
}

/** An input that is sent in place of another, and the reading of its answer as the answer to the original input. */
export interface Adapted<Out> {
  readonly input: Readonly<Record<string, unknown>>;
  output(out: Out): Out;
}

export interface FileInput {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

export type ValueOf<T extends Param> = T extends { type: 'boolean' }
  ? boolean
  : T extends { type: 'integer' }
    ? number
    : T extends { type: 'enum'; options: infer O extends readonly (readonly [string, string])[] }
      ? O[number][0]
      : T extends { type: 'enumList'; options: infer O extends readonly (readonly [string, string])[] }
        ? readonly O[number][0][]
        : T extends { type: 'ids'; all: true }
          ? readonly string[] | 'all'
          : T extends { type: 'ids' | 'names' }
            ? readonly string[]
            : T extends { type: 'pairs' }
              ? Readonly<Record<string, string>>
              : T extends { type: 'file' }
                ? FileInput | (T extends { url: true } ? string : never)
                : T extends { type: 'records'; fields: infer F extends Params }
                  ? readonly InputFrom<F>[]
                  : string;

type RequiredNames<V extends Params> = { [K in keyof V]: V[K] extends { required: true } ? K : never }[keyof V];

export type InputFrom<V extends Params> = {
  readonly [K in RequiredNames<V>]: ValueOf<V[K]>;
} & { readonly [K in Exclude<keyof V, RequiredNames<V>>]?: ValueOf<V[K]> };

export type InputOf<Op extends Operation> = Op extends Operation<infer V, unknown> ? InputFrom<V> : never;
export type OutputOf<Op extends Operation> = Op extends Operation<Params, infer Out> ? Out : never;

export function operation<const V extends Params, Out>(
  section: string,
  action: string,
  declaration: Declaration<V, Out>,
): Operation<V, Out> {
  const { input, period, errors = [] } = declaration;
  const codes = [...errors, ...codesOf(input), period?.orderCode, period?.pastCode].filter(
    (code) => code !== undefined,
  );
  return { ...declaration, section, action, errors: [...new Set(codes)].sort((a, b) => Number(a) - Number(b)) };
}

function codesOf(params: Params): (string | undefined)[] {
  return Object.values(params).flatMap((param) => [
    ...(param.errors ?? []),
    ...[param.requiresCode, param.requiredWhen?.code, param.onlyWhen?.code, param.requiredUnlessEmail?.code],
    ...(param.type === 'records' ? codesOf(param.fields) : []),
  ]);
}
