import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeXml, decodeXmlNow, type Element, XmlError } from '../../../src/codereadr/xml/xml.js';
import { anyText } from '../../helpers/any-text.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { encodeXml, fitsXml } from '../../helpers/xml.js';

/** Any text of the characters XML 1.0 has. */
const xmlText = fc
  .string({
    unit: fc.oneof(anyText({ minLength: 1, maxLength: 1 }), fc.constantFrom(...'<>&"\'\r\n\t ]]>')),
  })
  .map((text) => [...text].filter(fitsXml).join(''));

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/),
  fc.constantFrom('constructor', 'prototype', '__proto__', 'toString', 'id', 'upload_', 'é'),
);

const element: fc.Arbitrary<Element> = fc.letrec<{ element: Element }>((tie) => ({
  element: fc.record({
    name,
    attributes: fc.dictionary(name, xmlText, { maxKeys: 3 }),
    text: xmlText,
    children: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constant([]),
      fc.array(tie('element'), { maxLength: 3 }),
    ),
  }),
})).element;

function plain({ name: own, attributes, text, children }: Element): unknown {
  return { name: own, attributes: Object.entries(attributes).sort(), text, children: children.map(plain) };
}

function codeOf(document: string, bounds = {}): string {
  try {
    decodeXmlNow(document, bounds);
  } catch (error) {
    expect(error).toBeInstanceOf(XmlError);
    return (error as XmlError).code;
  }
  return 'fine';
}

