/** The tool that searches scans: the first page of `/scans`, and the pages behind it. */
import { z } from 'zod';
import { parseWhen, type ScanQuery, type ScanSearchAnswer, scanPosition } from '../../search/index.js';
import { queryProblemText } from '../../slack/scans/problem-message.js';
import { resultsMessage } from '../../slack/scans/results-message.js';
import { firstPageTime, runSearch, utc } from '../../slack/scans/run-search.js';
import { toolButton } from '../blocks.js';
import { ToolInputError, tool } from '../tool.js';
import { certain, certainty, type Doubt, momentIfAny, momentShape, toolResults } from '../wording.js';
import { scanData, scanShape } from './scan-data.js';

const nameSchema = z.string().min(1).max(100).optional();

const input = z.object({
  when: z
    .string()
    .max(80)
    .optional()
    .describe('A time in the person’s own zone: "today", "yesterday 14:00-15:30", "last 7 days", "3 March to 5 March"'),
  results: z
    .array(z.enum(['valid', 'not_valid', 'not_checked']))
    .min(1)
    .optional(),
  barcode: nameSchema.describe('Exactly as printed'),
  barcode_match: z.enum(['is', 'starts', 'contains']).default('is'),
  service: nameSchema.describe('Part of a service’s name'),
  user: nameSchema.describe('Part of a user’s name'),
  device: nameSchema.describe('Part of a device’s name'),
  response: nameSchema.describe('Part of the response that the device showed'),
  after: scanPosition
    .optional()
    .describe('The next of an earlier answer with the same other arguments, for older scans'),
});

const output = z.object({
  ...certainty,
  from: momentShape.optional(),
  to: momentShape.optional(),
  totals: z.object({ valid: z.number(), not_valid: z.number(), not_checked: z.number() }),
  scans: z.array(scanShape).describe('Newest first'),
  next: scanPosition.unwrap().optional().describe('There are older scans: pass it as after'),
});

export const searchScans = tool({
  name: 'search_scans',
  title: 'Search scans',
  description:
    'Search the scans by time, result, service, user, device, response or barcode: how many there were of each result, and the newest of them.',
  input,
  output,
  async answer(context, { after, ...wantedQuery }) {
    const zone = context.person.zone ?? utc;
    const query = queryOf(wantedQuery);
    if (query.when !== undefined && !parseWhen(query.when, context.deps.clock.now(), zone)) {
      throw new ToolInputError(queryProblemText('when', 'The text of when'));
    }
    const answer = await runSearch(context, { query, zone, after, ...firstPageTime });
    const { totals, span, next } = answer;
    const data = {
      ...certain(answer.copy?.at ?? answer.askedAt, doubtsOf(answer)),
      from: momentIfAny(span.from),
      to: momentIfAny(span.to),
      totals: { valid: totals.valid, not_valid: totals.invalid, not_checked: totals.other },
      scans: answer.scans.map(scanData),
      next,
    };
    const isFirst = after === undefined;
    const { blocks } = resultsMessage({ record: { query, zone, answer }, answer, isFirst, chart: true });
    const older = next ? toolButton('Older →', 'search_scans', { ...wantedQuery, after: next }) : [];
    return { data, blocks: [...blocks, ...older] };
  },
});

const searchedResults = ['valid', 'invalid', 'not_validated'] as const;

type WantedQuery = Omit<z.output<typeof input>, 'after'>;

function queryOf({ when, results, barcode, barcode_match: match, response, ...names }: WantedQuery): ScanQuery {
  const part = (text: string | undefined) => (text === undefined ? undefined : [{ part: text }]);
  const query = {
    barcode: barcode === undefined ? undefined : { match, text: barcode },
    when,
    response,
    results: results && searchedResults.filter((each) => results.includes(toolResults[each])),
    services: part(names.service),
    users: part(names.user),
    devices: part(names.device),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

function doubtsOf({ searchedTo, copy, span }: ScanSearchAnswer): readonly Doubt[] {
  const isCopied = copy !== undefined && (span.from ?? copy.since) >= copy.since;
  return [
    ...(searchedTo ? (['search_incomplete'] as const) : []),
    ...(isCopied ? [] : (['account_not_copied'] as const)),
  ];
}
