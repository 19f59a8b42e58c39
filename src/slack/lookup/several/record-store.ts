/**
 * What a card of several barcodes shows, stored so that it can be shared as it was, and refreshed. The buttons below
 * the lines carry its id. A line holds what the card shows of a lookup, not the lookup.
 */
import { z } from 'zod';
import { datedTitle, headlineKinds } from '../../../lookup/index.js';
import { recordStore } from '../../../workspaces/record-store.js';

/** The prefix with which a picture's reader marks a GS1 barcode. */
const symbology = z.string().optional();

const asOf = z
  .object({ values: z.number().optional(), scans: z.number().optional(), fullAt: z.number().optional() })
  .readonly();

/** `scan`: the deciding scan; `by`: its service and user. `database`: the first that holds the barcode. */
const answeredLine = z
  .object({
    kind: z.literal('answered'),
    value: z.string(),
    /** The equal reading that a database holds, where it does not hold `value`. */
    reading: z.string().optional(),
    symbology,
    headline: z.enum(headlineKinds),
    tone: z.enum(['good', 'bad', 'unsure', 'unknown']),
    title: z.string(),
    dated: datedTitle.optional(),
    /** The failure as text: its cause, the person who can help and the remedy. */
    why: z.string().optional(),
    scan: z
      .object({ label: z.string(), at: z.number().optional(), atText: z.string(), by: z.array(z.string()).readonly() })
      .readonly()
      .optional(),
    database: z.object({ name: z.string(), response: z.string(), others: z.number() }).readonly().optional(),
    /** Since when the result is known, where the account should have confirmed it, but did not. */
    uncheckedSince: z.number().optional(),
    /** For a used barcode: when deleted scans were last looked for. */
    scansAt: z.number().optional(),
  })
  .readonly();

/** Why nothing was answered for a barcode. `until`: when there are calls again. `what`: another reason, as text. */
const unansweredLine = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('no_calls'),
      value: z.string(),
      symbology,
      until: z.number().optional(),
      period: z.enum(['minute', 'day']).optional(),
    })
    .readonly(),
  z.object({ kind: z.literal('failed'), value: z.string(), symbology, what: z.string() }).readonly(),
  z.object({ kind: z.literal('too_long'), value: z.string(), length: z.number() }).readonly(),
]);

const severalLine = z.union([answeredLine, unansweredLine]);

export type SeveralLine = z.output<typeof severalLine>;
export type AnsweredLine = z.output<typeof answeredLine>;

/** The stored card. `parted`: a text was split at commas or spaces. `connectedAt`: the connection that answered. */
const severalShape = z
  .object({
    lines: z.array(severalLine).readonly(),
    leftOut: z.array(z.string()).readonly(),
    parted: z.boolean(),
    askedAt: z.number(),
    asOf: asOf.optional(),
    /** The age up to which a tick stands; absent where nothing is copied. */
    greenMs: z.number().optional(),
    /** How many calls a refresh takes, which asks the account for everything. */
    cost: z.number(),
    connectedAt: z.number().optional(),
  })
  .readonly();

export type SeveralAnswer = z.output<typeof severalShape>;

export const severalRecords = recordStore('lookup-list', severalShape);
