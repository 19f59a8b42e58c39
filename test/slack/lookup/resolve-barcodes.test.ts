/** The barcodes that a text holds, by what is known of the whole and of its parts. */
import { describe, expect, it } from 'vitest';
import { AccountError } from '../../../src/codereadr/types.js';
import { parseBarcodes } from '../../../src/slack/lookup/parse-barcodes.js';
import { mostBarcodes, resolveBarcodes } from '../../../src/slack/lookup/resolve-barcodes.js';
import { absent, known, lookup, scan } from './lookup-samples.js';

/** Resolves a text where databases hold only `exists`, and only `scanned` was scanned. */
async function resolve(text: string, exists: readonly string[], scanned: readonly string[] = []) {
  const asked: string[] = [];
  let now = 0;
  let most = 0;
  const resolved = await resolveBarcodes(parseBarcodes(text), async (value) => {
    asked.push(value);
    now += 1;
    most = Math.max(most, now);
    await new Promise((done) => setTimeout(done, 1));
    now -= 1;
    if (value.startsWith('FAIL')) {
      return { kind: 'failed', value, error: new AccountError('account.quota', 'no calls') };
    }
    const findings = [exists.includes(value) ? known('Tickets', true) : absent('Tickets')];
    const scans = scanned.includes(value) ? [scan({ value })] : [];
    return { kind: 'answered', value, lookup: lookup({ value, findings, scans }) };
  });
  return { ...resolved, values: resolved.results.map(({ value }) => value), asked, most };
}

describe('resolveBarcodes', () => {
  it('a text that is known as one barcode is not split, and its parts are not looked up', async () => {
    const { values, asked } = await resolve('PALLET 7, LEFT', ['PALLET 7, LEFT', 'PALLET']);
    expect(values).toEqual(['PALLET 7, LEFT']);
    expect(asked).toEqual(['PALLET 7, LEFT']);
  });

  it('a text that was scanned as one barcode is not split', async () => {
    expect((await resolve('A B', ['A'], ['A B'])).values).toEqual(['A B']);
  });

  it('a text is split at commas, and at spaces only where the part is no known barcode', async () => {
    const { values, asked, parted } = await resolve('PALLET 7, A B', ['PALLET 7', 'A']);
    expect(values).toEqual(['PALLET 7', 'A', 'B']);
    expect(asked).toEqual(['PALLET 7, A B', 'PALLET 7', 'A B', 'A', 'B']);
    expect(parted).toBe(true);
  });

  it('a split of which each part was found needs no hint that it may be wrong', async () => {
    expect((await resolve('A B, C', ['A', 'B', 'C'])).parted).toBe(false);
    expect((await resolve('A B', ['A'])).parted).toBe(true);
  });

  it('a text of words that are no barcodes is one unknown barcode', async () => {
    const { values, whole } = await resolve('PALLET 9', ['7']);
    expect(values).toEqual(['PALLET 9']);
    expect(whole?.value).toBe('PALLET 9');
  });

  it('a text with commas is several barcodes, even if none of them is known', async () => {
    const { values, whole } = await resolve('X, Y Z', []);
    expect(values).toEqual(['X', 'Y Z']);
    expect(whole?.value).toBe('X, Y Z');
  });

  it('a text of several lines is never read as one barcode', async () => {
    const { values, asked, parted } = await resolve('A\nB', []);
    expect(values).toEqual(['A', 'B']);
    expect(asked).toEqual(['A', 'B']);
    expect(parted).toBe(false);
  });

  it('a barcode that was typed twice is looked up once, where it was typed first', async () => {
    expect((await resolve('B\nA\nB\n"A"', [])).values).toEqual(['B', 'A']);
  });

  it('a text whose lookup failed is not split, and a split text stays split if a part’s lookup failed', async () => {
    expect((await resolve('FAIL A', ['A'])).values).toEqual(['FAIL A']);
    expect((await resolve('A FAIL', [])).values).toEqual(['A', 'FAIL']);
  });

  it('a text that is too long for a barcode is split without a lookup of the whole', async () => {
    const barcodes = Array.from({ length: 12 }, (_, at) => `${'BARCODE-'.repeat(6)}${at}`);
    const { values, asked } = await resolve(barcodes.join(' '), barcodes.slice(3, 4));
    expect(values).toEqual(barcodes);
    expect(asked).toEqual(barcodes);
    const words = await resolve('word '.repeat(120), []);
    expect(words.results).toMatchObject([{ kind: 'too_long', length: 599 }]);
  });

  it('a text of 23 barcodes has the first 20 looked up, four at once, and names three as left out', async () => {
    const barcodes = Array.from({ length: mostBarcodes + 3 }, (_, at) => `B${at}`);
    const { values, leftOut, asked, most } = await resolve(barcodes.join('\n'), []);
    expect(values).toEqual(barcodes.slice(0, mostBarcodes));
    expect(leftOut).toEqual(['B20', 'B21', 'B22']);
    expect(asked).toHaveLength(mostBarcodes);
    expect(most).toBe(4);
  });

  it('a text of empty quotes yields no barcode', async () => {
    expect((await resolve('"", ""', [])).results).toEqual([]);
  });
});
