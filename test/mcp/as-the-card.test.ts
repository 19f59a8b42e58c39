/** What the lookup tool says of generated lookups, compared with the card that it shows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { headlineOf, type Lookup } from '../../src/lookup/index.js';
import { slackbotBlocks } from '../../src/mcp/blocks.js';
import type { ToolContext } from '../../src/mcp/tool.js';
import { lookUpBarcodes } from '../../src/mcp/tools/look-up-barcodes.js';
import { wordsOf } from '../../src/mcp/wording.js';
import { checkMessageBlocks } from '../../src/sandbox/slack/blocks/check.js';
import { effort } from '../helpers/effort.js';
import { shownTexts } from '../slack/block-kit/reading.js';
import { absent, anyLookup, failed, hostileText, known, lookup, noon, scan } from '../slack/lookup/lookup-samples.js';

interface Barcode {
  readonly barcode: string;
  readonly result: string;
  readonly sure: boolean;
  readonly why: readonly string[];
  readonly as_of: string;
  readonly decided_by?: { readonly at?: string; readonly service?: string; readonly user?: string };
  readonly databases: readonly { readonly database: string; readonly state: string; readonly response?: string }[];
}

/** The tool as it answers; only the reading of the account is replaced by the generated lookup. */
async function told(made: Lookup) {
  const context = {
    deps: {
      lookups: { read: async () => ({ answer: Promise.resolve(made) }), suggest: async () => made },
      permissions: { can: async () => false },
      clock: { now: () => made.askedAt },
    },
    actor: { owner: { installation: 'T1', team: 'T1' }, userId: 'U1' },
  } as unknown as ToolContext;
  const { data, blocks } = await lookUpBarcodes.answer(context, { barcodes: [made.value] });
  return { barcode: (data.barcodes as Barcode[])[0]!, text: wordsOf(data).join('\n'), blocks };
}

const value = hostileText(100).filter((text) => text !== '');
const name = hostileText(60);
const database = fc
  .tuple(name, fc.boolean(), hostileText(200))
  .map(([of, valid, response]) => ({ of, valid, response }));
const minutes = (most: number) => fc.integer({ min: 0, max: most * 60_000 });

const admission = fc.record({ at: minutes(10_000).map((ms) => noon - ms), service: name, user: name });
type Fields = Parameters<typeof lookup>[0];

const of = (text: string, more: Fields) => lookup({ value: text, ...more });
const knownAs = (text: string, each: { of: string; valid: boolean; response: string }) =>
  known(each.of, each.valid, each.response, text);
const gate = (databases: readonly string[]) => [
  { relay: false, id: '1', name: 'Main gate', databaseIds: [...databases], serviceIds: ['1'], once: {} },
];

const kinds: Readonly<Record<string, fc.Arbitrary<Lookup>>> = {
  used: fc.tuple(value, database, admission).map(([text, each, { at, service, user }]) =>
    of(text, {
      findings: [knownAs(text, { ...each, valid: true })],
      gates: gate([each.of]),
      scans: [scan({ value: text, at, service: { id: '1', name: service }, user: { id: '1', name: user } })],
    }),
  ),
  valid: fc
    .tuple(value, database, fc.boolean())
    .map(([text, each, more]) =>
      of(text, { findings: [knownAs(text, { ...each, valid: true }), absent('B')], gates: gate([each.of]), more }),
    ),
  'not valid': fc
    .tuple(value, database)
    .map(([text, each]) => of(text, { findings: [knownAs(text, { ...each, valid: false })], gates: [] })),
  unknown: fc.tuple(value, name).map(([text, each]) => of(text, { findings: [absent(each)] })),
  'not checked': fc
    .tuple(value, name, fc.boolean())
    .map(([text, each, alone]) => of(text, { findings: alone ? [failed(each)] : [absent('A'), failed(each)] })),
  old: fc.tuple(value, database, minutes(600)).map(([text, each, age]) =>
    of(text, {
      findings: [knownAs(text, { ...each, valid: true })],
      gates: gate([each.of]),
      asOf: { values: noon - 16 * 60_000 - age, scans: noon - age, why: { code: 'account.slow' } },
    }),
  ),
};

