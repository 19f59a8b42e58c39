import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { decodeXmlNow } from '../../../src/codereadr/xml/xml.js';
import { type DeviceQuestion, longestReply, replyDocument } from '../../../src/relay/postback/xml-response.js';
import { anyText } from '../../helpers/any-text.js';

/** Reads a document as a device does, with the entities that a response may have. */
function read(document: string): { status: string; text: string } {
  expect(XMLValidator.validate(document)).toBe(true);
  const parser = new XMLParser({ parseTagValue: false, trimValues: false, processEntities: false });
  const { status, text } = parser.parse(document).xml.message;
  const decoded = text.replace(/&#13;/g, '\r').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  return { status, text: decoded };
}

describe('an answer to a device', () => {
  it('a response to a device is the contract’s XML document', () => {
    expect(replyDocument({ valid: true, text: 'Welcome' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<xml><message><status>1</status><text>Welcome</text></message></xml>',
    );
    expect(read(replyDocument({ valid: false, text: 'No' }))).toEqual({ status: '0', text: 'No' });
  });

  it('a response to a device carries any text that XML can carry unchanged', () => {
    const character = anyText({ minLength: 1, maxLength: 1 }).filter((c) =>
      /^[\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u.test(c),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 80 }), (characters) => {
        const text = characters.join('');
        fc.pre(!/<(html|curl)/i.test(text));
        expect(read(replyDocument({ valid: true, text })).text).toBe(text);
      }),
    );
  });

  it('a response to a device never has a character that XML cannot carry, half a character, or too many bytes', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 6_000 }), fc.integer({ min: 1, max: 10 }), (part, times) => {
        const document = replyDocument({ valid: true, text: part.repeat(times) });
        expect(Buffer.byteLength(document)).toBeLessThanOrEqual(longestReply);
        expect(document).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
        expect(document.endsWith('</text></message></xml>')).toBe(true);
        expect(XMLValidator.validate(document)).toBe(true);
      }),
    );
  });

  it('a response to a device shows a control character as its Unicode picture', () => {
    expect(read(replyDocument({ valid: true, text: 'a\x1db\x00c\x7f\ud800\uffff' })).text).toBe('a␝b␀c␡��');
  });

  it('a response makes the device open a URL, and has its text instead where the URL is too long', () => {
    const url = 'https://example.com/?a=1&b=%3C';
    expect(read(replyDocument({ valid: true, text: 'Hi', url })).text).toBe(`<curl>${url}</curl>`);
    const long = `https://example.com/${'x'.repeat(longestReply)}`;
    expect(read(replyDocument({ valid: true, text: 'Hi', url: long })).text).toBe('Hi');
  });

  it.each(['<html lang="en">', '<!DOCTYPE html>\n<html>', '<HTML data-x="a>b">', '  <html>', '<html>'])(
    'a response whose page begins with %j is sent with a plain <html> tag',
    (opening) => {
      const page = `${opening}<body lang="en">Hi</body></html>`;
      expect(read(replyDocument({ valid: true, text: '', page })).text).toBe('<html><body lang="en">Hi</body></html>');
    },
  );

  it.each(['&', '<', 'é', '😀', 'a&'])(
    'a response with a long text of repeated %s is cut between two characters',
    (character) => {
      const { text } = read(replyDocument({ valid: true, text: character.repeat(9_000) }));
      expect(text.endsWith('…')).toBe(true);
      expect(character.repeat(9_000).startsWith(text.slice(0, -1))).toBe(true);
      expect(text.length).toBeGreaterThan(1_000);
    },
  );

  it('a response to a device may have 10,000 bytes and no more', () => {
    const overhead = replyDocument({ valid: true, text: '' }).length;
    const most = longestReply - overhead;
    expect(Buffer.byteLength(replyDocument({ valid: true, text: 'a'.repeat(most) }))).toBe(longestReply);
    expect(replyDocument({ valid: true, text: 'a'.repeat(most) })).not.toContain('…');
    expect(replyDocument({ valid: true, text: 'a'.repeat(most + 1) })).toContain('…');
  });

  it('a response asks its questions, and has its heading, in the words of whoever wrote them', () => {
    const words = 'Ticket & <b>"ID"</b> > 3 &amp; it’s &#39;ok&#39;?';
    const question: DeviceQuestion = {
      ...{ id: 'q1', type: 'option', text: words, answers: [words, '<ok/>', '&'], when: ['valid'] },
    };
    const document = replyDocument({ valid: true, text: 'Hi', title: words, color: '#00aa00', questions: [question] });
    const { children } = decodeXmlNow(document).children[0]!;
    const textsOf = (elements: typeof children, name: string) =>
      elements.filter((element) => element.name === name).map(({ text }) => text);
    const [config = ''] = textsOf(children, 'scan_display_config');
    expect(JSON.parse(config)).toEqual({ status_title_default: words, status_color_default: '#00aa00' });
    const [asked] = children.filter(({ name }) => name === 'question');
    expect(textsOf(asked!.children, 'text')).toEqual([words]);
    expect(textsOf(asked!.children, 'answer')).toEqual(question.answers);
  });

  it.each(['<html>', '<HTML lang="x">', '<curl>http://x', 'x <cUrL>', '<<html'])(
    'a text response keeps %s from becoming a page or a request on the device',
    (text) => {
      expect(read(replyDocument({ valid: true, text })).text).not.toMatch(/<(html|curl)/i);
    },
  );
});
