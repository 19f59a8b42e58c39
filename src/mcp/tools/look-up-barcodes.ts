/** The tool that looks barcodes up: it answers with the headlines of `/barcode`, and the facts behind them. */
import { z } from 'zod';
import type { AccountError } from '../../codereadr/types.js';
import { agesOf, type Fact, type Headline, headlineOf, resultOfHeadline } from '../../lookup/index.js';
import type { SeenScan } from '../../scans/seen-scan.js';
import type { Block } from '../../slack/block-kit/elements.js';
import { isLentList } from '../../slack/lent/things.js';
import { type BarcodePlace, barcodePlaces } from '../../slack/lookup/barcode-places.js';
import { lookupCard } from '../../slack/lookup/card/card.js';
import { longestBarcode } from '../../slack/lookup/parse-barcodes.js';
import { readBarcode, readOneOfSeveral, withOneConfirmed } from '../../slack/lookup/read-barcode.js';
import { type BarcodeResult, mostBarcodes, readEach } from '../../slack/lookup/resolve-barcodes.js';
import { severalAnswer } from '../../slack/lookup/several/lines.js';
import { severalCard } from '../../slack/lookup/several/several-card.js';
import { toolButton } from '../blocks.js';
import { type ToolContext, tool } from '../tool.js';
import { certain, certainty, type Doubt, moment, momentShape, toolResults } from '../wording.js';
import { type Proposal, proposalBlocks, proposalShape, proposalsFor } from './proposals.js';
import { scanData, scanShape } from './scan-data.js';

/** As of when a fact behind a result is known; whether nothing of it is missing or in doubt. */
const factCertainty = { as_of: momentShape, sure: z.boolean() };

function certainly({ at, whole, failure }: Fact): z.input<z.ZodObject<typeof factCertainty>> {
  return { as_of: moment(at), sure: whole && failure === undefined };
}

const barcodeShape = z.object({
  barcode: z.string(),
  result: z.enum(['valid', 'already_used', 'not_valid', 'unknown', 'not_checked']),
  ...certainty,
  calls_again_at: momentShape.optional().describe('When the account takes calls again'),
  decided_by: z
    .object({ label: z.string(), ...scanShape.shape })
    .optional()
    .describe('The scan behind the result'),
  databases: z.array(
    z.object({
      database: z.string(),
      state: z.enum(['valid', 'not_valid', 'absent', 'no_answer']),
      response: z.string().optional(),
      ...factCertainty,
    }),
  ),
  scans: z.array(scanShape).describe('The last ones, newest first'),
  scans_in_all: z
    .object({ ...factCertainty, count: z.number().describe('A lower bound where sure is false') })
    .optional(),
  places: z.array(z.object({ list: z.string(), inside: z.boolean(), since: momentShape, gate: z.string().optional() })),
  did_you_mean: z.array(z.string()).describe('Of an unknown barcode: barcodes that exist and differ by one slip'),
});
type BarcodeData = z.input<typeof barcodeShape>;

const scansShown = 5;

export const lookUpBarcodes = tool({
  name: 'look_up_barcodes',
  title: 'Look up barcodes',
  description:
    'Look up one or several barcodes, such as tickets: whether each is valid, already used, not valid or unknown, when, where and by whom it was scanned, and what its databases say.',
  input: z.object({
    barcodes: z
      .array(
        z
          .string()
          .min(1)
          .max(longestBarcode * 4),
      )
      .min(1)
      .max(mostBarcodes)
      .describe('Each exactly as it is printed, with its leading zeros, spaces and letter case'),
  }),
  output: z.object({
    barcodes: z.array(barcodeShape),
    proposals: z.array(proposalShape).describe('Changes the person may make, each by a command that asks first'),
  }),
  async answer(context, { barcodes }) {
    const { deps, actor, client } = context;
    const results = await readBarcodes(context, [...new Set(barcodes)]);
    const [firstResult] = results;
    const lookup = results.length === 1 && firstResult?.kind === 'answered' ? firstResult.lookup : undefined;
    const mayChange = lookup !== undefined && (await deps.permissions.can(client, actor, 'manager'));
    const { owner, userId } = actor;
    const viewer = { owner, userId, role: mayChange ? ('manager' as const) : ('everyone' as const) };
    const places = await Promise.all(results.map(({ value }) => barcodePlaces(deps, viewer, value)));
    const proposals: readonly Proposal[] = mayChange ? proposalsFor(lookup) : [];
    const data = results.map((result, at) => dataOf(result, places[at]!, deps.clock.now()));
    const refreshButton = toolButton('Refresh', 'look_up_barcodes', { barcodes });
    const card: readonly Block[] = lookup
      ? lookupCard(lookup, { data: { value: lookup.value }, places: places[0]! }).blocks
      : severalCard(severalAnswer({ results, leftOut: [], parted: false }, deps.clock.now(), undefined)).blocks;
    return {
      data: { barcodes: data, proposals: [...proposals] },
      blocks: [...card, ...proposalBlocks(proposals), ...refreshButton],
    };
  },
});

