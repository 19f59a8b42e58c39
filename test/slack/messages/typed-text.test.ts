import { describe, expect, test } from 'vitest';
import {
  barcodesIn,
  isGreeting,
  isSentence,
  typedText,
  withoutQuoteMarks,
} from '../../../src/slack/messages/typed-text.js';

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

describe('a direct message', () => {
  test.each([
    'hi',
    'Hello!',
    'thanks',
    'Thank you 🙂',
    'thanks :+1:',
    ':wave:',
    '👍',
    '?',
    '...',
    'good morning',
    'ok.',
  ])('the message “%s” greets or thanks', (text) => {
    expect(isGreeting(text)).toBe(true);
  });

  test.each(['hi 0012399', 'HI-1', 'hits', '0012399', 'thanks for 0012399', 'okapi', ':100:', ''])(
    'the message “%s” is no greeting alone',
    (text) => expect(isGreeting(text)).toBe(false),
  );

  test.each([
    ['> 0012399', '0012399'],
    ['> > 0012399\n> 0012400', '0012399\n0012400'],
    ['>0012399', '>0012399'],
    ['A > B', 'A > B'],
  ])('the quoted message %j reads as %j', (text, plain) => expect(withoutQuoteMarks(text)).toBe(plain));

  test.each(['票号：0012399，谢谢', '票号：0012399', 'رقم: 0012399، شكرا'])(
    'the message “%s” is a sentence around its barcode',
    (text) => {
      expect(isSentence(text)).toBe(true);
      expect(barcodesIn(text)).toEqual(['0012399']);
    },
  );
});

describe('barcodes in a text', () => {
  test.each<[text: string, values: string[]]>([
    ['Customer says 4006381333931 does not scan, and HLF-000123!', ['4006381333931', 'HLF-000123']],
    ['is `00 12 ` or `x` right?', ['00 12', 'x']],
    ['```0012345\nAB-99\n```', ['0012345', 'AB-99']],
    ['the ticket "TK 00 42" and (0012345).', ['TK 00 42', '0012345']],
    ['is it (01)05400000002649(10)LOT1?', ['(01)05400000002649(10)LOT1']],
    ['`010950110153000310xyz␝3040` at Gate 3', ['010950110153000310xyz\u001d3040']],
    ['scanned 010950110153000310xyz␝3040 and AB\\x1e12345', ['010950110153000310xyz\u001d3040', 'AB\u001e12345']],
    ['the reader sent ]C10105400000002649.', [']C10105400000002649']],
    ['(see (00)373400306809981733)', ['(00)373400306809981733']],
    ['0012345, 0012346;0012347\n0012348', ['0012345', '0012346', '0012347', '0012348']],
    ['twice 0012345 0012345', ['0012345']],
    ['on 2026-11-23 at 14:02, 23.11.2026 and 11/23/26 for $12345.50, 12.345,00 or 99999%', []],
    ['see https://example.com/a/12345 or write to a12345@b.example', []],
    ['https://id.example/01/09506000134352/10/AB', ['https://id.example/01/09506000134352/10/AB']],
    ['`---` or `0012345`', ['0012345']],
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
