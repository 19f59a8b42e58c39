import { describe, expect, it } from 'vitest';
import type { SeenScan } from '../../../src/lookup/index.js';
import { lookupCard } from '../../../src/slack/lookup/card/card.js';
import type { Ages } from '../../lookup/ages.js';
import { read } from '../block-kit/reading.js';
import { absent, failed, lookup, noon, scan, unread } from './lookup-samples.js';

const minuteMs = 60_000;
const shown = (ages?: Ages, more: Parameters<typeof lookup>[0] = {}, options: Parameters<typeof lookupCard>[1] = {}) =>
  read(lookupCard(lookup({ ...(ages && { asOf: ages }), ...more }), { data: { value: '00123' }, ...options }).blocks);

describe('a card', () => {
  it('a card shows ages from a minute on: the oldest in its title, and below it which part is older', () => {
    const both = shown({ scans: noon - 3 * minuteMs, values: noon - 13 * minuteMs });
    expect(both).toMatch(/Valid, no admission on record, <!date[^>]*11:47 UTC>/);
    expect(both).toMatch(/Values <!date[^>]*11:47 UTC>, scans <!date[^>]*11:57 UTC>/);
    const scansOnly = shown({ scans: noon - 3 * minuteMs, values: noon });
    expect(scansOnly).toMatch(/Scans <!date[^>]*11:57 UTC>/);
    expect(scansOnly).not.toContain('alues <');
    const one = shown({ scans: noon - 3 * minuteMs, values: noon - 3 * minuteMs });
    expect(one.match(/11:57/g)).toHaveLength(1);
    expect(shown({ values: noon, scans: noon - 59_999 })).not.toContain('as of');
    expect(shown({ values: noon, scans: noon - 60_000 })).toContain('Scans <!date');
  });

  it('a card shows no age of scans that could not be loaded', () => {
    const history = unread({ code: 'account.slow' });
    const text = shown({ values: noon - 3 * minuteMs }, { history });
    expect(text).toContain('As of ');
    expect(text).not.toContain('cans <!date');
    expect(shown({}, { history, findings: [failed('Tickets')] })).not.toContain('as of');
  });

  it('a card says since when deleted scans may still be included only where a scan of the account decides', () => {
    const ages = { scans: noon - 40 * minuteMs, fullAt: noon - 40 * minuteMs, values: noon };
    const scanAt = (at: number, more: Partial<SeenScan> = {}) => scan({ at: noon - at * minuteMs, ...more });
    const later = shown(ages, { scans: [scanAt(20)] });
    expect(later).toMatch(/Already used, <!date[^>]*2026-03-01 11:20 UTC>/);
    expect(later).toMatch(
      /Scans <!date[^>]*11:20 UTC>.*Scans deleted in the account after .* may still be included\./s,
    );
    expect(shown(ages)).not.toContain('may still be included');
    expect(shown(ages, { scans: [scanAt(20, { source: 'relay' })] })).not.toContain('may still be included');
    // The copy of the account says nothing of what a relay received.
    expect(shown({ ...ages, fullAt: undefined }, { scans: [scanAt(20)] })).not.toContain('may still be included');
  });

  it('a card with an age offers a Refresh button, and a card without an age does not', () => {
    expect(shown({ scans: noon, values: noon })).toContain('Refresh');
    // A card that an older version stored has no age.
    expect(shown(undefined)).not.toContain('Refresh');
  });

  it('a shared card says by whom and as of when', () => {
    const text = shown({ scans: noon - 12_000, values: noon - 12_000 }, {}, { sharedBy: 'U1' });
    expect(text).toMatch(/Shared by <@U1>, <!date\^\d+\^as of /);
    expect(text.match(/as of \{/g)).toHaveLength(1);
  });

  it('a title says as of when it is known, within a minute too, where the account did not confirm it, and why', () => {
    const unchecked: Ages = {
      scans: noon - 5_000,
      values: noon - 50_000,
      unchecked: true,
    };
    const why = /as of [^>]*11:59 UTC>, not confirmed.*The scanning account can’t be reached/s;
    expect(shown(unchecked)).toMatch(why);
    expect(shown({ ...unchecked, unchecked: false })).not.toContain('as of');
    expect(shown(unchecked, { findings: [absent('Tickets 2026')] })).toMatch(why);
    const again = [{ relay: false, id: '1', name: 'G', databaseIds: ['Tickets 2026'], serviceIds: ['1'] }];
    const green = shown(unchecked, { scans: [scan()], gates: again });
    expect(green).toMatch(/✅ Valid, scanned once, <!date[^>]*as of [^>]*11:59 UTC>\*/);
    expect(green).toContain('The scanning account can’t be reached');
  });

  it('a card shows how many days its scans go back', () => {
    const text = shown({ scans: noon, values: noon, scanDays: 90 });
    expect(text).toContain('no admission in 90 days');
    expect(text).toContain('No scan in 90 days.');
  });

  it.each([
    [{ values: { read: 40_000, of: 500_000 }, scans: 12_000 }, '40,000 of 500,000 values, 12,000 scans so far'],
    [{ values: { read: 40_000 }, scans: 1 }, '40,000 values, 1 scan so far'],
    [{ values: { read: 0, of: 1 } }, '0 of 1 value'],
    [{ scans: 12_000 }, '12,000 scans so far'],
    [{ scans: 0 }, 'just started'],
  ])('a card, unless shared, shows how complete the first copy of the account is: %j', (copying, words) => {
    const text = shown({ scans: noon, values: noon, copying });
    expect(text).toContain(`Copying the account’s data: ${words}.`);
    expect(shown({ scans: noon, values: noon, copying }, {}, { sharedBy: 'U1' })).not.toContain('Copying');
  });
});
