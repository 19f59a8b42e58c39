import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, readMultipart } from '../../../src/relay/postback/multipart.js';
import { anyText } from '../../helpers/any-text.js';
import { codeThrown } from '../../helpers/thrown.js';

const someText = anyText({ maxLength: 60 }).filter((text) => !text.includes('\0'));
const boundary = '----=_Part_7_12.345';
const part = (name: string, value: string, headers = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${value}\r\n`;
const end = `--${boundary}--\r\n`;
const read = (body: string | Buffer) => readMultipart(Buffer.from(body), boundary);

describe('a multipart body', () => {
  it('a multipart body is the same after encoding and parsing, whatever its values hold', () => {
    fc.assert(
      fc.property(fc.array(someText, { maxLength: 20 }), (values) => {
        const pairs = values.map((value, at) => [`answers[${at}]`, value] as const);
        expect(read(pairs.map(([name, value]) => part(name, value)).join('') + end)).toEqual(pairs);
      }),
    );
  });

  it('a multipart body is read as fetch writes it, with quotes and non-ASCII letters in names', async () => {
    const form = new FormData();
    const pairs = [
      ['tid', '\ufeff 00123\u001d é😀 %22 + & ='],
      ['a "name"', '--'],
      ['é', ''],
      ['__proto__', 'x'],
    ] as const;
    for (const [name, value] of pairs) form.append(name, value);
    const request = new Request('http://x/', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    const body = Buffer.from(await request.arrayBuffer());
    expect(readMultipart(body, boundaryOf(type)!)).toEqual(pairs);
  });

  it('a multipart body may have a preamble, an epilogue, padding, files, unusual names and part types', () => {
    const file = `--${boundary} \t\r\ncontent-disposition: form-data; filename="name=x.txt"; name=f\r\n\r\nin a file\r\n`;
    const typed = part('b', 'y', 'Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n');
    expect(read(`to be skipped\r\n${part('a\\"b', 'x')}${typed}${file}${end}more`)).toEqual([
      ['a"b', 'x'],
      ['b', 'y'],
      ['f', 'in a file'],
    ]);
    expect(read(end)).toEqual([]);
  });

  it.each([
    ['an empty body', '', 'relay.not_a_form'],
    ['a body that is cut', part('tid', 'x'), 'relay.not_a_form'],
    ['a part without headers', `--${boundary}\r\n\r\nx\r\n${end}`, 'relay.not_a_form'],
    ['a part without a name', `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${end}`, 'relay.not_a_form'],
    ['line ends without CR', part('tid', 'x').replaceAll('\r', '') + end, 'relay.not_a_form'],
    [
      'a boundary longer than the declared boundary',
      `--${boundary}7\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n${end}`,
      'relay.not_a_form',
    ],
    ['bytes that are no UTF-8', Buffer.from(`${part('tid', '\u00ff')}${end}`, 'latin1'), 'relay.encoding'],
    [
      'a part in ISO-8859-1',
      part('tid', 'x', 'Content-Type: text/plain; charset=iso-8859-1\r\n') + end,
      'relay.encoding',
    ],
    ['a part in Base64', part('tid', 'eA==', 'Content-Transfer-Encoding: base64\r\n') + end, 'relay.encoding'],
    ['a NUL in a value', part('tid', 'a\0b') + end, 'relay.nul'],
  ])('a multipart body is refused: %s', (_what, body, code) => {
    expect(codeThrown(() => read(body))).toBe(code);
  });

  it.each([
    ['empty parts', part('a', '').repeat(600) + end],
    ['almost boundaries', part('a', `\r\n--${boundary.slice(0, -1)}`.repeat(3_000)) + end],
    ['only boundaries', `--${boundary}\r\n`.repeat(3_000)],
    ['endless headers', `--${boundary}\r\n${'a: b\r\n'.repeat(10_000)}`],
    ['an endless name', `--${boundary}\r\nContent-Disposition: form-data; name="${'\\'.repeat(60_000)}`],
    ['endless parameters', `--${boundary}\r\nContent-Disposition: form-data${'; name='.repeat(8_000)}\r\n\r\n${end}`],
    ['endless spaces', `--${boundary}\r\nContent-Disposition: form-data;${' '.repeat(60_000)}\r\n\r\nx\r\n${end}`],
    ['endless charsets', `--${boundary}\r\nContent-Type: ${'; charset'.repeat(7_000)}\r\n\r\nx\r\n${end}`],
  ])('a multipart body of 64 KB is read or refused within tenths of a second: %s', (_what, body) => {
    const began = performance.now();
    codeThrown(() => read(body));
    expect(performance.now() - began).toBeLessThan(300);
  });
});

describe('a boundary', () => {
  it.each([
    ['multipart/form-data; boundary=x', 'x'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b"', 'a b'],
    ['multipart/form-data', undefined],
    ['multipart/mixed; boundary=x', undefined],
    ['application/x-www-form-urlencoded; boundary=x', undefined],
    [undefined, undefined],
  ])('the boundary of a multipart body with the Content-Type %s is %s (undefined: none)', (type, found) =>
    expect(boundaryOf(type)).toBe(found),
  );
});
