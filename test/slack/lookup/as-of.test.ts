import { describe, expect, it } from 'vitest';
import type { SeenScan } from '../../../src/lookup/index.js';
import { ageLine } from '../../../src/slack/lookup/card/as-of.js';
import { lookupCard } from '../../../src/slack/lookup/card/card.js';
import type { Ages } from '../../lookup/ages.js';
import { read } from '../block-kit/reading.js';
import { absent, failed, known, lookup, noon, scan, unread } from './lookup-samples.js';

const minuteMs = 60_000;
const shown = (ages?: Ages, more: Parameters<typeof lookup>[0] = {}, options: Parameters<typeof lookupCard>[1] = {}) =>
  read(lookupCard(lookup({ ...(ages && { asOf: ages }), ...more }), { data: { value: '00123' }, ...options }).blocks);

const admitsAgain = [{ relay: false, id: '1', name: 'G', databaseIds: ['Tickets 2026'], serviceIds: ['1'] }];

describe('a card', () => {
  it('a card shows ages from a minute on: the oldest in its title, and below it only those of another minute', () => {
    const both = shown({ scans: noon - 3 * minuteMs, values: noon - 13 * minuteMs });
    expect(both).toMatch(/Valid, no admission on record<!date[^>]*As of [^>]*11:47 UTC>/);
    expect(both).toMatch(/The account’s scans <!date[^>]*11:57 UTC>/);
    expect(both.match(/11:47/g)).toHaveLength(1);
    expect(both).not.toContain('alues <');
    const scansOnly = shown({ scans: noon - 3 * minuteMs, values: noon });
    expect(scansOnly.match(/11:57/g)).toHaveLength(1);
    expect(scansOnly).not.toMatch(/alues <|scans </);
    const one = shown({ scans: noon - 3 * minuteMs, values: noon - 3 * minuteMs });
    expect(one.match(/11:57/g)).toHaveLength(1);
    expect(shown({ values: noon, scans: noon - 59_999 })).not.toMatch(/as of/i);
    expect(shown({ values: noon, scans: noon - 60_000 })).toMatch(/As of/);
  });

  it('a card shows no age of scans that could not be loaded', () => {
    const history = unread({ code: 'account.slow' });
    const text = shown({ values: noon - 3 * minuteMs }, { history });
    expect(text).toContain('The account as of ');
    expect(text).not.toContain('cans <!date');
    expect(shown({}, { history, findings: [failed('Tickets')] })).not.toMatch(/as of/i);
  });

  it('a title that rests on a scan is no older than the scan, and one that lets in dates what is valid', () => {
    const ages = { scans: noon - 10 * minuteMs, values: noon - 10 * minuteMs };
    const relays = scan({ at: noon - 4 * minuteMs, source: 'relay' });
    const used = shown(ages, { scans: [relays] });
    expect(used).toMatch(/⛔ Already used<!date[^>]*As of [^>]*11:56 UTC>/);
    expect(used).toMatch(/The account as of [^>]*11:50 UTC>/);
    // A later scan that the card lists is known, too.
    const later = scan({ at: noon - 2 * minuteMs, source: 'relay', status: 'invalid' });
    const since = shown(ages, { scans: [later, relays] });
    expect(since).toMatch(/⛔ Already used<!date[^>]*As of [^>]*11:58 UTC>/);
    const refused = shown(ages, { scans: [{ ...relays, status: 'invalid' }] });
    expect(refused).toMatch(/last scan not valid: Welcome<!date[^>]*As of [^>]*11:56 UTC>/);
    const again = shown(ages, { scans: [relays], gates: admitsAgain });
    expect(again).toMatch(/✅ Valid, scanned once<!date[^>]*Valid as of [^>]*11:50 UTC>/);
    // A device's clock may be ahead.
    const ahead = shown(ages, { scans: [{ ...relays, at: noon + 60 * minuteMs }] });
    expect(ahead).toMatch(/⛔ Already used(?!<!date)/);
  });

  it('a card says since when deleted scans may still be included only where a scan of the account decides', () => {
    const ages = { scans: noon - 40 * minuteMs, fullAt: noon - 40 * minuteMs, values: noon };
    const scanAt = (at: number, more: Partial<SeenScan> = {}) => scan({ at: noon - at * minuteMs, ...more });
    const later = shown(ages, { scans: [scanAt(20)] });
    expect(later).toMatch(/Already used<!date[^>]*As of 2026-03-01 11:40 UTC>/);
    expect(later).toMatch(
      /account’s scans <!date[^>]*11:20 UTC>.*Scans deleted in the account after .* may still be included\./s,
    );
    expect(shown(ages)).not.toContain('may still be included');
    expect(shown(ages, { scans: [scanAt(20, { source: 'relay' })] })).not.toContain('may still be included');
    // What the account was asked in the last minutes stands, and a relay's scan stays where the account deleted it.
    const recently = { ...ages, fullAt: noon - 14 * minuteMs };
    expect(shown(recently, { scans: [scanAt(20)] })).not.toContain('may still be included');
    expect(shown(ages, { scans: [scanAt(20, { validatedBy: 'r' })] })).not.toContain('may still be included');
    // The copy of the account says nothing of what a relay received.
    expect(shown({ ...ages, fullAt: undefined }, { scans: [scanAt(20)] })).not.toContain('may still be included');
  });

  it('a card with an age offers a Refresh button, and a card without an age does not', () => {
    expect(shown({ scans: noon, values: noon })).toContain('Refresh');
    // A card that an older version stored has no age.
    expect(shown(undefined)).not.toContain('Refresh');
  });

  it('a shared card says by whom, and its age once: in its title, from a minute on', () => {
    const ages = { scans: noon - 12_000, values: noon - 12_000 };
    expect(shown(ages, {}, { sharedBy: 'U1' })).toMatch(/Shared by <@U1>(?!,)/);
    expect(shown(ages, {}, { sharedBy: 'U1' })).not.toMatch(/as of/i);
    const later = shown(ages, {}, { sharedBy: 'U1', now: noon + minuteMs });
    expect(later.match(/as of \{/gi)).toHaveLength(1);
    const unchecked = { history: unread({ code: 'account.slow' }), findings: [failed('Tickets')] };
    expect(shown(undefined, unchecked, { sharedBy: 'U1', now: noon + minuteMs })).toMatch(/<@U1><!date[^>]*, as of /);
  });

  it('a title says as of when it is known, within a minute too, where the account did not confirm it, and why', () => {
    const unchecked: Ages = {
      scans: noon - 5_000,
      values: noon - 50_000,
      unchecked: true,
    };
    const why = /not confirmed<!date[^>]*As of [^>]*11:59 UTC>.*The scanning account can’t be reached/s;
    expect(shown(unchecked)).toMatch(why);
    expect(shown({ ...unchecked, unchecked: false })).not.toMatch(/as of/i);
    expect(shown(unchecked, { findings: [absent('Tickets 2026')] })).toMatch(why);
    const green = shown(unchecked, { scans: [scan()], gates: admitsAgain });
    expect(green).toMatch(/✅ Valid, scanned once<!date[^>]*Valid as of [^>]*11:59 UTC>/);
    expect(green).toContain('The scanning account can’t be reached');
  });

  it('a card shows how many days its scans go back', () => {
    const text = shown({ scans: noon, values: noon, scanDays: 90 });
    expect(text).toContain('no admission in 90 days');
    expect(text).not.toContain('No scan');
    const unknown = { findings: [absent('Tickets 2026')] };
    expect(shown({ scans: noon, values: noon, scanDays: 90 }, unknown)).toContain('No scan in 90 days.');
  });

  it('a card offers Older scans where it shows all that were read, without a scan only where one could change the answer', () => {
    const ages = { scans: noon, values: noon, scanDays: 90 };
    expect(shown(ages)).toContain('Older scans');
    expect(shown(ages, { findings: [absent('Tickets 2026')] })).not.toMatch(/(All|Older) scans/);
    expect(shown(ages, { findings: [known('Tickets 2026', false)] })).not.toMatch(/(All|Older) scans/);
    expect(shown(ages, { findings: [known('Tickets 2026', false)], scans: [scan()] })).toContain('Older scans');
  });

  it('a card names each time of its parts once: of one minute are values with the databases that lack the barcode', () => {
    const line = (values: number, lacking: number, scans: number) => {
      const at = (minutes: number) => noon - minutes * minuteMs;
      const findings = [known('Tickets 2026', true), absent('Crew')];
      const asOf = { values: at(values), absent: at(lacking), scans: at(scans) };
      return ageLine(lookup({ findings, asOf }), undefined).join();
    };
    expect(line(30, 30, 30)).toMatch(/^<!date[^>]*The account as of [^>]*>$/);
    expect(line(20, 20, 30)).toMatch(/^Values <!date[^>]*11:40 UTC>, the account’s scans <!date[^>]*11:30 UTC>$/);
    expect(line(20, 30, 30)).toMatch(
      /^Values <!date[^>]*11:40 UTC>, the account’s scans and the other databases <!date[^>]*11:30 UTC>$/,
    );
  });

  it('an unknown barcode, and one that is not valid, are as of their values: scans change nothing in them', () => {
    const ages = { values: noon, scans: noon - 40 * minuteMs };
    for (const findings of [[absent('Tickets 2026')], [known('Tickets 2026', false)]]) {
      const text = shown(ages, { findings });
      expect(text).toMatch(/Unknown|Not valid/);
      expect(text).not.toMatch(/As of/);
      expect(text).toMatch(/The account’s scans <!date[^>]*11:20 UTC>/);
    }
  });

  it('a title has the same size with a time and without, and nothing stray between its databases and its time', () => {
    const heads = (ages: Ages, more: Parameters<typeof lookup>[0] = {}) =>
      lookupCard(lookup({ asOf: ages, ...more })).blocks.flatMap((block) =>
        block.type === 'header' ? block.text.text : [],
      );
    const old = { values: noon - 3 * minuteMs, scans: noon - 3 * minuteMs };
    expect(heads({ values: noon, scans: noon })).toEqual(['✅ Valid, no admission on record']);
    expect(heads(old)).toEqual(['✅ Valid, no admission on record']);
    const unknown = { findings: [absent('Tickets 2026')] };
    expect(heads(old, unknown)).toEqual(['❔ Unknown']);
    expect(shown(old, unknown)).toMatch(/❔ UnknownNot in Tickets 2026<!date\^\d+\^As of /);
  });

  it.each([
    [{ values: { read: 40_000, of: 500_000 }, scans: 12_000 }, '40,000 of 500,000 values'],
    [{ values: { read: 40_000 }, scans: 1 }, '40,000 values so far'],
    [{ values: { read: 0, of: 1 } }, '0 of 1 value'],
  ])('the card of an unknown barcode, unless shared, says that values are still copied: %j', (copying, words) => {
    const ages = { scans: noon, values: noon, copying };
    const unknown = { findings: [absent('Tickets 2026')] };
    const text = shown(ages, unknown);
    expect(text).toContain(`Scandesk is still copying the account (${words}): it may have similar barcodes.`);
    expect(shown(ages, unknown, { sharedBy: 'U1' })).not.toContain('copying');
    // The answer about a barcode that a database holds is the account's own.
    expect(shown(ages)).not.toMatch(/cop(ied|ying)/i);
  });

  it.each([[{ scans: 12_000 }], [{ scans: 0 }], [{ values: { read: 2_000, of: 2_000 } }]])(
    'the card of an unknown barcode says nothing of the copy once all values are copied: %j',
    (copying) => {
      const unknown = { findings: [absent('Tickets 2026')] };
      expect(shown({ scans: noon, values: noon, copying }, unknown)).not.toMatch(/cop(ied|ying)/i);
    },
  );
});
