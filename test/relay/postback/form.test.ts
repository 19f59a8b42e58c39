import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isForm, readForm } from '../../../src/relay/postback/form.js';
import { anyText } from '../../helpers/any-text.js';
import { codeThrown } from '../../helpers/thrown.js';

/** As `application/x-www-form-urlencoded` is written by browsers, PHP and curl alike: everything but letters escaped. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const body = (pairs: readonly (readonly [string, string])[]) =>
  Buffer.from(pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'));

const someText = anyText({ maxLength: 60 }).filter((text) => !text.includes('\0'));
const name = someText.filter((text) => text !== '');

describe('a form body', () => {
  it('a form body is the same after encoding and parsing, whatever its variables hold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, someText), { maxLength: 20 }), (pairs) => {
        expect(readForm(body(pairs))).toEqual(pairs);
      }),
    );
  });

  it('a form body is read as browsers encode it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, someText), { maxLength: 20 }), (pairs) => {
        expect(readForm(Buffer.from(new URLSearchParams(pairs).toString()))).toEqual(pairs);
      }),
    );
  });

  it('a form body whose values are not percent-encoded is read where it is unambiguous', () => {
    fc.assert(
      fc.property(
        someText.filter((text) => !/[&%+]/.test(text)),
        (value) => {
          expect(readForm(Buffer.from(`tid=${value}`))).toEqual([['tid', value]]);
        },
      ),
    );
  });

  it.each([
    ['tid=00123', '00123'],
    ['tid=+a+', ' a '],
    ['tid=%20a%20', ' a '],
    ['tid=a%2Bb', 'a+b'],
    ['tid=100%', '100%'],
    ['tid=%zz%41', '%zzA'],
    ['tid=50%25%', '50%%'],
    ['tid=a]=b', 'a]=b'],
    ['tid=a%5D=b', 'a]=b'],
    ['tid=a=b=c', 'a=b=c'],
    ['tid=%1D01%1d', '\x1d01\x1d'],
    ['tid=%EF%BB%BFbom', '\ufeffbom'],
    ['\ttid=x', undefined],
  ])('the variable tid of the form body %j is read as %j', (text, value) => {
    expect(readForm(Buffer.from(text)).find(([name]) => name === 'tid')?.[1]).toBe(value);
  });

  it('a form body keeps variables named like properties of JavaScript objects, and all of 3,000 variables', () => {
    const pairs = Array.from({ length: 3_000 }, (_, n): [string, string] => [`p${n}`, String(n)]);
    expect(readForm(body([['__proto__', 'a'], ['constructor', 'b'], ...pairs])).length).toBe(3_002);
    expect(readForm(body([['__proto__', 'a']]))).toEqual([['__proto__', 'a']]);
  });

  it('a form body keeps a variable without a value or a name, and an empty pair adds no variable', () => {
    expect(readForm(Buffer.from('&&tid&=x&'))).toEqual([
      ['tid', ''],
      ['', 'x'],
    ]);
    expect(readForm(Buffer.from(''))).toEqual([]);
  });

  it.each([
    ['an escaped byte that is no UTF-8', Buffer.from('tid=%E9'), 'relay.encoding'],
    ['an escaped byte that is no UTF-8 beside a bare percent sign', Buffer.from('tid=100%&x=%E9%'), 'relay.encoding'],
    ['an unescaped byte that is no UTF-8', Buffer.from([0x74, 0x3d, 0xe9]), 'relay.encoding'],
    ['half of a surrogate pair', Buffer.from('tid=%ED%A0%80'), 'relay.encoding'],
    ['an overlong NUL', Buffer.from('tid=%C0%80'), 'relay.encoding'],
    ['an escaped NUL', Buffer.from('tid=a%00b'), 'relay.nul'],
    ['a NUL in a name', Buffer.from('a%00b=1'), 'relay.nul'],
    ['an unescaped NUL', Buffer.from('tid=a\0b'), 'relay.nul'],
  ])('a form body with %s is refused', (_, bytes, code) => {
    expect(codeThrown(() => readForm(bytes))).toBe(code);
  });

  it('a form body that cannot be read is refused with one of the declared error codes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const code = codeThrown(() => readForm(Buffer.from(bytes)));
        expect([undefined, 'relay.encoding', 'relay.nul']).toContain(code);
      }),
    );
  });
});

describe('a Content-Type', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded; charset=UTF-8',
    'application/x-www-form-urlencoded;charset="utf-8"',
  ])('the Content-Type %j is accepted as a form', (type) => expect(isForm(type)).toBe(true));

  it.each([
    undefined,
    '',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'application/x-www-form-urlencoded2',
  ])('the Content-Type %j is not accepted as a form', (type) => expect(isForm(type)).toBe(false));
});
