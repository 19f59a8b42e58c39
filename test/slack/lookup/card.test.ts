import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import type { Lookup } from '../../../src/lookup/index.js';
import { checkMessageBlocks } from '../../../src/sandbox/slack/blocks/check.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { lookupCard } from '../../../src/slack/lookup/card/card.js';
import { maxScansOnCard } from '../../../src/slack/lookup/record-store.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { certain } from '../../lookup/ages.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { absent, anyLookup, failed, hostileText, known, lookup, noon, scan, unread } from './lookup-samples.js';

const shown = (...args: Parameters<typeof lookupCard>) => read(lookupCard(...args).blocks);
const headline = (...args: Parameters<typeof lookupCard>) => shownTexts(lookupCard(...args).blocks[1])[0]?.text;
const buttonsOf = (...args: Parameters<typeof lookupCard>) =>
  lookupCard(...args).blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements.flatMap((e) => (e.type === 'button' ? e.text.text : [])) : [],
  );

describe('a GS1 barcode', () => {
  const value = '010950110153000317261231310300125010A&B\u001d21SN*1*';

  it('a GS1 barcode is shown in its parts, with dates and measures in words', () => {
    expect(shown(lookup({ value }))).toContain(
      'GTIN 09501101530003\nExpires Dec 31, 2026\nNet weight 1.250 kg\nBatch A&B\nSerial SN*1*',
    );
  });

  it('a GS1 barcode without separators is shown in both possible readings, neither of them as certain', () => {
    const card = shown(lookup({ value: '010950110153000310ABC17261231' }));
    expect(card).toContain('Batch ABC17261231, or ABC · Expires Dec 31, 2026');
    expect(card).toContain(
      'Batch may include the fields after it, because this barcode was entered without separators.',
    );
    const weak = shown(lookup({ value: '010950110153000321120219' }));
    expect(weak).toContain('Serial 120219');
    expect(weak).not.toContain(', or ');
    expect(weak).toContain('Serial may include the fields after it');
    const certain = shown(lookup({ value: '010950110153000310ABC' }));
    expect(certain).toContain('Batch ABC');
    expect(certain).not.toContain('may include');
  });

  it('a GS1 barcode is shown as expired once its expiry date is over in every time zone', () => {
    const expires = (date: string) => shown(lookup({ value: `010950110153000317${date}` }));
    expect(expires('260227')).toContain('Expired Feb 27, 2026');
    expect(expires('260228')).toContain('Expires Feb 28, 2026');
    expect(expires('260300')).toContain('Expires Mar 2026');
    expect(expires('991231')).toContain('Expired Dec 31, 1999');
  });

  it('a barcode with a wrong GS1 check digit is not shown in GS1 parts', () => {
    expect(shown(lookup({ value: '0109501101530004' }))).not.toContain('GTIN ');
  });
});

describe('an unknown barcode', () => {
  const hint = 'its check digit doesn’t match';

  it('an unknown barcode with a wrong check digit gets a hint, and a found barcode does not', () => {
    const findings = [absent('A')];
    expect(shown(lookup({ value: '9501101530004', findings }))).toContain(hint);
    expect(shown(lookup({ value: '9501101530003', findings }))).not.toContain(hint);
    expect(shown(lookup({ value: 'A501101530004', findings }))).not.toContain(hint);
    expect(shown(lookup({ value: '9501101530004' }))).not.toContain(hint);
  });
});

