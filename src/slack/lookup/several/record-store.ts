/**
 * What a card of several barcodes shows, stored so that it can be shared as it was, and refreshed. The buttons below
 * the lines carry its id. A line holds what the card shows of a lookup, not the lookup.
 */
import { z } from 'zod';
import { defaultGreenMs, headlineShape } from '../../../lookup/index.js';
import { recordStore } from '../../../workspaces/record-store.js';

/** The prefix with which a picture's reader marks a GS1 barcode. */
const symbology = z.string().optional();

/** Why there are no calls. `until`: when there are calls again. */
const quota = { until: z.number().optional(), period: z.enum(['minute', 'day']).optional() };

/** `scan`: the deciding scan; `by`: its service and user. `database`: the first that holds the barcode. */
const answeredLine = z
  .object({
    kind: z.literal('answered'),
    value: z.string(),
    /** The equal reading that a database holds, where it does not hold `value`. */
    reading: z.string().optional(),
    symbology,
    headline: headlineShape,
    /** The failure as text: its cause, the person who can help and the remedy; before `until`, its cause. */
    why: z.string().optional(),
    ...quota,
    scan: z
      .object({ label: z.string(), at: z.number().optional(), atText: z.string(), by: z.array(z.string()).readonly() })
      .readonly()
      .optional(),
    database: z.object({ name: z.string(), response: z.string(), others: z.number() }).readonly().optional(),
    /** For a used barcode: when deleted scans were last looked for. */
    scansAt: z.number().optional(),
  })
  .readonly();

/** Why nothing was answered for a barcode. `what`: another reason, as text. */
const unansweredLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no_calls'), value: z.string(), symbology, ...quota }).readonly(),
  z.object({ kind: z.literal('failed'), value: z.string(), symbology, what: z.string() }).readonly(),
  z.object({ kind: z.literal('too_long'), value: z.string(), length: z.number() }).readonly(),
]);

const severalLine = z.union([answeredLine, unansweredLine]);

export type SeveralLine = z.output<typeof severalLine>;
export type AnsweredLine = z.output<typeof answeredLine>;

/**
 * The stored card. `parted`: a text was split at commas or spaces, and not all of it was found. `connectedAt`: the
 * connection that answered.
 */
const severalShape = z
  .object({
    lines: z.array(severalLine).readonly(),
    leftOut: z.array(z.string()).readonly(),
    parted: z.boolean(),
    askedAt: z.number(),
    /** How many calls a refresh takes, which asks the account for everything. */
    cost: z.number(),
    connectedAt: z.number().optional(),
  })
  .readonly();

export type SeveralAnswer = z.output<typeof severalShape>;

const oldShape = z.looseObject({
  askedAt: z.number(),
  asOf: z.object({ values: z.number().optional(), scans: z.number().optional() }).optional(),
  greenMs: z.number().default(defaultGreenMs),
  lines: z.array(z.looseObject({ headline: z.unknown().optional(), dated: z.object({ at: z.number() }).optional() })),
});

/** A stored card whose lines have headlines; versions before stored their kinds, and one age for all lines. */
function withHeadlines(stored: unknown): unknown {
  const { data } = oldShape.safeParse(stored);
  if (!data) {
    return stored;
  }
  const { askedAt, asOf, greenMs } = data;
  const oldestAt = Math.min(askedAt, asOf?.values ?? askedAt, asOf?.scans ?? askedAt);
  const lines = data.lines.map((line) => {
    const { headline: kind, tone, title, dated } = line;
    const at = dated?.at ?? oldestAt;
    const stands = tone === 'good' ? { at, until: at + greenMs } : undefined;
    return typeof kind === 'string' ? { ...line, headline: { kind, tone, title, dated, at, stands } } : line;
  });
  return { ...data, lines };
}

export const severalRecords = recordStore('lookup-list', z.preprocess(withHeadlines, severalShape));
