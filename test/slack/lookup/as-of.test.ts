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
  it('a card shows the ages of its scans and of its values separately', () => {
    expect(shown({ scans: noon - 12_000, values: noon - 58 * minuteMs })).toMatch(
      /The account’s scans as of 12 s ago, values <!date\^\d+\^as of \{/,
    );
    expect(shown({ scans: noon - 300, values: noon })).toContain('The account’s scans as of now, values as of now');
    expect(shown({ values: noon, scans: noon - 59_999 })).toContain('account’s scans as of 59 s ago');
    expect(shown({ values: noon, scans: noon - 60_000 })).not.toContain('s ago');
  });

  it('a card shows no age of scans that could not be loaded', () => {
    const history = unread({ code: 'account.slow' });
    expect(shown({ values: noon - 5_000 }, { history })).toContain('Values as of 5 s ago');
    expect(shown({ values: noon - 5_000 }, { history })).not.toContain('cans as of');
    expect(shown({}, { history, findings: [failed('Tickets')] })).not.toContain('as of');
  });

  it('a card with an admission later than its copy of the scans says since when deleted scans may still be included', () => {
    const ages = { scans: noon - 40 * minuteMs, fullAt: noon - 40 * minuteMs, values: noon };
    const scanAt = (at: number, more: Partial<SeenScan> = {}) => scan({ at: noon - at * minuteMs, ...more });
    const later = shown(ages, { scans: [scanAt(20)] });
    expect(later).toContain('Already used');
    expect(later).toMatch(/Already used, <!date[^>]*2026-03-01 11:20 UTC>/);
    expect(later).toContain('values as of now. <!date');
    expect(later).toContain('Scans deleted in the account after ');
    expect(later).toContain(' may still be included.');
    // The copy of the account says nothing of what a relay received.
    const received = shown({ ...ages, fullAt: undefined }, { scans: [scanAt(20)] });
    expect(received).toContain('The account’s scans <!date');
    expect(received).not.toContain('may still be included');
  });

  it('a card with an age offers a Refresh button, and a card without an age does not', () => {
    expect(shown({ scans: noon, values: noon })).toContain('Refresh');
    // A card that an older version stored has no age.
    expect(shown(undefined)).not.toContain('Refresh');
  });

  it('a shared card shows clock times instead of ages', () => {
    const text = shown({ scans: noon - 12_000, values: noon - 12_000 }, {}, { sharedBy: 'U1' });
    expect(text).not.toContain('s ago');
    expect(text).toMatch(/The account’s scans <!date\^\d+\^as of .*values <!date\^\d+\^as of /);
    expect(text).toContain('Shared by <@U1>');
  });

  it('a card says “not confirmed since” where the account did not confirm the card’s answer', () => {
    const unchecked: Ages = {
      scans: noon - 5_000,
      values: noon - 50_000,
      unchecked: true,
    };
    expect(shown(unchecked)).toContain('not confirmed since');
    expect(shown({ ...unchecked, unchecked: false })).not.toContain('not confirmed since');
    expect(shown(unchecked, { findings: [absent('Tickets 2026')] })).toContain('not confirmed since');
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
