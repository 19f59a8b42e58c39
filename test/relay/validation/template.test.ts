import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeXmlNow } from '../../../src/codereadr/xml/xml.js';
import {
  type DeviceQuestion,
  longestReply,
  type Reply,
  replyDocument,
} from '../../../src/relay/postback/xml-response.js';
import { fillPage, fillPlain, placeholders, type Replacements } from '../../../src/relay/validation/template.js';
import { anyText } from '../../helpers/any-text.js';

const tricky = fc.constantFrom(
  ...[
    '<',
    '<html>',
    '<HTML',
    '<cu',
    'rl>',
    '<curl>http://x/</curl>',
    ']]>',
    '<![CDATA[',
    '&lt;',
    '&#60;',
    '"',
    "'",
    '`',
  ],
  ...['{value}', '{response}', '$&', '\u001d', '\u0000', '\ud800', '\ufffe', '\r\n', '🎟️', 'é', ' '],
);
const text = fc.array(fc.oneof(tricky, anyText({ maxLength: 5 })), { maxLength: 12 }).map((parts) => parts.join(''));
const long = fc
  .tuple(text, fc.integer({ min: 1, max: 800 }))
  .map(([part, times]) => part.repeat(times).slice(0, 60_000));
const filling = fc.record(Object.fromEntries(placeholders.map((place) => [place, text]))) as fc.Arbitrary<Replacements>;
const template = fc
  .array(fc.oneof(fc.constantFrom(...placeholders.map((place) => `{${place}}`)), tricky, fc.string({ maxLength: 8 })))
  .map((parts) => parts.join(''));

/** As a device reads it. */
function read(reply: Reply) {
  const document = replyDocument(reply);
  expect(Buffer.byteLength(document)).toBeLessThanOrEqual(longestReply);
  const message = decodeXmlNow(document).children.find(({ name }) => name === 'message');
  const child = (name: string) => message?.children.find((each) => each.name === name);
  return { text: child('text')?.text ?? '', message, child };
}

describe('a plain answer', () => {
  it('a filled text response never forms a page or a request on the device, whatever the values', () => {
    fc.assert(
      fc.property(template, filling, fc.boolean(), (given, values, valid) => {
        expect(read({ valid, text: fillPlain(given, values) }).text).not.toMatch(/<(html|curl)/i);
      }),
    );
  });

  it('a text response is complete XML of at most 10,000 bytes, however long its text is', () => {
    fc.assert(
      fc.property(long, fc.boolean(), (given, valid) => {
        expect(read({ valid, text: given }).text).not.toMatch(/<(html|curl)/i);
      }),
      { numRuns: 50 },
    );
  });

  it('a filled text response replaces every placeholder, and fills none within a filled value', () => {
    fc.assert(
      fc.property(filling, (values) => {
        const given = placeholders.map((place) => `{${place}}`).join('\u2063');
        expect(fillPlain(given, values)).toBe(placeholders.map((place) => values[place]).join('\u2063'));
      }),
    );
  });
});

describe('a page', () => {
  it.each(['<html>Hi</html>', '<html lang="en">Hi</html>', '<!doctype html><html>Hi</html>'])(
    'a page without placeholders stays unchanged: %s',
    (page) => expect(fillPage(page, {} as Replacements)).toBe(page),
  );

  it('a filled page is one page, in which each value is only text', () => {
    fc.assert(
      fc.property(filling, (values) => {
        const page = fillPage(placeholders.map((place) => `[{${place}}]`).join(''), values);
        expect(page.startsWith('<html><body>')).toBe(true);
        expect(page.slice('<html><body>'.length, -'</body></html>'.length)).not.toMatch(/[<>"'`]/);
      }),
    );
  });

  it('a filled page is unchanged apart from its placeholders', () => {
    expect(fillPage(' <HTML lang="en"><b>{value}</b></HTML>', fillingOf({ value: 'a<b' }))).toBe(
      ' <HTML lang="en"><b>a&lt;b</b></HTML>',
    );
  });

  it('a filled page keeps all its markup beside a value of any length', () => {
    const page = fillPage('<p>{value}</p><p>after</p>', fillingOf({ value: '🎟️'.repeat(30_000) }));
    expect(page).toContain('…</p><p>after</p></body></html>');
    expect(read({ valid: true, text: '', page }).text).toBe(page);
  });

  it('a filled page has its closing tag within 10,000 bytes, however long, and is complete XML', () => {
    fc.assert(
      fc.property(long, filling, (given, values) => {
        const { text: shown } = read({ valid: true, text: '', page: fillPage(`<html>${given}{value}</html>`, values) });
        expect(shown).toMatch(/^<html/);
        expect(shown).toMatch(/<\/html>\s*$/i);
      }),
      { numRuns: 50 },
    );
  });

  it('a filled page that is too long is not cut within a tag or an entity', () => {
    for (const pad of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const page = `<html>${'x'.repeat(pad)}${'<b class="x">&amp;</b>'.repeat(600)}</html>`;
      const { text: shown } = read({ valid: true, text: '', page });
      expect(shown).toMatch(/^<html>x*(<b class="x">&amp;<\/b>)*(<b class="x">(&amp;)?)?…<\/html>$/);
    }
  });
});

describe('the other parts of a response', () => {
  const asked = (id: string, answers: string[] = []): DeviceQuestion => ({
    id,
    text: `Q${id} <html>`,
    type: 'option',
    answers,
    when: [],
  });

  it('a response carries a heading and a color as JSON', () => {
    fc.assert(
      fc.property(text, (title) => {
        const { child } = read({ valid: true, text: 'x', title, color: '#00ff00' });
        const config = JSON.parse(child('scan_display_config')?.text ?? '') as Record<string, string>;
        expect(config.status_color_default).toBe('#00ff00');
        expect(config.status_title_default?.length).toBe(title.length);
      }),
    );
    expect(read({ valid: true, text: 'x' }).child('scan_display_config')).toBeUndefined();
  });

  it('a response carries questions with their answers as the contract says, and Scandesk’s ID of the scan', () => {
    const { message, child } = read({
      valid: true,
      text: 'x',
      scanid: '01abc',
      questions: [asked('12', ['Yes', 'N<o'])],
    });
    expect(child('scanid')?.text).toBe('01abc');
    const question = message?.children.find(({ name }) => name === 'question');
    expect(question?.attributes).toEqual({ id: '12', type: 'option', condition: 'post_submit' });
    expect(question?.children.map(({ name, attributes, text: said }) => [name, attributes.id, said])).toEqual([
      ['text', undefined, 'Q12 ‹html>'],
      ['answer', '1', 'Yes'],
      ['answer', '2', 'N<o'],
    ]);
  });

  it('a response without questions carries no scan ID, which would make the device submit again', () => {
    expect(read({ valid: true, text: 'x', scanid: '01abc', questions: [] }).child('scanid')).toBeUndefined();
  });

  it('a response carries only as many questions as leave room for its text', () => {
    const questions = Array.from({ length: 40 }, (_, n) => asked(String(n), ['&'.repeat(50)]));
    const { message, text: shown } = read({ valid: true, text: 'w'.repeat(3_000), scanid: '01abc', questions });
    const left = message?.children.filter(({ name }) => name === 'question') ?? [];
    expect(left.length).toBeGreaterThan(10);
    expect(left.length).toBeLessThan(40);
    expect(shown.length).toBeGreaterThan(1_500);
  });
});

function fillingOf(values: Partial<Replacements>): Replacements {
  return { ...(Object.fromEntries(placeholders.map((place) => [place, ''])) as Replacements), ...values };
}