const signs: Readonly<Record<string, readonly string[]>> = {
  '✅': ['valid'],
  '⛔': ['already_used'],
  '❌': ['not_valid'],
  '❔': ['unknown'],
  '⚠️': ['valid', 'not_checked'],
};

function compare(made: Lookup, { barcode, text, blocks }: Awaited<ReturnType<typeof told>>): void {
  const headline = headlineOf(made);
  const title = shownTexts(blocks[1])[0]?.text.replace(/^\*/, '') ?? '';
  const [sign = ''] = title.split(' ');
  expect(signs[sign], title).toContain(barcode.result);
  // The card is sure where the tool is sure, and says that it is not where the tool is not.
  if (sign === '⚠️') {
    expect(barcode).toMatchObject({ sure: false });
  }
  if (barcode.sure) {
    expect(sign).not.toBe('⚠️');
  }
  expect(barcode.sure).toBe(barcode.why.length === 0);
  expect(barcode.barcode).toBe(made.value);
  expect(barcode.databases).toMatchObject(
    made.findings.map((finding) => ({
      database: finding.database.name,
      state:
        finding.kind === 'known'
          ? finding.valid
            ? 'valid'
            : 'not_valid'
          : finding.kind === 'unknown'
            ? 'absent'
            : 'no_answer',
      ...(finding.kind === 'known' && finding.response !== '' ? { response: finding.response } : {}),
    })),
  );
  const at = headline.scan?.scan.at;
  expect(barcode.decided_by?.at).toBe(at === undefined ? undefined : new Date(at).toISOString());
  expect(lookUpBarcodes.output.safeParse({ barcodes: [barcode], proposals: [] }).error).toBeUndefined();
  expect(text.startsWith(`Barcodes:\n- barcode ${JSON.stringify(made.value)}, result `)).toBe(true);
}

const runs = { numRuns: effort({ short: 15, long: 150 }) };

describe('the lookup tool’s result agrees with its card', () => {
  it.each(Object.entries(kinds))(
    'the lookup tool’s result agrees with its card for generated lookups of the kind “%s”',
    async (_, made) => {
      await fc.assert(
        fc.asyncProperty(made, async (each) => compare(each, await told(each))),
        runs,
      );
    },
  );

  it.each([
    ['used', 'already_used', true],
    ['unknown', 'unknown', true],
    ['not valid', 'not_valid', true],
    ['not checked', 'not_checked', false],
    ['old', 'valid', false],
  ])(
    'the lookup tool returns for generated lookups of the kind “%s” the result %s, with sure: %s',
    async (kind, result, sure) => {
      await fc.assert(
        fc.asyncProperty(kinds[kind]!, async (made) => {
          expect((await told(made)).barcode).toMatchObject({ result, sure });
        }),
        { ...runs, examples: [] },
      );
    },
  );

  it('the lookup tool’s result agrees with its card for any lookup, and Slack accepts the blocks', async () => {
    await fc.assert(
      fc.asyncProperty(anyLookup, async (made) => {
        const answer = await told(made);
        compare(made, answer);
        expect(checkMessageBlocks(slackbotBlocks(answer.blocks), systemRandom)).toMatchObject({ ok: true });
      }),
      { numRuns: effort({ short: 20, long: 300 }) },
    );
  });

  it('outside text in the lookup tool’s text is in quotes, and all unquoted text is Scandesk’s own', async () => {
    await fc.assert(
      fc.asyncProperty(anyLookup, async (made) => {
        const { text } = await told(made);
        const ours = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
        expect(ours).toMatch(/^[A-Za-z0-9 .,:;()"'’\n-]*$/);
      }),
      { numRuns: effort({ short: 20, long: 300 }) },
    );
  });
});
