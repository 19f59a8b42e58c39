/**
 * Owns the words in which the rest of Scandesk speaks of a lookup: what was asked, what each database knows, which scans
 * there were. Times are milliseconds since the epoch. They are zod shapes, because a lookup is kept as JSON and shown again
 * as it was.
 */
import { z } from 'zod';
import { type AccountErrorCode, brokenReasons } from '../account/types.js';

const accountErrorCodes = [
  'account.refused',
  'account.key_refused',
  'account.quota',
  'account.unreachable',
  'account.slow',
  'account.broken',
  'account.input',
  'account.aborted',
] as const satisfies readonly AccountErrorCode[];

const named = z.object({ id: z.string(), name: z.string() }).readonly();

/** An error of the account as data. `apiText` is the service's own words: escape them. */
const failure = z
  .object({
    code: z.enum(accountErrorCodes),
    apiCode: z.string().optional(),
    apiText: z.string().optional(),
    reason: z.enum(brokenReasons).optional(),
    quota: z
      .object({ period: z.enum(['minute', 'day']), left: z.number(), againAt: z.number() })
      .readonly()
      .optional(),
  })
  .readonly();

export type Failure = z.output<typeof failure>;

/**
 * What one database knows of the barcode.
 * - `known`: it holds it. `value` is the database's own spelling.
 * - `unknown`: it answered, and does not hold it. `similar`: what it answered instead, differing by more than the database's
 *   own rules allow (case in a case-sensitive one, a space at the end): worth a look, never a match.
 * - `failed`: it gave no answer, so nothing is known.
 */
const finding = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('known'), database: named, value: z.string(), valid: z.boolean(), response: z.string() })
    .readonly(),
  z.object({ kind: z.literal('unknown'), database: named, similar: z.array(z.string()).readonly() }).readonly(),
  z.object({ kind: z.literal('failed'), database: named, why: failure }).readonly(),
]);

export type Finding = z.output<typeof finding>;

/** Where a scan was made. `text`: the degrees with the digits that the device sent. */
const place = z.object({ latitude: z.number(), longitude: z.number(), text: z.string() }).readonly();

export type Place = z.output<typeof place>;

/**
 * One scan. `id` is the account's, absent where only the relay has it (`source: relay`: a direct scan, which the account
 * never stores). `at` is absent where the time was no time; `atText` is what came. `value` is the scan's own spelling.
 */
const seenScan = z
  .object({
    id: z.string().optional(),
    source: z.enum(['account', 'relay']),
    value: z.string(),
    status: z.enum(['valid', 'invalid', 'not_validated', 'other']),
    result: z.string(),
    at: z.number().optional(),
    atText: z.string(),
    service: named,
    device: named,
    user: named,
    answers: z.array(z.object({ question: z.string(), answer: z.string() }).readonly()).readonly(),
    place: place.optional(),
  })
  .readonly();

export type SeenScan = z.output<typeof seenScan>;

/**
 * Duplicates at a glance, counted over the `read` scans. `total`: how many there are; where that is not `exact`, at least
 * so many. `firstAt` is known only where all were read.
 */
const summary = z
  .object({
    read: z.number(),
    total: z.number(),
    exact: z.boolean(),
    valid: z.number(),
    invalid: z.number(),
    firstAt: z.number().optional(),
    lastAt: z.number().optional(),
  })
  .readonly();

export type ScanSummary = z.output<typeof summary>;

/** Newest first. `more`: there are others. `failed`: the account did not tell; `scans` are those the relay took. */
const history = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), scans: z.array(seenScan).readonly(), summary, more: z.boolean() }).readonly(),
  z.object({ kind: z.literal('failed'), scans: z.array(seenScan).readonly(), why: failure }).readonly(),
]);

export type ScanHistory = z.output<typeof history>;

/**
 * The one sentence everything else hangs on.
 * - `valid`, `invalid`: every database that knows it says so.
 * - `mixed`: databases disagree.
 * - `unknown`: every database of the account was asked, every one answered, none knows it.
 * - `not_in_asked`: the same of those asked, but the account has others, or did not tell whether it has.
 * - `uncertain`: none that answered knows it, and at least one gave no answer.
 * - `no_databases`: there was none to ask.
 */
const verdict = z.enum(['valid', 'invalid', 'mixed', 'unknown', 'not_in_asked', 'uncertain', 'no_databases']);

export type Verdict = z.output<typeof verdict>;

/** `left` and `limit` are absent while nothing is known, and where there is no limit. */
const counter = z
  .object({ left: z.number().optional(), limit: z.number().optional(), resetsAt: z.number() })
  .readonly();

const callsLeft = z.object({ minute: counter, day: counter }).readonly();

export type DeskCallsLeft = z.output<typeof callsLeft>;

/**
 * Everything one card shows. `spellings`: how databases spell it where that differs; their scans are in `history` too. `findings` in the order in which the databases were asked. `notAsked`: the account's other
 * databases; absent where it did not tell which it has (`listFailed`: why). `cost`: calls the same lookup takes again.
 */
export const lookupShape = z
  .object({
    value: z.string(),
    spellings: z.array(z.string()).readonly(),
    askedAt: z.number(),
    verdict,
    findings: z.array(finding).readonly(),
    notAsked: z.array(named).readonly().optional(),
    listFailed: failure.optional(),
    history,
    callsLeft,
    cost: z.number(),
  })
  .readonly();

export type Lookup = z.output<typeof lookupShape>;
