/**
 * The public types of a lookup's answer: each database's finding, the scans. Times are milliseconds since the epoch.
 * The types are zod schemas, because a lookup is stored as JSON and shown again unchanged.
 */
import { z } from 'zod';
import { failureShape } from '../codereadr/attempt.js';
import { seenScan } from '../scans/seen-scan.js';
import { withFacts } from './stored.js';

const namedShape = z.object({ id: z.string(), name: z.string() }).readonly();

/**
 * What a lookup knows of a fact besides its value. `at`: as of when it holds. `whole`: nothing of it is missing or in
 * doubt. `source`: who said so, the account just now or its copy here. `failure`: why the account did not say so anew.
 */
const fact = {
  at: z.number(),
  whole: z.boolean(),
  source: z.enum(['account', 'copy']),
  failure: failureShape.optional(),
};
const factShape = z.object(fact).readonly();

export type Fact = z.output<typeof factShape>;

/**
 * The answer of one database about the barcode.
 * - `known`: the database holds the barcode. `value` is the database's own spelling. It is whole unless it may be gone.
 * - `unknown`: the database lacks the barcode. It is whole where no copy older than a minute says so. `similar`: rows of
 * the answer that differ by more than the database's own rules allow (case in a case-sensitive one, a space at the
 * end): worth a look, never a match.
 * - `failed`: the account gave no answer; by the `copy`, the database lacked the barcode.
 */
const finding = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('known'),
      database: namedShape,
      value: z.string(),
      valid: z.boolean(),
      response: z.string(),
      ...fact,
    })
    .readonly(),
  z
    .object({ kind: z.literal('unknown'), database: namedShape, similar: z.array(z.string()).readonly(), ...fact })
    .readonly(),
  z.object({ kind: z.literal('failed'), database: namedShape, ...fact, failure: failureShape }).readonly(),
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

const reach = { days: z.number().optional(), fullAt: z.number().optional() };

/**
 * The scans, newest first. `more`: there are others. `days`: older ones were not read. `fullAt`: when deleted ones were
 * last looked for, where they may be among these. `failed`: an answer of the account is missing.
 */
const history = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('read'),
      scans: z.array(seenScan).readonly(),
      summary,
      more: z.boolean(),
      ...fact,
      ...reach,
    })
    .readonly(),
  z
    .object({
      kind: z.literal('failed'),
      scans: z.array(seenScan).readonly(),
      ...fact,
      ...reach,
      failure: failureShape,
    })
    .readonly(),
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

const copyProgress = z
  .object({
    values: z.object({ read: z.number(), of: z.number().optional() }).readonly().optional(),
    scans: z.number().optional(),
  })
  .readonly();

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
 * list failed. `lists`: the lists of databases and of services that the answer rests on; one that is not whole could
 * not be read. Without services, `gates` lacks those that check nothing. `greenMs`: the age up to which facts stand where
 * the account does not answer; absent where nothing is copied. `copying`: how far the first copy is. `cost`: the calls
 * that repeating the lookup takes.
 */
const currentShape = z
  .object({
    value: z.string(),
    spellings: z.array(z.string()).readonly(),
    askedAt: z.number(),
    findings: z.array(finding).readonly(),
    notAsked: z.array(namedShape).readonly().optional(),
    history,
    gates: z.array(validator).readonly(),
    lists: z.object({ databases: factShape.optional(), services: factShape.optional() }).readonly(),
    greenMs: z.number().optional(),
    copying: copyProgress.optional(),
    callsLeft,
    cost: z.number(),
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

/** A stored lookup, of this version or an older one. */
export const lookupShape = z.preprocess(withFacts, currentShape);

export type Lookup = z.output<typeof currentShape>;