describe('encoding and decoding XML', () => {
  test('any text of XML characters is the same after encoding and decoding, in elements and attributes', () => {
    fc.assert(
      fc.property(xmlText, xmlText, (text, value) => {
        const document = encodeXml({ name: 'xml', attributes: { id: value }, text, children: [] });
        const back = decodeXmlNow(document);
        expect(back.text).toBe(text);
        expect(back.attributes.id).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  test('any XML tree is the same after encoding and decoding, whatever its element names', () => {
    fc.assert(
      fc.property(element, (tree) => {
        expect(plain(decodeXmlNow(encodeXml(tree)))).toEqual(plain(tree));
      }),
      { numRuns: 300 },
    );
  });

  test('long XML texts are the same after encoding and decoding, as short ones are', () => {
    const samples = ['a&<>"\'', ']]>', '\r\n', '\t  ', '😀', '&amp;', '<![CDATA[x]]>'];
    for (const sample of samples) {
      const text = sample.repeat(3_000);
      const children = [{ name: 'value', attributes: {}, text, children: [] }];
      const back = decodeXmlNow(encodeXml({ name: 'xml', attributes: {}, text: '', children }));
      expect(back.children[0]?.text).toBe(text);
    }
  });
});

describe('decoding XML', () => {
  const textOf = (inner: string) => decodeXmlNow(`<xml><v>${inner}</v></xml>`).children[0]?.text;

  test.each([
    ['00123', '00123'],
    ['1e5', '1e5'],
    ['0x1F', '0x1F'],
    [' spaces ', ' spaces '],
    ['true', 'true'],
    ['\n\t', '\n\t'],
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&#39;&#13;&#10;&#9;&#x1F600;&#128512;', "'\r\n\t😀😀"],
    ['&amp;lt;&amp;#39;', '&lt;&#39;'],
    ['&#38;lt;&amp;amp;&#x26;gt;&amp;quot;&lt;amp;', '&lt;&amp;&gt;&quot;<amp;'],
    ['A&B &nbsp; &x; &', 'A&B &nbsp; &x; &'],
    [']C1011234&#29;10ABC', ']C1011234\u001D10ABC'],
    ['&#x85;&#159;', '\u0085\u009F'],
    ['a<![CDATA[<b>&amp;]]>c', 'a<b>&amp;c'],
    ['a<![CDATA[]]]]><![CDATA[>]]>', 'a]]>'],
    ["a<!-- <no> \"' -->b<?pi it's ?>c", 'abc'],
  ])('the XML text %j is decoded as %j', (written, meant) => {
    expect(textOf(written)).toBe(meant);
  });

  test('a line break of any kind in XML text is decoded as one LF, as the XML standard says', () => {
    expect(textOf('a\r\nb\rc')).toBe('a\nb\nc');
  });

  test('an XML attribute is decoded with the quotes and angle brackets of its value', () => {
    const root = decodeXmlNow(`<xml a='"&gt;' b="it's > &#10;" constructor="c"/>`);
    expect({ ...root.attributes }).toEqual({ a: '">', b: "it's > \n", constructor: 'c' });
  });

  test('the XML decoder ignores a byte order mark, a declaration, comments and outer white space', () => {
    expect(decodeXmlNow('\uFEFF<?xml version="1.0"?>\n<!-- x -->\n<xml/>\n<!-- y -->\n').name).toBe('xml');
  });

  test('uploads without end tags are decoded as separate uploads, as uploads with end tags are', () => {
    const open = '<xml><status>1</status><upload id="1"><upload id="2">\n<upload id="3" ><count>3</count></xml>';
    const closed = '<xml><upload id="1"></upload><upload id="2"/><upload id="3"><x/></upload></xml>';
    const mixed = '<xml><upload id="1"></upload><upload id="2"><upload id="3"></xml>';
    for (const document of [open, closed, mixed]) {
      const uploads = decodeXmlNow(document).children.filter((child) => child.name === 'upload');
      expect(uploads.map((upload) => upload.attributes.id)).toEqual(['1', '2', '3']);
    }
    expect(decodeXmlNow(open).children.at(-1)).toMatchObject({ name: 'count', text: '3' });
  });

  wideIt('many unclosed uploads before a closed one are each decoded once', () => {
    const root = decodeXmlNow(`<xml>${'<upload>'.repeat(200_000)}<upload></upload></xml>`);
    expect(root.children).toHaveLength(200_001);
  });

  test.each([
    ['', 'xml.empty'],
    ['  \n', 'xml.empty'],
    ['<?xml version="1.0"?>', 'xml.empty'],
    ['hello', 'xml.malformed'],
    ['<xml>', 'xml.cut_off'],
    ['<xml><a>', 'xml.cut_off'],
    ['<xml><a b="', 'xml.cut_off'],
    ['<xml><![CDATA[x</xml>', 'xml.cut_off'],
    ['<xml><!-- x</xml>', 'xml.cut_off'],
    ['<xml><a></b></xml>', 'xml.malformed'],
    ['<xml></xml><xml></xml>', 'xml.malformed'],
    ['<xml/>x', 'xml.malformed'],
    ['<xml>< a></xml>', 'xml.malformed'],
    ['<xml><a>a < b</a></xml>', 'xml.malformed'],
    ['<xml>a\0b</xml>', 'xml.malformed'],
    ['<xml>&#0;</xml>', 'xml.malformed'],
    ['<xml>&#xD800;</xml>', 'xml.malformed'],
    ['<xml>&#99999999999;</xml>', 'xml.malformed'],
    ['<!DOCTYPE html><html></html>', 'xml.doctype'],
    ['<!DOCTYPE x [<!ENTITY a "b">]><xml>&a;</xml>', 'xml.doctype'],
    ['<xml><!ENTITY a "b"></xml>', 'xml.doctype'],
    [`${'<a>'.repeat(40)}${'</a>'.repeat(40)}`, 'xml.too_deep'],
  ])('the XML decoder refuses %j with the error %s', (document, code) => {
    expect(codeOf(document)).toBe(code);
  });

  test('an XML document or element past its size limit is refused', () => {
    expect(codeOf('<xml>12345</xml>', { maxLength: 10 })).toBe('xml.too_large');
    expect(codeOf(`<xml><a><b>${'x'.repeat(1_000_001)}</b></a></xml>`)).toBe('xml.too_large');
  });

  test.each([
    ['one child of many small elements', `<xml><scan>${'<a>1</a>'.repeat(20_000)}</scan></xml>`],
    ['one child of many attributes', `<xml><scan ${attributes(20_000)}/></xml>`],
    ['a root of many attributes', `<xml ${attributes(20_000)}><a/></xml>`],
    ['one child of many references', `<xml><a>${'&amp;'.repeat(60_000)}</a></xml>`],
    ['one attribute of many references', `<xml><a b="${'&amp;'.repeat(60_000)}"/></xml>`],
    ['one child of many CDATA sections', `<xml><a>${'<![CDATA[x]]>'.repeat(20_000)}</a></xml>`],
    ['root text of many references', `<xml>${'a&#13;'.repeat(60_000)}</xml>`],
    ['a tag without an end', `<xml><${'a'.repeat(100_000)}></xml>`],
    ['comments before the root', `${'<!-- -->'.repeat(5_000)}<xml/>`],
    ['comments behind the root', `<xml/>${'<!-- -->'.repeat(5_000)}`],
  ])('the XML decoder refuses documents that would block the event loop: %s', (_, document) => {
    expect(codeOf(document)).toBe('xml.too_large');
  });

  wideIt('the XML decoder accepts large documents that are quick to read', () => {
    const large = 'x'.repeat(900_000);
    expect(decodeXmlNow(`<xml>${'y'.repeat(5_000_000)}</xml>`).text).toHaveLength(5_000_000);
    expect(decodeXmlNow(`<xml><a b="${large}"/></xml>`).children[0]?.attributes.b).toBe(large);
    expect(decodeXmlNow(`<xml><a><![CDATA[${large}]]></a></xml>`).children[0]?.text).toBe(large);
    const users = Array.from({ length: 4_000 }, (_, n) => `<user id="${n}"/>`).join('');
    expect(decodeXmlNow(`<xml><service id="1">${users}</service></xml>`).children[0]?.children).toHaveLength(4_000);
    expect(decodeXmlNow(`<xml>${'<a>&lt;&gt;</a>'.repeat(50_000)}</xml>`).children).toHaveLength(50_000);
  });

  test('an XML document cut off anywhere is never decoded as a complete document', () => {
    const document = encodeXml({
      name: 'xml',
      attributes: {},
      text: '',
      children: [
        { name: 'status', attributes: {}, text: '1', children: [] },
        { name: 'value', attributes: { validity: '1' }, text: 'a&b', children: [] },
      ],
    });
    for (let length = 0; length < document.length; length += 1) {
      expect(codeOf(document.slice(0, length)), `cut at ${length}`).not.toBe('fine');
    }
  });

  test('the XML decoder returns an element or an XmlError for any text, and the error quotes none of it', () => {
    const bits = fc.constantFrom(
      '<',
      '>',
      '/',
      '&',
      '#',
      ';',
      '"',
      "'",
      '!',
      '[CDATA[',
      ']]>',
      '--',
      'xml',
      'a',
      ' ',
      '=',
      '<upload ',
      '?',
      '<xml>',
      '</xml>',
      'canary',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
        try {
          decodeXmlNow(`<xml>${parts.join('')}</xml>`);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
          expect(`${(error as XmlError).stack}`.split('\n')[0]).not.toContain('canary');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  wideIt('a long XML document is decoded the same with pauses for the event loop and without', async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `<value validity="1"><id>00${i}</id></value>`).join('\n');
    const document = `<xml a="b"><status>1</status>${values} end</xml>`;
    const inTurns = await decodeXml(document);
    expect(inTurns.children).toHaveLength(20_001);
    expect(inTurns.children[20_000]?.children[0]?.text).toBe('0019999');
    expect(plain(inTurns)).toEqual(plain(decodeXmlNow(document)));
  });

  wideIt('the XML decoder leaves the event loop free between parts of a large document', async () => {
    const document = `<xml>${'<scan id="1"><tid>00123</tid></scan>'.repeat(30_000)}</xml>`;
    let turns = 0;
    let going = true;
    const count = () => {
      turns += 1;
      if (going) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    await decodeXml(document);
    going = false;
    expect(turns).toBeGreaterThan(document.length / 65_536);
  });
});

function attributes(count: number): string {
  return Array.from({ length: count }, (_, n) => `a${n}="v"`).join(' ');
}

test('an XML element that holds a page’s HTML is decoded, though half of it is character references', () => {
  const page = '<p class="a">0123456789</p>\n'.repeat(12_000);
  const source = page.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const root = decodeXmlNow(`<xml><question id="1"><answer id="2">${source}</answer></question></xml>`);
  expect(root.children[0]?.children[0]?.text).toBe(page);
});
