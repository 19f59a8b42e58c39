/**
 * Schema of a relay's settings: validation, answers, questions, rules. Stored as JSON; missing keys take their
 * defaults.
 */
import { z } from 'zod';
import { networkProblem } from '../intake/ip-allow-list.js';
import { patternProblem } from '../rules/conditions/pattern.js';
import { canonicalZone } from '../rules/zones.js';

/** `HH:mm`, 24 hours. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const zone = z.string().refine((name) => canonicalZone(name) !== undefined, 'not a time zone');
const channel = z.string().min(1);
const minutes = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60);

/** RE2. */
const pattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine((text) => patternProblem(text) === undefined, { error: (issue) => patternProblem(String(issue.input)) });

/** Days 1 (Monday) to 7. `from` after `to` goes over midnight; the day is the one it begins on. */
export const hoursSchema = z.object({
  zone,
  days: z.array(z.number().int().min(1).max(7)).min(1),
  from: timeOfDay,
  to: timeOfDay,
});
export type Hours = z.output<typeof hoursSchema>;

/** How texts are compared: case-sensitive by default. */
const exact = z.boolean().default(true);

export const validationSchema = z.discriminatedUnion('kind', [
  /** The account's own result stays; the rest is valid. */
  z.object({ kind: z.literal('accept') }),
  z.object({
    kind: z.literal('database'),
    databaseIds: z.array(z.string()).min(1).max(10),
    /** If it is unknown: not in the mirror, and no live answer in time. */
    unknown: z.enum(['accept', 'reject']).default('accept'),
    /** Percent of the account's calls a minute for live look-ups. */
    liveShare: z.number().int().min(0).max(100).default(30),
    /** Of the 15 s a device waits. */
    budgetMs: z.number().int().min(0).max(10_000).default(3_000),
  }),
  z.object({
    kind: z.literal('list'),
    values: z.array(z.string()).max(10_000),
    exact,
    listed: z.enum(['valid', 'invalid']).default('valid'),
  }),
  z.object({
    kind: z.literal('pattern'),
    /** RE2: linear in the length of what it reads. Found anywhere unless anchored. */
    pattern,
    matching: z.enum(['valid', 'invalid']).default('valid'),
  }),
]);
export type ValidationSettings = z.output<typeof validationSchema>;

/** Result codes; the answer's text and color depend on them. */
export const resultCodes = [
  'valid',
  'invalid',
  'duplicate',
  'outside_hours',
  'limit',
  'unknown_accepted',
  'unknown_rejected',
] as const;
export type ResultCode = (typeof resultCodes)[number];

/**
 * Templates know {value} {response} {user} {device} {service} {count} {time} {database}. A page's values are HTML-escaped.
 * `count`: how often the value was scanned, this scan included. `time`: of a duplicate and past a limit, when the value was
 * last accepted; else of the scan.
 */
export const answerSchema = z.object({
  text: z.string().max(4_000),
  kind: z.enum(['plain', 'page']).default('plain'),
  /** `scan_display_config`: the heading on the device and its colour, `#rrggbb`. */
  title: z.string().max(60).optional(),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
});
export type Answer = z.output<typeof answerSchema>;

/** Asked on the device after the scan; the answers come with a second submit. */
export const questionSchema = z.object({
  id: z.string().regex(/^\d{1,9}$/),
  text: z.string().min(1).max(500),
  type: z.enum(['manual', 'manualnumeric', 'option', 'checkbox', 'dropdown']),
  answers: z.array(z.string().min(1).max(200)).max(50).default([]),
  /** Ask only for these result codes; empty: always. */
  when: z.array(z.enum(resultCodes)).default([]),
});

