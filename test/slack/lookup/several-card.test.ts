import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { AccountError } from '../../../src/codereadr/types.js';
import { checkMessageBlocks } from '../../../src/sandbox/slack/blocks/check.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { type BarcodeResult, mostBarcodes } from '../../../src/slack/lookup/resolve-barcodes.js';
import { severalAnswer } from '../../../src/slack/lookup/several/lines.js';
import { severalRecords } from '../../../src/slack/lookup/several/record-store.js';
import { severalCard } from '../../../src/slack/lookup/several/several-card.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { absent, anyLookup, failed, lookup, noon, scan } from './lookup-samples.js';

const found = (value: string, more: Parameters<typeof lookup>[0] = {}): BarcodeResult => ({
  kind: 'answered',
  value,
  lookup: lookup({ ...more, value }),
});
const cardOf = (results: readonly BarcodeResult[], more: { leftOut?: readonly string[]; parted?: boolean } = {}) =>
  severalAnswer({ leftOut: [], parted: false, ...more, results }, noon, undefined);
const shown = (...args: Parameters<typeof cardOf>) => read(severalCard(cardOf(...args), { kept: 'k' }).blocks);

describe('the card of several barcodes', () => {
  const used = found('A', { scans: [scan({ value: 'A' })] });
  const unknown = found('B', { findings: [absent('Tickets')] });
  const quota = { period: 'minute', left: 0, againAt: noon + 60_000 } as const;
  const noCalls: BarcodeResult = {
    kind: 'failed',
    value: 'C',
    error: new AccountError('account.quota', 'none', { quota }),
  };

  it('the card of several barcodes begins with the number of barcodes by result', () => {
    const { blocks, text } = severalCard(cardOf([found('00123'), used, unknown, noCalls]));
    expect(blocks[0]).toMatchObject({
      type: 'header',
      text: { text: '4 barcodes: 1 valid, 1 already used, 1 unknown, 1 not checked' },
    });
    expect(text).toBe('4 barcodes: 1 valid, 1 already used, 1 unknown, 1 not checked');
  });

  it('the card of several barcodes gives each barcode’s result, with its admission or its database', () => {
    const text = shown([found('00123'), used, unknown]);
    expect(text).toContain('00123*✅ Valid, no admission on record*\nTickets 2026: Welcome');
    expect(text).toMatch(/A\*⛔ Already used\*\n<!date\^\d+\^Admitted [^>]+> · Main gate · anna(?! ·)/);
    expect(text).toContain('B*❔ Unknown: not in Tickets*');
  });

  it('the card of several barcodes counts a barcode that is not confirmed as “to check”', () => {
    const gates = [{ relay: false, id: '1', name: 'G', databaseIds: ['T'], serviceIds: ['1'] }];
    const doubtful = found('A', {
      asOf: { values: noon - 5_000, scans: noon - 90_000, unchecked: true },
    });
    expect(shown([doubtful])).toContain('1 to check');
    expect(shown([doubtful])).toContain('To check: press *Open*.');
    expect(shown([used])).not.toContain('press');
    expect(shown([doubtful])).toMatch(/A\*⚠️ Valid, no admission on record, <!date[^>]+>, not confirmed\*/);
    expect(shown([found('B', { gates })])).toContain('1 valid');
  });

  it('the card of several barcodes says why a barcode was not checked, and when there are API calls again', () => {
    expect(shown([noCalls])).toMatch(
      /C\*⚠️ Not checked\*.*No API calls left<!date\^\d+\^ until \{time\}[^>]*>: press \*Refresh\* then\./s,
    );
    expect(shown([noCalls, { ...noCalls, value: 'D' }]).match(/calls left/g)).toHaveLength(1);
    const why = { code: 'account.quota', quota } as const;
    const partly = found('D', { findings: [failed('T', why)] });
    expect(shown([partly])).toMatch(/D\*⚠️ Not checked\*.*No API calls left/s);
    expect(shown([found('E', { findings: [failed('T')] })])).toContain('E*⚠️ Not checked: T could not be searched*');
    const unreachable: BarcodeResult = {
      kind: 'failed',
      value: 'F',
      error: new AccountError('account.unreachable', ''),
    };
    expect(shown([unreachable, used])).toContain('F*⚠️ Not checked*\nThe scanning account can’t be reached right now.');
    expect(shown([{ kind: 'too_long', value: 'x'.repeat(140), length: 140 }, used])).toContain(
      '*⚠️ Not checked:* 140 characters; a barcode can have up to 500',
    );
  });

  it('a barcode that the account did not confirm for want of API calls says once, in the reader’s zone, from when on', () => {
    const why = { code: 'account.quota', quota } as const;
    const text = shown([found('G', { asOf: { values: noon - 60_000, scans: noon - 60_000, unchecked: true, why } })]);
    expect(text).toMatch(/No API calls left<!date\^\d+\^ until \{time\}\|[^>]*>: press \*Refresh\* then\./);
    expect(text.match(/calls left/g)).toHaveLength(1);
    expect(text).not.toMatch(/limit resets|Try again/);
  });

  it('a barcode with a tick counts as valid, and not as one to check, where the account did not confirm it', () => {
    const gates = [{ relay: false, id: '1', name: 'G', databaseIds: ['Tickets 2026'], serviceIds: ['1'] }];
    const asOf = { values: noon - 60_000, scans: noon - 60_000, unchecked: true };
    const scanned = shown([found('A', { scans: [scan({ value: 'A' })], gates, asOf })]);
    expect(scanned).toMatch(/^1 barcode: 1 valid.*✅ Valid/s);
    expect(scanned).not.toMatch(/to check/i);
    expect(shown([found('B', { asOf })])).toMatch(/^1 barcode: 1 to check.*⚠️ Valid/s);
  });

  it('each title of a card of several barcodes has its own age, and the fallback text that of the oldest', () => {
    const ages = (values: number, scans: number) => ({ asOf: { values: noon - values, scans: noon - scans } });
    const card = severalCard(cardOf([found('A', ages(120_000, 1_000)), found('B', ages(2_000, 180_000)), found('C')]));
    const [, , , ofA, , , ofB, , , ofC] = card.blocks.map((block) => read([block]));
    expect(ofA).toMatch(/record, <!date[^>]*11:58 UTC>/);
    expect(ofB).toMatch(/record, <!date[^>]*11:57 UTC>/);
    expect(ofC).not.toContain('as of');
    expect(card.text).toMatch(/^3 barcodes: 3 valid<!date[^>]*, as of [^>]*11:57 UTC>$/);
    expect(severalCard(cardOf([found('A', ages(5_000, 12_000))])).text).toBe('1 barcode: 1 valid');
  });

  it('a card that an earlier version stored, with one age for all lines, is drawn with that age, and with no tick once it is old', async () => {
    const line = { kind: 'answered', tone: 'good', title: 'Valid, scanned once', headline: 'scanned' } as const;
    const stored = {
      lines: [
        { ...line, value: 'A', scan: { label: 'Last scan', at: noon - 9_000, atText: '', by: ['Main gate'] } },
        { ...line, value: 'B', headline: 'used', tone: 'bad', title: 'Already used' },
        { kind: 'no_calls', value: 'C' },
      ],
      ...{ leftOut: [], parted: false, askedAt: noon, cost: 6, greenMs: 10 * 60_000 },
      asOf: { values: noon, scans: noon - 120_000 },
    };
    const keyv = () => ({ get: async () => stored });
    const answer = await severalRecords.find({ store: { keyv } as never }, { installation: 'T', team: 'T' }, 'k');
    const drawn = (minutes: number) => read(severalCard(answer!, { kept: 'k', now: noon + minutes * 60_000 }).blocks);
    expect(drawn(1)).toMatch(/✅ Valid <!date[^>]*11:58 UTC>, scanned once\*/);
    expect(drawn(1)).toMatch(/⛔ Already used, <!date[^>]*11:58 UTC>\*/);
    expect(drawn(8)).toMatch(/⚠️ Valid <!date[^>]*11:58 UTC>, not confirmed\*/);
    expect(drawn(8)).toMatch(/⛔ Already used, <!date[^>]*11:58 UTC>\*/);
    expect(drawn(8)).toContain('Main gate');
  });

  it('a card of several barcodes with an admission after the copy says that deleted scans may be included', () => {
    const usedAt = (minutes: number) =>
      shown([
        found('A', {
          scans: [scan({ value: 'A', at: noon - minutes * 60_000 })],
          asOf: { values: noon, scans: noon - 40 * 60_000, fullAt: noon - 40 * 60_000 },
        }),
      ]);
    expect(usedAt(60)).toMatch(/⛔ Already used, <!date[^>]+>\*/);
    expect(usedAt(20)).toMatch(/Admitted .*Scans deleted in the account after .* may still be included\./s);
    const valid = found('B', { asOf: { values: noon, scans: noon, fullAt: noon - 40 * 60_000 } });
    expect(shown([valid])).not.toContain('may still be included');
  });

  it('the card of several barcodes names the barcodes left out, and how to keep a barcode with spaces together', () => {
    const text = shown([used], { leftOut: Array.from({ length: 12 }, (_, at) => `L${at}`), parted: true });
    expect(text).toContain('Left out: L0, L1, L2, L3, L4, L5, L6, L7, L8, L9 and 2 more.');
    expect(text).toContain('Put the barcode in quotes');
    expect(shown([used])).not.toContain('quotes');
  });

  it('the card of several barcodes shows a barcode to the letter, with outer space in quotes', () => {
    const { blocks } = severalCard(cardOf([found(' *A* :100: '), found('0\u001d1')]));
    const texts = shownTexts(blocks).filter(({ how }) => how === 'exact');
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['" *A* :100: "', '0␝1']));
  });

  it('the card of several barcodes has a button for each barcode’s card, and no button when shared', () => {
    const answer = cardOf([found('A'), unknown]);
    const actionIds = (options: Parameters<typeof severalCard>[1]) =>
      [...JSON.stringify(severalCard(answer, options).blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id);
    expect(actionIds({ kept: 'k' })).toEqual([
      'lookup.open',
      'lookup.open',
      'lookup.several.share',
      'lookup.several.again',
    ]);
    expect(actionIds({ kept: 'k', wasShared: true })).not.toContain('lookup.several.share');
    expect(actionIds({ kept: 'k', sharedBy: 'U1' })).toEqual([]);
    expect(read(severalCard(answer, { sharedBy: 'U1' }).blocks)).toContain('Shared by <@U1>');
  });

  wideIt('the card of several barcodes stays within Slack’s limits, and never formats the account’s text', () => {
    fc.assert(
      fc.property(fc.array(anyLookup, { minLength: 1, maxLength: mostBarcodes }), (lookups) => {
        const results = lookups.map((each): BarcodeResult => ({ kind: 'answered', value: each.value, lookup: each }));
        const { blocks } = severalCard(cardOf(results, { leftOut: ['<!channel>', '*'], parted: true }), { kept: 'k' });
        expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
        const texts = shownTexts(blocks);
        expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(13_000);
        for (const { how, text } of texts.filter((each) => each.how === 'mrkdwn')) {
          expect(how).toBe('mrkdwn');
          expect(text.replace(/<!date\^[^>]+>/g, '')).not.toMatch(/[<>]|:[a-z0-9]+:|https?:\/\//);
        }
        const exact = texts.filter(({ how }) => how === 'exact').map(({ text }) => text);
        for (const { value } of lookups.filter((each) => visible(each.value).length < 290)) {
          const expected = value.trim() === value ? visible(value) : `"${visible(value)}"`;
          expect(exact).toContain(expected);
        }
      }),
      { numRuns: 60 },
    );
  });
});