/** @throws SlackError `slack.not_connected`; AccountError if no barcode could be looked up though calls were left */
async function readBarcodes(context: ToolContext, values: readonly string[]): Promise<readonly BarcodeResult[]> {
  const [value = ''] = values;
  if (values.length === 1) {
    const { answer } = await readBarcode(context, value, {});
    const lookup = await context.deps.lookups.suggest(context.actor.owner, await answer);
    return [{ kind: 'answered', value: lookup.value, lookup }];
  }
  const results = await withOneConfirmed(context, await readEach(values, readOneOfSeveral(context)));
  const [failed] = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
  if (failed && failed.code !== 'account.quota' && results.every(({ kind }) => kind === 'failed')) {
    throw failed;
  }
  return results;
}

const emptyData = { databases: [], scans: [], places: [], did_you_mean: [] };

function dataOf(result: BarcodeResult, places: readonly BarcodePlace[], now: number): BarcodeData {
  if (result.kind !== 'answered') {
    const failure = result.kind === 'failed' ? result.error : { code: 'account.input' };
    return {
      barcode: result.value,
      result: 'not_checked',
      ...certain(now, [failureDoubt(failure)]),
      ...emptyData,
      ...(result.kind === 'failed' ? callsAgain(result.error.quota) : {}),
    };
  }
  const { lookup } = result;
  const { value, findings, history, suggestions, askedAt } = lookup;
  const asOf = agesOf(lookup);
  const headline = headlineOf(lookup);
  const oldestAt = Math.min(
    ...[asOf?.values, asOf?.absent, asOf?.scans, headline.dated?.at, askedAt].flatMap((each) => each ?? []),
    ...(headline.kind === 'used' ? [asOf?.fullAt ?? []].flat() : []),
  );
  const { scan } = headline;
  return {
    barcode: value,
    result: toolResults[resultOfHeadline[headline.kind]],
    ...certain(oldestAt, doubtsOf(headline)),
    ...callsAgain(headline.failure?.quota),
    decided_by: scan && { label: scan.label, ...scanData(scan.scan) },
    databases: findings.map((finding) =>
      finding.kind === 'known'
        ? {
            database: finding.database.name,
            state: finding.valid ? 'valid' : 'not_valid',
            response: finding.response || undefined,
            ...certainly(finding),
          }
        : {
            database: finding.database.name,
            state: finding.kind === 'unknown' ? 'absent' : 'no_answer',
            ...certainly(finding),
          },
    ),
    scans: history.scans.slice(0, scansShown).map((each: SeenScan) => scanData(each)),
    scans_in_all: history.kind === 'read' ? { count: history.summary.total, ...certainly(history) } : undefined,
    places: places
      .filter(({ list }) => !isLentList(list))
      .map(({ list, place, gate }) => ({ list: list.name, inside: place.inside, since: moment(place.at), gate })),
    did_you_mean: [...(suggestions?.close ?? [])],
  };
}

function callsAgain(quota: AccountError['quota']) {
  return quota ? { calls_again_at: moment(quota.againAt) } : {};
}

function failureDoubt({ code }: { readonly code: string }): Doubt {
  return code === 'account.quota' ? 'no_calls_left' : 'account_failed';
}

/** The doubts of a headline: its own, and those of what the account did not say. A sure one has none. */
function doubtsOf({ kind, doubt, failure, after }: Headline): readonly Doubt[] {
  const isOpen = kind === 'not_checked' || kind === 'not_confirmed';
  const own = doubt === 'account_failed' && failure ? [] : (doubt ?? []);
  return [own, failure && isOpen ? failureDoubt(failure) : after ? ('not_confirmed' as const) : []].flat();
}