export const conditionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('every') }),
  z.object({ kind: z.literal('result'), is: z.enum(['valid', 'invalid', 'duplicate', 'late', 'not_validated']) }),
  z.object({ kind: z.literal('value'), is: z.array(z.string().min(1)).min(1).max(1_000), exact }),
  z.object({ kind: z.literal('value_pattern'), pattern }),
  /** The value looks like an EAN-8, UPC-A, EAN-13, GTIN-14 or SSCC, and its last digit does not fit. */
  z.object({ kind: z.literal('check_digit') }),
  /** Somebody watches it: /scandesk watch. */
  z.object({ kind: z.literal('watched') }),
  z.object({ kind: z.literal('from'), what: z.enum(['service', 'user', 'device']), ids: z.array(z.string()).min(1) }),
  z.object({
    kind: z.literal('answer'),
    /** Undefined: any question. */
    questionId: z.string().optional(),
    how: z.enum(['equals', 'contains', 'above', 'below']),
    to: z.string(),
    exact: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('property'),
    name: z.string().min(1),
    how: z.enum(['present', 'equals', 'contains', 'above', 'below']),
    to: z.string().default(''),
    exact: z.boolean().default(false),
  }),
  /** The relay never saw this value before. */
  z.object({ kind: z.literal('first_seen') }),
  z.object({ kind: z.literal('outside_hours'), hours: hoursSchema }),
  /** Every nth scan of the same value, device, user, service, or of the relay. */
  z.object({
    kind: z.literal('nth'),
    n: z.number().int().min(1).max(1_000_000),
    of: z.enum(['value', 'device', 'user', 'service', 'relay']),
    /** Every nth again and again, or the nth once. */
    again: z.boolean().default(true),
  }),
  /** No scan for so long, within the hours; posted once until one comes again. */
  z.object({
    kind: z.literal('silence'),
    of: z.enum(['relay', 'device', 'service']),
    /** Udids or service ids; none (relay): any scan ends the silence. */
    ids: z.array(z.string()).max(100).default([]),
    minutes,
    hours: hoursSchema,
  }),
  /** n invalid scans in m minutes; then not again before m minutes have passed. */
  z.object({ kind: z.literal('burst'), n: z.number().int().min(2).max(1_000), minutes }),
]);
export type Condition = z.output<typeof conditionSchema>;

export const ruleSchema = z.object({
  id: z.string().min(1).max(40),
  name: z.string().max(80).default(''),
  on: z.boolean().default(true),
  when: conditionSchema,
  channel,
  mention: z
    .object({ users: z.array(z.string()).max(20).default([]), groups: z.array(z.string()).max(20).default([]) })
    .default({ users: [], groups: [] }),
  /** `each`: a message a scan; `thread`: replies under one parent card a day that keeps count; `digest`: one message at the end. */
  how: z.enum(['each', 'thread', 'digest']).default('each'),
  /** How long a digest collects. */
  digestMinutes: minutes.default(15),
  /** Within these hours nothing is posted; one digest follows at their end. */
  quiet: hoursSchema.optional(),
});
export type Rule = z.output<typeof ruleSchema>;

/** What a post may carry under another name. The last two are arrays: `answers[12]`. */
export const variableNames = [
  'tid',
  'sid',
  'userid',
  'udid',
  'scanid',
  'status',
  'text',
  'scanned_at_utc',
  'received_at_utc',
  'timestamp',
  'questions',
  'answers',
] as const;
export type VariableName = (typeof variableNames)[number];

/** Bytes of JSON: with their XML, they leave room for the text in the 10,000 bytes of an answer. */
const longestQuestions = 5_000;

export const relaySettingsSchema = z.object({
  judging: validationSchema.default({ kind: 'accept' }),
  /** The same value again is invalid: within so many minutes, or ever. */
  duplicates: z.object({ withinMinutes: z.number().int().min(1).optional() }).optional(),
  /** Outside of them every scan is invalid. */
  hours: hoursSchema.optional(),
  /** At most so many valid scans of each value (or of the relay) within so many minutes, or ever. */
  atMost: z
    .object({
      n: z.number().int().min(1).max(1_000_000),
      of: z.enum(['value', 'relay']),
      withinMinutes: z.number().int().min(1).optional(),
    })
    .optional(),
  answers: z.partialRecord(z.enum(resultCodes), answerSchema).default({}),
  questions: z
    .array(questionSchema)
    .max(10)
    .refine((questions) => Buffer.byteLength(JSON.stringify(questions)) <= longestQuestions, 'too much for one answer')
    .default([]),
  /** A scan property that proves the sender: the property's name, and SHA-256 of its value in hex. Never stored with the scan. */
  secretProperty: z.object({ name: z.string().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
  /** Addresses or networks (CIDR) that may send; none: anybody who knows the URL. */
  networks: z
    .array(
      z.string().refine((text) => networkProblem(text) === undefined, {
        error: (issue) => networkProblem(String(issue.input)),
      }),
    )
    .max(100)
    .default([]),
  /** A postback template's names for our variables: `{ tid: 'barcode' }`. */
  names: z
    .partialRecord(z.enum(variableNames), z.string().min(1))
    .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, 'one name for two variables')
    .default({}),
  /** A scan received this much later than it was made is late. */
  lateMinutes: minutes.default(10),
  rules: z.array(ruleSchema).max(50).default([]),
  /** If several rules match: the first one posts, or all of them. */
  match: z.enum(['first', 'all']).default('first'),
});
export type RelaySettings = z.output<typeof relaySettingsSchema>;

/** Settings of a relay without any: accepts everything, posts by its `notable`. */
export const defaultSettings: RelaySettings = relaySettingsSchema.parse({});
