/**
 * Owns the form in which an operation of the account is declared. A declaration is data: the typed call, the checks, the
 * modal, the permission, the confirmation, the audit row, the help and the embedded service's input checks derive from it.
 */
import type { Element } from '../xml/xml.js';
import type { CodeMeaning } from './codes.js';

/** Another variable, the values of it that count, and the API code the service gives where the condition is broken. */
export interface InputCondition {
  readonly variable: string;
  readonly is: readonly string[];
  readonly code?: string;
}

interface Common {
  /** What the variable means, in one line, for a person. */
  readonly means: string;
  /** What a form calls it; made from the name where absent. */
  readonly label?: string;
  readonly required?: true;
  /** Required only where another variable has one of these values: `database_id` with validation_method=database. */
  readonly requiredWhen?: InputCondition;
  /** Required unless another variable holds an e-mail address: a new user's password. */
  readonly requiredUnlessEmail?: { readonly variable: string; readonly code?: string };
  /** In a record: required where the operation itself has no such variable for all records. */
  readonly requiredWithout?: string;
  /** Allowed only where another variable has one of these values. */
  readonly onlyWhen?: InputCondition;
  /** Variables that must come along (API code 224 and the like). */
  readonly requires?: readonly string[];
  /** The API code the service gives where one of `requires` is missing. */
  readonly requiresCode?: string;
  /** Variables that go along as they are now where they are left out; `requiresCode` where there is nothing to send. */
  readonly sentWith?: readonly string[];
  readonly excludes?: readonly string[];
  /** Where it holds, the text is a page and begins with exactly `<html>`. */
  readonly pageWhen?: InputCondition;
  /** What the service assumes when it is left out, as it goes over the wire. */
  readonly fallback?: string;
  /** Never shown, logged or put on record. */
  readonly secret?: true;
  /** Left out of a change it does not keep its value: it goes back to what the service assumes. */
  readonly resetWhenOmitted?: true;
  /** The heading under which a long form shows it. */
  readonly group?: string;
  /** Folded away until asked for. */
  readonly advanced?: true;
  /** The API error code the service gives when it is missing or wrong, where the contract tells. */
  readonly errors?: readonly string[];
}

export type ReferenceKind = 'service' | 'user' | 'device' | 'database' | 'question' | 'answer' | 'scan' | 'upload';

export type Param = Common &
  /** `pattern`: a regular expression the whole text must match; `means` says it in words. */
  (
    | { readonly type: 'text'; readonly max?: number; readonly multiline?: true; readonly pattern?: string }
    | { readonly type: 'barcode'; readonly max?: number }
    | { readonly type: 'flag' }
    | { readonly type: 'whole'; readonly min?: number; readonly max?: number }
    | { readonly type: 'choice'; readonly options: readonly (readonly [value: string, means: string])[] }
    | { readonly type: 'choices'; readonly options: readonly (readonly [value: string, means: string])[] }
    | { readonly type: 'id'; readonly of: ReferenceKind }
    /** `all`: the word is accepted by the service. Forms of deletes never offer it. */
    | { readonly type: 'ids'; readonly of: ReferenceKind; readonly all?: true }
    | { readonly type: 'date'; readonly american?: true }
    | { readonly type: 'time'; readonly american?: true }
    /** By any IANA name; `account`: the word stands for the account’s own zone. */
    | { readonly type: 'zone'; readonly account?: true }
    | { readonly type: 'url' }
    | { readonly type: 'email' }
    /** `object`: a JSON object whose values are texts or numbers. */
    | { readonly type: 'json'; readonly object?: true }
    /** `url`: the address of one does, too. */
    | { readonly type: 'file'; readonly suffixes: readonly string[]; readonly maxBytes: number; readonly url?: true }
    /** `name[key]=value`: PHP's map. */
    | { readonly type: 'pairs' }
    /** A list of names, comma between them. */
    | { readonly type: 'names' }
    /**
     * `name[0][field]=…`: PHP's list of records. `columns`: the fields a line of typed text holds, quoted as in CSV.
     */
    | {
        readonly type: 'records';
        readonly max: number;
        readonly fields: Readonly<Record<string, Param>>;
        readonly columns?: readonly string[];
      }
  );

export type Params = Readonly<Record<string, Param>>;

/** What a delete removes and a confirmation must name. */
export type Effect = 'read' | 'write' | 'delete';

/** Two moments that must come in order: names of the variables that hold them. */
export interface ServicePeriod {
  readonly startDate: string;
  readonly startTime: string;
  readonly endDate: string;
  readonly endTime: string;
  /** The API code for an end before its start. */
  readonly orderCode?: string;
  /** The end must lie ahead; the API code where it does not. */
  readonly pastCode?: string;
}

/** A picture as the barcode generator sends it. */
export interface Picture {
  readonly format: 'gif' | 'jpg' | 'png';
  readonly contentType: 'image/gif' | 'image/jpeg' | 'image/png';
  readonly content: Uint8Array;
}

export interface Operation<V extends Params = Params, Out = unknown> {
  readonly section: string;
  readonly action: string;
  /** A short name for people: `Look up values`. At most 24 characters: it titles a modal. */
  readonly title: string;
  /**
   * Of a change: what was done, in the past, each `{variable}` standing for what was sent for it: `Renamed {database_id} to
   * {database_name}`. Of a thing by its id it says what kind of thing that is.
   */
  readonly done?: string;
  readonly effect: Effect;
  readonly input: V;
  /** From the root element of a successful answer. Unknown elements and attributes are ignored. */
  readonly output: (root: Element) => Out;
  /** From an answer that is a picture; where absent a picture is a broken answer. */
  readonly picture?: (picture: Picture) => Out;
  readonly period?: ServicePeriod;
  /** Of an input that the account cannot be asked as it is: what is sent instead. Undefined for any other. */
  adapt?(input: Readonly<Record<string, unknown>>): Adapted<NoInfer<Out>> | undefined;
  /** The barcode generator has a host of its own and answers with an image. */
  readonly host?: 'account' | 'generator';
  /** API codes this operation may answer besides the ones every call may. */
  readonly errors: readonly string[];
  /** What a code says of this operation, where that is not what it says of others. */
  readonly meanings?: Readonly<Record<string, Pick<CodeMeaning, 'title' | 'todo'>>>;
  /** What a developer must know that the contract's table does not say. */
  readonly notes?: string;
}

/** What is sent in place of an input, and what its answer says of the input that was given. */
export interface Adapted<Out> {
  readonly input: Readonly<Record<string, unknown>>;
  output(out: Out): Out;
}

/** A file on its way to the service. */
export interface FileInput {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

export type ValueOf<T extends Param> = T extends { type: 'flag' }
  ? boolean
  : T extends { type: 'whole' }
    ? number
    : T extends { type: 'choice'; options: infer O extends readonly (readonly [string, string])[] }
      ? O[number][0]
      : T extends { type: 'choices'; options: infer O extends readonly (readonly [string, string])[] }
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

/** Declares an operation, keeping its literal types. */
export function operation<const V extends Params, Out>(declaration: Operation<V, Out>): Operation<V, Out> {
  return declaration;
}
