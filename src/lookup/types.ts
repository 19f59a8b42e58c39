/**
 * The public types of a lookup's answer: each database's finding, the scans. Times are milliseconds since the epoch.
 * The types are zod schemas, because a lookup is stored as JSON and shown again unchanged.
 */
import { z } from 'zod';
import { failureShape } from '../codereadr/attempt.js';
import { seenScan } from '../scans/seen-scan.js';

const namedShape = z.object({ id: z.string(), name: z.string() }).readonly();

/**
 * The answer of one database about the barcode.
 * - `known`: the database holds the barcode. `value` is the database's own spelling.
 * - `unknown`: the database answered, and lacks the barcode. `similar`: rows of the answer that differ by more than the
 * database's own rules allow (case in a case-sensitive one, a space at the end): worth a look, never a match.
 * - `failed`: the database gave no answer. `copiedAt`: the time at which the mirror of the database lacked the barcode;
 * absent where the account itself answered.
 */
const finding = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('known'),
      database: namedShape,
      value: z.string(),
      valid: z.boolean(),
      response: z.string(),
    })
    .readonly(),
  z
    .object({
      kind: z.literal('unknown'),
      database: namedShape,
      similar: z.array(z.string()).readonly(),
      copiedAt: z.number().optional(),
    })
    .readonly(),
  z
    .object({ kind: z.literal('failed'), database: namedShape, why: failureShape, copiedAt: z.number().optional() })
    .readonly(),
]);

export type DatabaseFinding = z.output<typeof finding>;

/**
 * A summary over the `read` scans. `total`: how many there are; a lower bound where it is not `exact`. `firstAt` is
 * known only where all were read.
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

/** The scans, newest first. `more`: there are others. `failed`: an answer of the account is missing. */
const history = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), scans: z.array(seenScan).readonly(), summary, more: z.boolean() }).readonly(),
  z.object({ kind: z.literal('failed'), scans: z.array(seenScan).readonly(), why: failureShape }).readonly(),
]);

export type ScanHistory = z.output<typeof history>;

/**
 * A validator, which checks barcodes against databases: a service of the account, or a relay. `serviceIds`: whose scans in
 * the account it checked. `once`: it admits a barcode once, or once within that many minutes. `thrownAway`: it admitted
 * this barcode by scans that are deleted, last at `admittedAt`, or may have, where nothing was counted. `receives`: its
 * scans are records, which let nobody in. `now`: what a relay would do with the barcode; without it, `once` says.
 * `removed`: it admits nothing any more.
 */
const validator = z
  .object({
    relay: z.boolean(),
    id: z.string(),
    name: z.string(),
    databaseIds: z.array(z.string()).readonly(),
    serviceIds: z.array(z.string()).readonly(),
    /** Whether it accepts a barcode by an equal reading of it. */
    readings: z.boolean().optional(),
    once: z.object({ withinMinutes: z.number().optional() }).readonly().optional(),
    thrownAway: z.object({ admittedAt: z.number().optional() }).readonly().optional(),
    /** Whether a scan in another spelling is of another barcode. */
    mindsCase: z.boolean().optional(),
    receives: z.boolean().optional(),
    now: z.enum(['admits', 'blocks', 'refuses']).optional(),
    removed: z.boolean().optional(),
  })
  .readonly();

export type Validator = z.output<typeof validator>;

/** A call counter. `left` and `limit` are absent while unknown, and where there is no limit. */
const counter = z
  .object({ left: z.number().optional(), limit: z.number().optional(), resetsAt: z.number() })
  .readonly();

const callsLeft = z.object({ minute: counter, day: counter }).readonly();

export type RemainingCalls = z.output<typeof callsLeft>;

/**
 * How old what is shown is. `values`: the oldest answer of the databases that hold the barcode; of all databases where
 * none does. `absent`: the oldest copy in which others do not hold it; left out where none is older than a minute.
 * `scans`: as of when scans are known; `fullAt`: when deleted ones were last looked for. `scanDays`: older scans were not read. `unchecked`: the account did not confirm it; `why`: why not.
 * `doubtful`: the mirror is not sure that a database still holds the barcode. `greenMs`: the account has to confirm
 * older answers. `copying`: how far the first copy of the account is.
 */
const asOf = z
  .object({
    values: z.number().optional(),
    absent: z.number().optional(),
    scans: z.number().optional(),
    fullAt: z.number().optional(),
    scanDays: z.number().optional(),
    unchecked: z.boolean().optional(),
    why: failureShape.optional(),
    doubtful: z.boolean().optional(),
    greenMs: z.number().optional(),
    copying: z
      .object({
        values: z.object({ read: z.number(), of: z.number().optional() }).readonly().optional(),
        scans: z.number().optional(),
      })
      .readonly()
      .optional(),
  })
  .readonly();

export type AsOf = z.output<typeof asOf>;

/**
 * Suggestions for an unknown barcode. `close`: barcodes one slip away that exist, likeliest first. `lost`: what the
 * account's answers leave of close values with control characters, where nothing tells the values themselves.
 * `byResponse`: values whose response contains the words searched for; `response` is an excerpt, `more`: there are
 * others, `searched`: time was up after so many values.
 */
const suggestions = z
  .object({
    close: z.array(z.string()).readonly(),
    lost: z.array(z.string()).readonly().optional(),
    byResponse: z
      .object({
        values: z
          .array(
            z
              .object({ value: z.string(), response: z.string(), database: namedShape, lost: z.boolean().optional() })
              .readonly(),
          )
          .readonly(),
        more: z.boolean(),
        searched: z.number().optional(),
      })
      .readonly()
      .optional(),
  })
  .readonly();

export type Suggestions = z.output<typeof suggestions>;

/**
 * Everything one card shows. `spellings`: other spellings of the barcode, whose scans are in `history` too. `findings`
 * are in the order in which the databases were searched. `notAsked`: the account's other databases; absent where the
 * list failed (`listFailed`: why). `gatesFailed`: why the account's services are not among the gates. `lists`: as of when
 * the lists of databases and of services are known that the answer rests on; without it, `gates` lacks services that
 * check nothing. `cost`: the calls that repeating the lookup takes.
 */
export const lookupShape = z
  .object({
    value: z.string(),
    spellings: z.array(z.string()).readonly(),
    askedAt: z.number(),
    findings: z.array(finding).readonly(),
    notAsked: z.array(namedShape).readonly().optional(),
    listFailed: failureShape.optional(),
    history,
    gates: z.array(validator).readonly(),
    gatesFailed: failureShape.optional(),
    lists: z.object({ databases: z.number().optional(), services: z.number().optional() }).readonly().optional(),
    callsLeft,
    cost: z.number(),
    asOf: asOf.optional(),
    /** The prefix with which a picture's reader marks a GS1 barcode. */
    symbology: z.string().optional(),
    suggestions: suggestions.optional(),
    /**
     * What was looked up, and its own scans, where no database holds it and `value` is an equal reading of it. Of a
     * barcode that a relay admitted by a reading, `value` is what was looked up, and the findings are the reading's.
     */
    reading: z
      .object({ typed: z.string(), kind: z.enum(['spelling', 'article']), scans: z.number() })
      .readonly()
      .optional(),
  })
  .readonly();

export type Lookup = z.output<typeof lookupShape>;
