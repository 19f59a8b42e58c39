import { describe, expect, test } from 'vitest';
import { barcodesIn, isSentence, typedText } from '../../../src/slack/messages/typed-text.js';

describe('a message’s text', () => {
  test.each([
    ['call <tel:+4912345678|+49 12345678>', 'call +49 12345678'],
    ['<tel:0012345678|0012345678>', '0012345678'],
    ['<https://id.example/01/09506000134352>', 'https://id.example/01/09506000134352'],
    ['<http://example.com|example.com>', 'example.com'],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
    ['A&amp;B &lt;1&gt;', 'A&B <1>'],
    ['&amp;lt;', '&lt;'],
    ['<@U0SCANDESK1|scandesk> 0123', '  0123'],
    ['<!here> <#C1|general> <@U1>', '     '],
  ])('a message’s text reads as it was typed: %s', (text, typed) => {
    expect(typedText(text)).toBe(typed);
  });
});

describe('barcodes in a text', () => {
  test.each<[text: string, values: string[]]>([
    ['Customer says 4006381333931 does not scan, and HLF-000123!', ['4006381333931', 'HLF-000123']],
    ['is `00 12 ` or `x` right?', ['00 12', 'x']],
    ['```0012345\nAB-99\n```', ['0012345', 'AB-99']],
    ['the ticket "TK 00 42" and (0012345).', ['TK 00 42', '0012345']],
    ['0012345, 0012346;0012347\n0012348', ['0012345', '0012346', '0012347', '0012348']],
    ['twice 0012345 0012345', ['0012345']],
    ['on 2026-11-23 at 14:02, 23.11.2026 and 11/23/26 for $12345.50, 12.345,00 or 99999%', []],
    ['see https://example.com/a/12345 or write to a12345@b.example', []],
    ['https://id.example/01/09506000134352/10/AB', ['https://id.example/01/09506000134352/10/AB']],
    ['Hello there, nothing to see in 2026', []],
    ['', []],
  ])('the barcodes in a text are found, and other words are not: %s', (text, values) => {
    expect(barcodesIn(text)).toEqual(values);
  });

  test('a text counts as a sentence where it has several other words besides its barcodes', () => {
    expect(isSentence('please check 0012345')).toBe(true);
    expect(isSentence('TICKET 000123')).toBe(false);
    expect(isSentence('john smith')).toBe(false);
    expect(isSentence('0012345 0012346')).toBe(false);
  });
});