describe('an unknown barcode’s suggestions', () => {
  const data = { value: 'x' };
  const hit = (value: string, response: string) => ({ value, response, database: { id: 'A', name: 'A' } });
  const unknown = (suggestions: Lookup['suggestions'], more: Partial<Lookup> = {}) =>
    lookup({ findings: [absent('A')], ...more, ...(suggestions ? { suggestions } : {}) });

  it('an unknown barcode’s suggestions show a value that lost control characters as text, without a button', () => {
    const byResponse = { values: [{ ...hit('0109501101530003', 'John Smith'), lost: true }], more: false };
    const { blocks } = lookupCard(unknown({ close: [], lost: ['BADGE88'], byResponse }), { data });
    const card = read(blocks);
    expect(card).toMatch(
      /0109501101530003.*John Smith · A.*reads like.*BADGE88.*control characters.*Type each separator/s,
    );
    expect(JSON.stringify(blocks)).not.toContain('lookup.open');
  });

  it('an unknown barcode’s suggestions are buttons with the exact values, close values first', () => {
    const close = ['00123 ', '0123'];
    const byResponse = { values: [hit('HLF-1', 'John Smith')], more: false };
    const { blocks } = lookupCard(unknown({ close, byResponse }, { value: 'smith' }), { data });
    const card = read(blocks);
    expect(card).toMatch(
      /Unknown.*Did you mean one of these\?.*00123 .*0123.*response mentions “smith”.*HLF-1.*John Smith · A.*Look up/s,
    );
    const values = [
      ...JSON.stringify(blocks).matchAll(/"action_id":"(lookup\.open\.\d)","value":("(?:[^"\\]|\\.)*")/g),
    ];
    expect(values.map(([, , value]) => JSON.parse(JSON.parse(value!)).value)).toEqual(['00123 ', '0123', 'HLF-1']);
    expect(new Set(values.map(([, id]) => id)).size).toBe(3);
  });

  it('an unknown barcode’s suggestions replace the account’s similar values, except on a shared card', () => {
    const card = unknown({ close: ['00123 '] }, { findings: [absent('A', ['00123 ']), absent('B')] });
    expect(shown(card, { data })).not.toContain('Similar values');
    expect(shown(card, { data })).toContain('Not in A or B');
    expect(shown(card, { data })).toContain('Did you mean this one?');
    expect(shown(card, { sharedBy: 'U1' })).toContain('Similar values in A: 00123 ');
    expect(shown(card, { sharedBy: 'U1' })).not.toContain('Did you mean');
  });

  it('an unknown barcode’s suggestions say that there are more, or how many values the search covered', () => {
    const values = [hit('HLF-1', 'John Smith')];
    expect(shown(unknown({ close: [], byResponse: { values, more: true } }), { data })).toContain('Add a word');
    const some = { values, more: false, searched: 120_000 };
    expect(shown(unknown({ close: [], byResponse: some }), { data })).toContain('only the first 120,000 values');
    // Nobody looks for a number in responses.
    const none = { close: [], byResponse: { ...some, values: [] } };
    expect(shown(unknown(none, { value: 'Mary Jones' }), { data })).toContain('Responses were not fully searched');
    expect(shown(unknown(none, { value: '0012345' }), { data })).not.toContain('fully searched');
    expect(shown(unknown(none, { value: 'HLF-000001' }), { data })).not.toContain('fully searched');
  });

  wideIt('an unknown barcode’s suggestions never format the account’s text, and Slack accepts them', () => {
    const text = hostileText(200).filter((one) => one !== '');
    const one = fc.record({ value: text, response: text, database: fc.record({ id: text, name: text }) });
    const suggestions = fc.record({
      close: fc.array(text, { maxLength: 8 }),
      lost: fc.array(text, { maxLength: 8 }),
      byResponse: fc.record({ values: fc.array(one, { maxLength: 8 }), more: fc.boolean() }),
    });
    fc.assert(
      fc.property(suggestions, text, (all, value) => {
        const { blocks } = lookupCard(unknown(all, { value }), { data });
        expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
        const outside = shownTexts(blocks).filter(({ text: part }) => /[<>]|:100:|\*bold\*/.test(part));
        for (const { how } of outside) {
          expect(how).toBe('exact');
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('the first lines of a card', () => {
  const admitted = scan({ result: '' });
  const refused = scan({ id: '2', status: 'invalid', result: 'Already scanned' });

  it('a card begins with the barcode, followed by its headline', () => {
    const { blocks } = lookupCard(lookup());
    expect(shownTexts(blocks[0])).toEqual([{ how: 'exact', text: '00123', code: true }]);
    expect(blocks[1]).toMatchObject({ type: 'header', text: { text: '✅ Valid, no admission on record' } });
  });

  it.each([
    ['✅ Valid, no admission on record', {}],
    ['⛔ Already used', { scans: [admitted] }],
    ['❌ Not valid: Refunded', { findings: [known('Tickets 2026', false, 'Refunded')] }],
    ['⚠️ Valid in A, not valid in B', { findings: [known('A', true), known('B', false)] }],
    ['⚠️ Valid in the database, last scan not valid: Already scanned', { scans: [refused] }],
    ['⚠️ Not checked: B could not be searched', { findings: [absent('A'), failed('B')] }],
    ['❔ Unknown', { findings: [absent('A')] }],
  ] as const)('a card’s headline is “%s”, for the person who asked and when shared', (sentence, given) => {
    expect(headline(lookup(given), { data: { value: 'x' } })).toBe(sentence);
    expect(headline(lookup(given), { sharedBy: 'U1' })).toBe(sentence);
  });

  it('a used barcode’s card says when, where and by whom it was admitted, and lists the other scans, each fact once', () => {
    const twoGates = [1, 2].map((n) => ({
      ...{ relay: false, id: `${n}`, name: n === 1 ? 'Main gate' : 'Gate B', databaseIds: ['Tickets 2026'] },
      ...{ serviceIds: [`${n}`], once: {} },
    }));
    const card = lookupCard(lookup({ scans: [refused, admitted], gates: twoGates }));
    expect(read(card.blocks)).toBe(
      [
        '00123⛔ Already used at Main gateAdmitted  · anna · Scanner 3',
        'Not used yet at Gate B.',
        'In Tickets 2026Welcome1 other scan❌ Not valid ·  · Main gate · anna · Scanner 3Already scanned',
      ].join('\n'),
    );
    expect(JSON.stringify(card.blocks)).toContain(`"timestamp":${noon / 1000}`);
  });

  it('a card’s headline is also its notification’s text, with the barcode first', () => {
    expect(lookupCard(lookup({ scans: [admitted] })).text).toBe('`00123`: ⛔ Already used');
  });

  it('a card’s headline quotes a database’s response, which the card repeats only if it was shortened', () => {
    expect(shown(lookup({ findings: [known('A', false, 'Refunded')] })).match(/Refunded/g)).toHaveLength(1);
    const long = 'Refunded. '.repeat(20).trim();
    expect(shown(lookup({ findings: [known('A', false, long)] }))).toContain(long);
  });

  it('a card says what its scans were where the account’s services could not be loaded, not confirmed, and why', () => {
    const services = { ...certain(noon), whole: false, failure: { code: 'account.slow' } } as const;
    const unread = lookup({ scans: [admitted], gates: [], lists: { services } });
    expect(headline(unread)).toMatch(/^⚠️ Valid, scanned once, not confirmed$/);
    expect(shown(unread)).toContain('services could not be loaded: the scanning account took too long to respond.');
    expect(buttonsOf(unread, { data: { value: 'x' } })).toContain('Try again');
  });
});

describe('a card', () => {
  it('a card names the databases that were not searched, and says that an admin can change the selection', () => {
    const card = shown(lookup({ findings: [absent('A')], notAsked: [{ id: '9', name: 'Archive' }] }));
    expect(card).toContain('Not searched: Archive. An admin can change this with /scandesk connect.');
  });

  it('a card shows each response under its database where several databases have the barcode', () => {
    const card = shown(lookup({ findings: [known('A', true, 'Come in'), known('B', false, 'Revoked')] }));
    expect(card).toMatch(/Valid in A.*Come in.*Not valid in B.*Revoked/s);
  });

  it('a card shows a database’s spelling of the barcode where it differs from the typed one', () => {
    expect(shown(lookup({ value: 'abc', findings: [known('A', true, '', 'ABC')] }))).toContain('stored as ABC');
  });

  it('a card names a database’s similar value, without treating it as the barcode', () => {
    const card = shown(lookup({ findings: [absent('A', ['00123 '])] }));
    expect(card).toContain('Similar values in A: 00123 .');
    expect(card).toContain('Unknown');
  });

  it('a card lists the databases without the barcode only where no database is known to have it', () => {
    expect(shown(lookup({ findings: [known('A', true), absent('B'), absent('C', ['00123 '])] }))).not.toContain(
      'Not in',
    );
    const unknown = shown(lookup({ findings: [absent('A'), absent('B')] }));
    expect(unknown).toContain('❔ UnknownNot in A or B');
    expect(unknown.match(/not in/gi)).toHaveLength(1);
    expect(shown(lookup({ findings: [absent('A'), failed('B')] }))).toContain('Not in A.');
  });

  it('a card says which database gave no answer and why', () => {
    const text = shown(lookup({ findings: [known('A', true), failed('B')] }));
    expect(text).toContain('⚠️ Not checked: B could not be searched');
    expect(text).toContain('The scanning account took too long to respond.');
    expect(text.match(/B could not be searched/g)).toHaveLength(1);
  });

  it.each([
    ['2 other scans', [scan(), scan({ status: 'invalid' }), scan()], false],
    ['1 other scan', [scan(), scan()], false],
    [
      'Scanned 9 times: 8 valid, 1 not valid',
      [scan({ status: 'invalid' }), ...Array.from({ length: 8 }, () => scan())],
      false,
    ],
    ['Scanned at least 2 times; of the last 2: 2 valid', [scan(), scan()], true],
  ] as const)('a card summarises its scans as “%s”', (sentence, scans, more) => {
    expect(shown(lookup({ scans, more }))).toContain(sentence);
  });

  it('a card says of no scan and of one scan nothing twice', () => {
    expect(shown(lookup())).not.toMatch(/No scan|Scanned/);
    expect(shown(lookup({ findings: [known('A', false)] }))).toContain('No scans.');
    const once = shown(lookup({ scans: [scan()] }));
    expect(once.match(/Main gate/g)).toHaveLength(1);
    expect(once.match(/Welcome/g)).toHaveLength(1);
    const refused = shown(lookup({ findings: [known('A', false)], scans: [scan({ status: 'invalid' })] }));
    expect(refused).not.toContain('Scanned once');
    expect(refused.match(/Main gate/g)).toHaveLength(1);
    const twice = shown(lookup({ scans: [scan(), scan({ id: '2' })] }));
    expect(twice).not.toContain('first ');
    expect(twice.match(/Welcome/g)).toHaveLength(1);
    expect(shown(lookup({ findings: [known('A', false)], scans: [scan(), scan({ id: '2' })] }))).toContain(
      'Scanned 2 times✅',
    );
  });

  it('a card writes a number of scans in the thousands with a separator', () => {
    const summary = { read: 500, total: 1_200, exact: true, valid: 499, invalid: 1 };
    const card = shown(lookup({ history: { kind: 'read', scans: [], summary, more: true, ...certain(noon) } }));
    expect(card).toContain('Scanned 1,200 times; of the last 500: 499 valid, 1 not valid');
  });

  it('a card shows a scan with user, place, device, response, answers and a map', () => {
    const one = scan({
      answers: [
        { question: 'How many?', answer: '2' },
        { question: 'Condition', answer: 'Worn' },
      ],
      place: { latitude: 48.1, longitude: 11.5, text: '48.10, 11.50' },
    });
    const card = lookupCard(lookup({ scans: [one] }));
    expect(read(card.blocks)).toContain(
      'Admitted  · Main gate · anna · Scanner 3 · Map\nHow many? 2 · Condition: Worn\nIn Tickets 2026Welcome',
    );
    expect(JSON.stringify(card.blocks)).toContain(
      'https://www.openstreetmap.org/?mlat=48.10&mlon=11.50#map=17/48.10/11.50',
    );
    expect(JSON.stringify(card.blocks)).toContain(`"timestamp":${noon / 1000}`);
  });

  it.each([
    [25, true],
    [20, false],
  ])('the card of an unknown text of %i parts explains the limit of 20 barcodes: %s', (count, said) => {
    const value = Array.from({ length: count }, (_, n) => `b${n}`).join(' ');
    const card = shown(lookup({ value, findings: [absent('Tickets')] }));
    expect(card.includes(`If these are ${count} barcodes: Scandesk looks up to 20 up at once.`)).toBe(said);
  });

  it('a card shows how a scan spelled the barcode where it differs from the typed barcode', () => {
    const card = shown(lookup({ value: 'abc', scans: [scan({ value: 'ABC', source: 'relay' })] }));
    expect(card).toContain('scanned as ABC');
  });

  it('a card quotes a scan’s time as the account spells it where the time cannot be read', () => {
    const { at: _, ...timeless } = scan({ atText: '0000-00-00' });
    expect(shown(lookup({ scans: [timeless] }))).toContain('at “0000-00-00”');
  });

  it(`a card shows the last ${maxScansOnCard} other scans and offers All scans`, () => {
    const scans = Array.from({ length: 8 }, (_, n) => scan({ result: `result ${n}` }));
    const card = lookup({ scans });
    expect(shown(card)).toContain('Showing the last 5.');
    expect(shown(card)).toContain('result 5');
    expect(shown(card)).not.toContain('result 6');
    expect(buttonsOf(card, { data: { value: 'x' } })).toEqual(['Share here', 'All scans']);
  });

  it('a card offers no All scans where all scans are shown, and a shared card has no button', () => {
    expect(buttonsOf(lookup({ scans: [scan()] }), { data: { value: 'x' } })).toEqual(['Share here']);
    expect(buttonsOf(lookup({ scans: [scan()] }), { sharedBy: 'U1' })).toEqual([]);
  });

  it('a shared card names the person who shared it, and that person’s own card says that it was shared', () => {
    expect(shown(lookup(), { sharedBy: 'U1' })).toContain('Shared by <@U1>');
    expect(shown(lookup(), { data: { value: 'x' }, wasShared: true })).toContain('You shared this here.');
    expect(buttonsOf(lookup(), { data: { value: 'x' }, wasShared: true })).toEqual([]);
  });

  it.each([
    [5, undefined, '5 of 30 API calls left for the whole account this minute'],
    [1, undefined, '1 of 30 API calls left for the whole account this minute'],
    [25, 40, '40 API calls left for the whole account today'],
    [25, undefined, undefined],
    [undefined, undefined, undefined],
  ])(
    'a card with %s API calls left this minute and %s today (undefined: unknown) has the warning %s',
    (minute, day, words) => {
      const callsLeft = {
        minute: { ...(minute === undefined ? {} : { left: minute }), limit: 30, resetsAt: noon },
        day: { ...(day === undefined ? {} : { left: day }), resetsAt: noon },
      };
      const card = shown(lookup({ callsLeft }));
      expect(card.includes('for the whole account')).toBe(words !== undefined);
      expect(card).toContain(words ?? '');
    },
  );

  it('a card says that scans could not be loaded, and not that no scan is recorded', () => {
    const card = shown(lookup({ history: unread({ code: 'account.unreachable' }) }));
    expect(card).toContain('The account’s scans could not be loaded: the scanning account can’t be reached right now.');
    expect(card).not.toContain('No scans');
  });

  const outOfCalls = {
    code: 'account.quota',
    quota: { period: 'minute', left: 0, againAt: noon },
  } as const;

  it('a card names each reason of a failure once, for all parts that failed by it, and offers Try again', () => {
    const card = lookup({
      findings: [failed('A', outOfCalls), failed('S'), failed('B', outOfCalls), failed('C', outOfCalls)],
      history: unread(outOfCalls),
      callsLeft: { minute: { left: 0, limit: 30, resetsAt: noon }, day: { resetsAt: noon } },
    });
    const text = shown(card);
    expect(text).toContain('⚠️ A, B and C could not be searched: the account has no API calls left this minute. ');
    expect(text).toContain('⚠️ S could not be searched: the scanning account took too long to respond.');
    expect(text).toContain('⚠️ The account’s scans could not be loaded either.');
    expect(text.match(/API calls left/g)).toHaveLength(1);
    expect(text).not.toMatch(/0 calls|left for the whole account|exactly this spelling/);
    expect(JSON.stringify(lookupCard(card).blocks)).toContain('"The limit resets at {time}"');
    expect(buttonsOf(card, { data: { value: 'x' } })).toEqual(['Share here', 'Try again']);
  });

  it('a card says that a text which could not be searched for may be several barcodes, and how to look those up', () => {
    const hint = 'If these are 3 barcodes, look them up again with each on a line of its own.';
    const shownFor = (value: string) => shown(lookup({ value, findings: [failed('A', outOfCalls), absent('B')] }));
    expect(shownFor('TK-1 TK-2 TK-3')).toContain(hint);
    expect(shownFor('TK-1, TK-2, TK-3')).toContain(hint);
    expect(shownFor('TK-1')).not.toContain('If these are');
    const value = 'TK-1 TK-2 TK-3';
    expect(shown(lookup({ value, findings: [failed('A', outOfCalls), known('B', true)] }))).not.toContain(hint);
  });

  it.each([['PALLET 7'], [' 007 ']])('a card says of %j, which no database has, that spaces count', (value) => {
    expect(shown(lookup({ value, findings: [absent('A')] }))).toContain('Spaces count, also at the start');
  });

  it('a card says nothing of spaces where the barcode has none', () => {
    expect(shown(lookup({ value: '007', findings: [absent('A')] }))).not.toContain('spaces');
  });

  it('a card says nothing of spaces for a barcode without spaces that is found, not checked, or shared', () => {
    expect(shown(lookup({ findings: [absent('A'), known('B', true)] }))).not.toMatch(/spaces count/i);
    expect(shown(lookup({ findings: [failed('A')] }))).not.toMatch(/spaces count/i);
    expect(shown(lookup({ findings: [absent('A')] }), { sharedBy: 'U1' })).not.toMatch(/spaces count/i);
  });

  it('a card explains how to type the separator that it shows', () => {
    expect(shown(lookup({ value: '01\u001d10' }))).toContain('To search for it, type \\x1d.');
  });

  it('the card of a found barcode with separators says that the result may be for the barcode without them', () => {
    const words = 'this result may be for the same barcode without them';
    expect(shown(lookup({ value: '01\u001d10', findings: [known('A', true)] }))).toContain(words);
    expect(shown(lookup({ value: '0110', findings: [known('A', true)] }))).not.toContain(words);
    expect(shown(lookup({ value: '01\u001d10', findings: [absent('A')] }))).not.toContain(words);
  });

  it('a card of an unknown GS1 barcode explains how to type the separators that the account’s lists leave out', () => {
    const words = 'type each one as \\x1d. The account’s lists leave them out';
    const unknown = (value: string) => shown(lookup({ value, findings: [absent('A')] }));
    expect(unknown('010401234567890110LOT4217261231')).toContain(words);
    expect(unknown(']C1010401234567890110LOT4217261231')).toContain(words);
    expect(unknown('HLF-000001')).not.toContain(words);
    expect(unknown('010401234567890110LOT42\u001d17261231')).not.toContain(words);
    expect(shown(lookup({ value: '010401234567890110LOT42', findings: [known('A', true)] }))).not.toContain(words);
  });
});

describe('a card of any data', () => {
  wideIt('Slack accepts a card, whatever the account sends', () => {
    fc.assert(
      fc.property(anyLookup, fc.constantFrom({ data: { value: 'x' } }, { sharedBy: 'U1' }, {}), (any, options) => {
        const card = lookupCard(any, options);
        expect(checkMessageBlocks(card.blocks, systemRandom)).toMatchObject({ ok: true });
        const letters = shownTexts(card.blocks).reduce((sum, { text }) => sum + text.length, 0);
        expect(letters).toBeLessThan(12_500);
      }),
      { numRuns: 150 },
    );
  });

  it('a card shows the barcode letter by letter, whatever the account sends', () => {
    fc.assert(
      fc.property(anyLookup, (any) => {
        const [first] = shownTexts(lookupCard(any).blocks).filter(({ code }) => code);
        expect(first).toEqual({ how: 'exact', text: visible(any.value), code: true });
      }),
    );
  });

  it('a shared card never places the account’s text where Slack would format, link or mention it', () => {
    const ours = /^(Shared by <@U1>|[\w ,;.]*(<!date\^\d+\^[^|]+\|[^>]+>\.)?)$/;
    fc.assert(
      fc.property(anyLookup, (any) => {
        const card = lookupCard(any, { sharedBy: 'U1' });
        for (const { how, text } of shownTexts(card.blocks)) {
          expect(how === 'exact' || ours.test(text)).toBe(true);
        }
        expect(card.text).not.toMatch(/[<>]/);
      }),
    );
  });
});
