import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/search/parse-query.js';

const now = Date.UTC(2026, 2, 9, 15, 30);
const parse = (text: string) => parseQuery(text, now, 'Etc/UTC');

describe('a search typed as text', () => {
  it.each([
    ['', {}],
    ['0123', { barcode: { match: 'contains', text: '0123' } }],
    ['*0123*', { barcode: { match: 'contains', text: '0123' } }],
    ['0123*', { barcode: { match: 'starts', text: '0123' } }],
    ['"0123"', { barcode: { match: 'is', text: '0123' } }],
    ['“ 0123 ”', { barcode: { match: 'is', text: ' 0123 ' } }],
    ['"today"', { barcode: { match: 'is', text: 'today' } }],
    ['barcode:valid', { barcode: { match: 'contains', text: 'valid' } }],
    ['https://example.com/a', { barcode: { match: 'contains', text: 'https://example.com/a' } }],
    ['01\\x1d02', { barcode: { match: 'contains', text: '01\u001d02' } }],
    ['today', { when: 'today' }],
    ['3 March to 5 March invalid', { when: '3 March to 5 March', results: ['invalid'] }],
    ['when:"last 7 days" 0123', { when: 'last 7 days', barcode: { match: 'contains', text: '0123' } }],
    ['valid invalid', { results: ['valid', 'invalid'] }],
    ['Not valid today', { results: ['invalid'], when: 'today' }],
    ['valid not checked', { results: ['valid', 'not_validated'] }],
    ['"tomorrow"', { barcode: { match: 'is', text: 'tomorrow' } }],
    ['barcode:next', { barcode: { match: 'contains', text: 'next' } }],
    ['result:"not valid"', { results: ['invalid'] }],
    ['"not valid"', { barcode: { match: 'is', text: 'not valid' } }],
    ['response:"already used"', { response: 'already used' }],
    ['property:color=red', { property: { name: 'color', value: 'red' } }],
    ['property:"seat row=1=2"', { property: { name: 'seat row', value: '1=2' } }],
    [
      'today invalid service:"Gate A" user:ann 0123*',
      {
        when: 'today',
        results: ['invalid'],
        services: [{ part: 'Gate A' }],
        users: [{ part: 'ann' }],
        barcode: { match: 'starts', text: '0123' },
      },
    ],
  ])('a typed search of “%s” is parsed as %j', (text, query) => {
    expect(parse(text)).toEqual({ query });
  });

  it.each([
    ['a b', 'two_barcodes', 'a b', 0],
    ['invalid Gate A today', 'two_barcodes', 'Gate A', 8],
    ['tody invalid Z', 'second_barcode', 'Z', 13],
    ['0123 barcode:4', 'twice', 'barcode:4', 5],
    ['today service:', 'empty', 'service:', 6],
    ['today servce:"Gate A"', 'unknown_key', 'servce:"Gate A"', 6],
    ['servce:Gate', 'unknown_key', 'servce:Gate', 0],
    ['when:soon', 'when', 'when:soon', 0],
    ['tomorrow', 'future', 'tomorrow', 0],
    ['invalid Next week', 'future', 'Next', 8],
    ['day after tomorrow', 'future', 'tomorrow', 10],
    ['not', 'common_word', 'not', 0],
    ['next monday', 'future', 'next', 0],
    ['today yesterday', 'twice', 'yesterday', 6],
    ['service:"Gate A', 'no_end_quote', 'service:"Gate', 0],
    ['*', 'empty', '*', 0],
    ['property:color', 'property', 'property:color', 0],
    ['result:maybe', 'unknown_key', 'result:maybe', 0],
  ])('a typed search of “%s” reports the problem %s at “%s”', (text, kind, typed, at) => {
    expect(parse(text)).toMatchObject({ problem: { kind, typed, at } });
  });

  it.each([
    ['invalid Gate A today', { results: ['invalid'], services: [{ part: 'Gate A' }], when: 'today' }],
    ['gate a', { services: [{ part: 'gate a' }] }],
    ['Gate', { services: [{ part: 'Gate' }] }],
    ['anna today', { users: [{ part: 'anna' }], when: 'today' }],
    ['Gate A phone', { devices: [{ part: 'Gate A phone' }] }],
    ['Gate A 0123*', { services: [{ part: 'Gate A' }], barcode: { match: 'starts', text: '0123' } }],
    ['valid', { results: ['valid'] }],
    ['valid tickets', { services: [{ part: 'valid tickets' }] }],
    ['not valid gate a', { results: ['invalid'], services: [{ part: 'gate a' }] }],
    ['101', { barcode: { match: 'contains', text: '101' } }],
    ['Gat', { barcode: { match: 'contains', text: 'Gat' } }],
    ['"Gate A"', { barcode: { match: 'is', text: 'Gate A' } }],
    ['next door', { devices: [{ part: 'next door' }] }],
    ['barcode:anna', { barcode: { match: 'contains', text: 'anna' } }],
  ])('a typed search of “%s” is parsed as %j where names of services, users and devices are known', (text, query) => {
    const known = [
      { kind: 'services', name: 'Gate A: tickets' },
      { kind: 'services', name: 'Valid tickets' },
      { kind: 'users', name: 'Anna' },
      { kind: 'devices', name: 'Gate A phone' },
      { kind: 'devices', name: '101' },
      { kind: 'devices', name: 'Next door' },
    ] as const;
    expect(parseQuery(text, now, 'Etc/UTC', known)).toEqual({ query });
  });

  it('a typed search reads text in quotes as the barcode, exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        fc.pre(!/["\u201c\u201d\u201e\u201f\uff02]/.test(value));
        expect(parse(`today "${value}"`)).toEqual({ query: { when: 'today', barcode: { match: 'is', text: value } } });
      }),
    );
  });
});
