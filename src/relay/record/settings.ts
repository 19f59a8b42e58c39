/** Schema of a relay's settings: validation, answers, questions, rules. They are stored as JSON without defaults. */
import { z } from 'zod';
import { hoursSchema } from '../../schedules/hours.js';
import { resultCodes } from '../conditions/parts/result-codes.js';
import { exact, minutes, pattern } from '../conditions/parts/setting-parts.js';
import { networkProblem } from './ip-allow-list.js';
import { ruleSchema } from './rule-schema.js';

export { areWholeWeek, type Hours, hoursSchema } from '../../schedules/hours.js';
export { type ResultCode, resultCodes } from '../conditions/parts/result-codes.js';
export * from './rule-schema.js';
export * from './workflow.js';

export const validationSchema = z.discriminatedUnion('kind', [
  /** No validation by the relay: the account's own result stays, and a scan without one is valid. */
  z.object({ kind: z.literal('accept') }),
  z.object({
    kind: z.literal('database'),
    databaseIds: z.array(z.string()).min(1).max(10),
    /** The result of a value that is unknown: the mirror is not sure of it, and no live answer came in time. */
    unknown: z.enum(['accept', 'reject']).default('accept'),
    /** The percentage of the account's calls a minute that live lookups may take. */
    liveShare: z.number().int().min(0).max(100).default(30),
    /** How many milliseconds a lookup may take, of the 15 s that a device waits. */
    budgetMs: z.number().int().min(0).max(10_000).default(3_000),
    /** Whether a value in no database has the result of its equal reading, see `equalReadings`. */
    readings: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('list'),
    values: z.array(z.string()).max(10_000),
    exact,
    listed: z.enum(['valid', 'invalid']).default('valid'),
  }),
  z.object({
    kind: z.literal('pattern'),
    /** The pattern (RE2: linear in the length of the text), which matches anywhere unless anchored. */
    pattern,
    matching: z.enum(['valid', 'invalid']).default('valid'),
  }),
]);
export type ValidationSettings = z.output<typeof validationSchema>;

/**
 * The answer for a result. `url`: the device opens the text as a URL. Templates know {value} {response} {user} {device}
 * {service} {count} {time} {database}. A page's values are HTML-escaped, a URL's encoded. `count`: how often the value
 * was scanned, this scan included. `time`: of a duplicate and past a limit, when the value was last admitted; else of
 * the scan.
 */
export const answerSchema = z.object({
  text: z.string().max(4_000),
  kind: z.enum(['plain', 'page', 'url']).default('plain'),
  /** The heading on the device and its colour, `#rrggbb`: `scan_display_config`. */
  title: z.string().max(60).optional(),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
});
export type Answer = z.output<typeof answerSchema>;

/** A question that the device asks after the scan; the answers come with a second submit. */
export const questionSchema = z.object({
  id: z.string().regex(/^\d{1,9}$/),
  text: z.string().min(1).max(500),
  type: z.enum(['manual', 'manualnumeric', 'option', 'checkbox', 'dropdown']),
  answers: z.array(z.string().min(1).max(200)).max(50).default([]),
  /** The result codes for which the question is asked; empty: always. */
  when: z.array(z.enum(resultCodes)).default([]),
});

/** The variables that a postback may carry under another name. The last two names are arrays: `answers[12]`. */
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

/** The most bytes of the questions' JSON: their XML then leaves room for the text in the 10,000 bytes of an answer. */
const longestQuestions = 5_000;

export const relaySettingsSchema = z.object({
  judging: validationSchema.default({ kind: 'accept' }),
  /** Set where a value that was admitted before is not valid again: within so many minutes, or for ever. */
  duplicates: z.object({ withinMinutes: z.number().int().min(1).optional() }).optional(),
  /** The relay's active hours: outside of them a scan that the account did not validate is not valid. */
  hours: hoursSchema.optional(),
  /** The limit: at most so many valid scans of each value (or of the relay) within so many minutes, or ever. */
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
  /** The scan property that proves the sender: its name, and SHA-256 of its value in hex. No scan is stored with it. */
  secretProperty: z.object({ name: z.string().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
  /** The addresses or networks (CIDR) that may send; none: any sender that knows the URL. */
  networks: z
    .array(
      z.string().refine((text) => networkProblem(text) === undefined, {
        error: (issue) => networkProblem(String(issue.input)),
      }),
    )
    .max(100)
    .default([]),
  /** The names that a postback template gives Scandesk's variables: `{ tid: 'barcode' }`. */
  names: z
    .partialRecord(z.enum(variableNames), z.string().min(1))
    .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, 'one name for two variables')
    .default({}),
  /** A scan received more than so many minutes after it was made is late. */
  lateMinutes: minutes.default(10),
  rules: z.array(ruleSchema).max(50).default([]),
  /** Which rules post if several match: the first one, or all of them. */
  match: z.enum(['first', 'all']).default('first'),
});
export type RelaySettings = z.output<typeof relaySettingsSchema>;

/** The settings of a relay without any: it accepts every scan, and posts by its `notable`. */
export const defaultSettings: RelaySettings = relaySettingsSchema.parse({});
