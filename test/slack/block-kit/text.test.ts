import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut } from '../../../src/slack/block-kit/elements.js';
import {
  barcodeElement,
  barcodePlain,
  decodeEntities,
  escaped,
  fallback,
  linkElement,
  richText,
  textElement,
  visible,
} from '../../../src/slack/block-kit/text.js';
import { anyText } from '../../helpers/any-text.js';
import { drawMrkdwn } from '../mrkdwn.js';

/** Any text as a barcode, also with what Slack could read as markup. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  anyText({ minLength: 1, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '<!channel>',
        '<@U0ADA>',
        '<https://a.example|b>',
        '&amp;',
        '&',
        '<',
        '>',
        '*',
        '_',
        '~',
        '`',
        '```',
        ':100:',
        ':tada:',
        '@here',
        '#general',
        'https://evil.example/',
        ' ',
        '  ',
        '\n',
        '\t',
        '\u001d',
        '\u0000',
        '\u202e',
        '\u200b',
        '\u00a0',
        '00123',
        '1e5',
        '0x1F',
        'true',
        '“',
        '”',
        '"',
        "'",
        '\\',
        '😀',
        '👨‍👩‍👧',
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const printable = fc.string({
  unit: fc.constantFrom(...' !"#$%&\'()*+,-./0129:;<=>?@ABz[\\]^_`{|}~äß漢😀'),
  minLength: 1,
});

describe('a barcode in rich text', () => {
  test('a barcode in rich text is one text element formatted as code, whatever characters it has', () => {
    fc.assert(
      fc.property(value, (barcode) => {
        const element = barcodeElement(barcode);
        expect(element).toEqual({ type: 'text', text: visible(barcode), style: { code: true } });
      }),
    );
  });

  test('a barcode in rich text is shown letter by letter when every letter is visible', () => {
    fc.assert(
      fc.property(printable, (barcode) => {
        expect(visible(barcode)).toBe(barcode);
      }),
    );
  });

  test.each([
    ['00123', '00123'],
    [' 1 ', ' 1 '],
    ['1e5', '1e5'],
    ['(01)04012345678901\u001d10ABC', '(01)04012345678901␝10ABC'],
    ['a\tb\r\nc\u007f', 'a␉b␍␊c␡'],
    ['a\u200bb', 'a⟨U+200B⟩b'],
    ['abc\u202e321', 'abc⟨U+202E⟩321'],
    ['a\u00a0b', 'a⟨U+00A0⟩b'],
    ['\ud800', '⟨U+D800⟩'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['a\u200db', 'a⟨U+200D⟩b'],
  ])('the barcode %j is shown in a message as %s', (barcode, shown) => {
    expect(visible(barcode)).toBe(shown);
  });

  test('a barcode looks different with a hidden character or a space at its end', () => {
    fc.assert(
      fc.property(
        printable,
        fc.constantFrom('\u200b', '\u001d', ' ', '\u00a0', '\u2060', '\ufeff', '\u00ad'),
        (a, hidden) => {
          expect(visible(a + hidden)).not.toBe(visible(a));
        },
      ),
    );
  });

  test('an empty barcode in rich text is shown by the word “empty”', () => {
    expect(barcodeElement('')).toEqual({ type: 'text', text: '(empty)', style: { italic: true } });
  });

  test('a barcode of 20,000 characters in rich text is cut to less than 6,000, and shown with its length', () => {
    const element = barcodeElement('x'.repeat(20_000)) as { text: string };
    expect(element.text).toMatch(/^x+… \(20000 characters\)$/);
    expect(element.text.length).toBeLessThan(6000);
  });
});

describe('a barcode in plain text', () => {
  test('a barcode in plain text never becomes emoji and is never too long for its place', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 2, max: 200 }), (barcode, max) => {
        const plain = barcodePlain(barcode, max);
        expect(plain.emoji).toBe(false);
        expect(plain.text.length).toBeLessThanOrEqual(max);
        expect(visible(barcode).startsWith(plain.text.replace(/…$/, '')) || plain.text === visible(barcode)).toBe(true);
      }),
    );
  });
});

describe('a barcode in fallback text', () => {
  test('a barcode in fallback text is shown character by character, and never becomes formatting or a mention', () => {
    fc.assert(
      fc.property(value, (barcode) => {
        const drawn = drawMrkdwn(fallback(barcode));
        expect(drawn.more.filter((kind) => kind !== 'code')).toEqual([]);
        if (!barcode.includes('`') && visible(barcode).trim() === visible(barcode)) {
          expect(drawn.text).toBe(visible(barcode));
        }
      }),
    );
  });
});

describe('outside text in mrkdwn', () => {
  test('outside text in mrkdwn never becomes formatting, a link or a mention', () => {
    fc.assert(
      fc.property(value, value, (one, two) => {
        expect(drawMrkdwn(`${escaped(one)} and ${escaped(two)}`).more).toEqual([]);
      }),
    );
  });

  test('outside text in mrkdwn keeps its colons, and makes no emoji or link of them', () => {
    expect(escaped('Gate: open at 14:05, 3:2')).toBe('Gate: open at 14:05, 3:2');
    for (const text of [':100:', 'a:b:c:d', 'https://example.com', '::tada::']) {
      expect(escaped(text).replaceAll('\u2060', '')).toBe(text);
      expect(drawMrkdwn(escaped(text)).more).toEqual([]);
      expect(escaped(text)).not.toMatch(/:\/\//);
    }
  });

  test('outside text in mrkdwn is unchanged except for &, < and >, which are escaped', () => {
    expect(escaped('Gate 3, north (main)')).toBe('Gate 3, north (main)');
    expect(escaped('<!channel> & co')).toBe('&lt;!channel&gt; &amp; co');
  });
});

describe('outside text in rich text', () => {
  test('outside text in rich text keeps its line breaks, and cannot reverse the direction of text around it', () => {
    expect(textElement('one\r\ntwo\u202e')).toEqual({ type: 'text', text: 'one\ntwo⟨U+202E⟩' });
  });

  test('outside text in rich text is a link with an https URL, and plain text with another or an invalid URL', () => {
    expect(linkElement('https://maps.example/?q=1,2', 'Map')).toMatchObject({ type: 'link' });
    expect(linkElement('javascript:alert(1)', 'Map')).toMatchObject({ type: 'text', text: 'Map' });
    expect(linkElement('not a url', 'Map')).toMatchObject({ type: 'text', text: 'Map' });
  });

  test('a barcode in rich text has no HTML entity that Slack would decode, and keeps all characters as code', () => {
    fc.assert(
      fc.property(value, (barcode) => {
        const [section] = richText([barcodeElement(barcode)]).elements;
        const texts = (section as { elements: { text: string; style: object }[] }).elements;
        expect(texts.map((element) => element.text).join('')).toBe(visible(barcode));
        for (const { text, style } of texts) {
          expect(text).not.toMatch(/&(amp|lt|gt);/);
          expect(style).toEqual({ code: true });
        }
      }),
    );
  });

  test('rich text of several lines is one section with line breaks', () => {
    expect(richText([textElement('a')], [textElement('b')]).elements).toEqual([
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '\n' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });
});

describe('a command’s text', () => {
  test('a command’s text is unescaped once, to the text that the person typed', () => {
    fc.assert(
      fc.property(value, (typed) => {
        const sent = typed.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
        expect(decodeEntities(sent)).toBe(typed);
      }),
    );
    expect(decodeEntities('&amp;lt;')).toBe('&lt;');
  });
});

describe('a cut text', () => {
  test('a cut text never has half a character at its end, and is never too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 2, max: 60 }), (text, max) => {
        const short = cut(text, max);
        expect(short.length).toBeLessThanOrEqual(max);
        expect(short).not.toMatch(/\p{Cs}/u);
        if (text.length <= max) expect(short).toBe(text);
      }),
    );
  });
});
