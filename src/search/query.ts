/**
 * A search for scans: its shape, which is also stored, and the test whether a scan matches it. Pure. Text is compared
 * in any case, and so is a part of a barcode; a whole barcode is compared to the letter.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { asAnswered, fold } from '../codereadr/barcode-equality.js';
import { equalReadings } from '../gs1/readings.js';
import type { SeenScan } from '../scans/seen-scan.js';
import type { Span } from './when.js';

/** A service, user or device: chosen from the account's, by `id`, or part of a name. */
const namedSchema = z.union([
  z.object({ id: z.string(), name: z.string() }).readonly(),
  z.object({ part: z.string() }).readonly(),
]);

/** Results of scans; `used`: those that are not valid because of an earlier scan, as far as their response says so. */
export const scanResults = ['valid', 'invalid', 'not_validated', 'used'] as const;

export const scanQuery = z
  .object({
    /** `alike`: the same barcode in any form, as a lookup finds it: an equal reading, in any case. */
    barcode: z
      .object({ match: z.enum(['is', 'starts', 'contains', 'alike']), text: z.string() })
      .readonly()
      .optional(),
    /** The span of time in words, see `parseWhen`. */
    when: z.string().optional(),
    /** The relay that received the scan. */
    relay: z.object({ id: z.string(), name: z.string() }).readonly().optional(),
    results: z.array(z.enum(scanResults)).readonly().optional(),
    services: z.array(namedSchema).readonly().optional(),
    users: z.array(namedSchema).readonly().optional(),
    devices: z.array(namedSchema).readonly().optional(),
    /** A part of the response. */
    response: z.string().optional(),
    /** A part of an answer, or of its question. */
    answer: z.string().optional(),
    property: z.object({ name: z.string(), value: z.string() }).readonly().optional(),
  })
  .readonly();

export type ScanQuery = z.output<typeof scanQuery>;
export type NamedPart = z.output<typeof namedSchema>;

/** The facts of a scan with which a query is compared; names and ids are the account's. */
export interface SearchedScan
  extends Pick<SeenScan, 'value' | 'status' | 'result' | 'service' | 'user' | 'device' | 'answers'> {
  readonly at: number;
  /** The ids of the relays that received the scan. */
  readonly relays: readonly string[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  /** The result code of the relay that received the scan first. */
  readonly finding?: string | undefined;
}

export function matches(query: ScanQuery, timeSpan: Span, scan: SearchedScan): boolean {
  const { results, response, answer, property } = query;
  return (
    scan.at >= (timeSpan.from ?? Number.NEGATIVE_INFINITY) &&
    scan.at < (timeSpan.to ?? Number.POSITIVE_INFINITY) &&
    isBarcode(query, scan) &&
    (query.relay === undefined || scan.relays.includes(query.relay.id)) &&
    (results === undefined || results.some((each) => each === scan.status || (each === 'used' && isUsed(scan)))) &&
    isNamed(query.services, scan.service) &&
    isNamed(query.users, scan.user) &&
    isNamed(query.devices, scan.device) &&
    (response === undefined || holds(scan.result, response)) &&
    (answer === undefined || scan.answers.some((each) => holds(each.answer, answer) || holds(each.question, answer))) &&
    (property === undefined ||
      scan.properties.some(({ name, value }) => same(name, property.name) && holds(value, property.value)))
  );
}

/**
 * Whether the barcode is the one searched for. A scan that only the account has may lack characters that its answers
 * cannot carry: both are compared without these.
 */
function isBarcode({ barcode }: ScanQuery, { value, relays }: SearchedScan): boolean {
  if (!barcode) {
    return true;
  }
  const text = relays.length === 0 ? asAnswered(barcode.text) : barcode.text;
  switch (barcode.match) {
    case 'is':
      return value === text;
    case 'starts':
      return text !== '' && value.toUpperCase().startsWith(text.toUpperCase());
    case 'contains':
      return text !== '' && holds(value, text);
    case 'alike': {
      const { exact, answered } = formsOf(barcode.text);
      return (relays.length === 0 ? answered : exact).has(fold(value));
    }
  }
}

interface Forms {
  readonly exact: ReadonlySet<string>;
  /** As an answer of the account carries them. */
  readonly answered: ReadonlySet<string>;
}

const knownForms = new LRUCache<string, Forms>({ max: 100 });

/** The forms of a barcode, in one case. */
export function formsOf(text: string): Forms {
  const known = knownForms.get(text);
  const all = known ? [] : [text, ...equalReadings(text).map(({ value }) => value)];
  const forms = known ?? { exact: new Set(all.map(fold)), answered: new Set(all.map((one) => fold(asAnswered(one)))) };
  knownForms.set(text, forms);
  return forms;
}

/** Whether an earlier scan made this one not valid: a relay knows, of others only the response tells. */
function isUsed({ status, result, finding }: SearchedScan): boolean {
  return status === 'invalid' && (finding === 'duplicate' || /\b(?:already|duplicate)\b/i.test(result));
}

function isNamed(wanted: readonly NamedPart[] | undefined, { id, name }: { id: string; name: string }): boolean {
  return (
    wanted === undefined ||
    wanted.some((one) => ('id' in one ? one.id === id : one.part === id || holds(name, one.part)))
  );
}

function holds(text: string, part: string): boolean {
  // Lower case differs at the end of a word: ς and σ.
  return text.toUpperCase().includes(part.toUpperCase());
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
