/** The parser of the text after `/scandesk call`, without an account. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCallText } from '../../../src/slack/operations/call-text.js';

function given(text: string): Readonly<Record<string, string>> | string {
  const read = readCallText(text);
  return read.kind === 'call' ? read.given : read.kind;
}

describe('section and action', () => {
  test.each([
    ['', 'sections'],
    ['   ', 'sections'],
    ['services', 'section'],
    ['SERVICES ', 'section'],
  ])('/scandesk call %j is read as a request for a list of the kind “%s”', (text, kind) => {
    expect(readCallText(text).kind).toBe(kind);
  });

  test.each(['services retrieve', 'Services  RETRIEVE ', 'services/retrieve'])(
    '/scandesk call %j is read as the operation services/retrieve',
    (text) => {
      expect(readCallText(text)).toMatchObject({
        kind: 'call',
        operation: { section: 'services', action: 'retrieve' },
      });
    },
  );

  test.each([
    ['servces retrieve', { kind: 'no_section', hints: ['services'] }],
    ['scan_propertes create', { kind: 'no_section', hints: ['scan_properties'] }],
    ['zzz', { kind: 'no_section', hints: [] }],
    ['services retreive', { kind: 'no_action', section: 'services', hints: ['retrieve'] }],
    ['databases showvalue', { kind: 'no_action', hints: expect.arrayContaining(['showvalues']) }],
    [
      'databases showvalues databse_id=1',
      { kind: 'unknown_param', typed: 'databse_id', hints: expect.arrayContaining(['database_id']) },
    ],
    ['users retrieve constructor=1', { kind: 'unknown_param', typed: 'constructor' }],
    ['users retrieve __proto__=1', { kind: 'unknown_param' }],
  ])('/scandesk call %j is read as an unknown name, with hints at similar names if there are any', (text, expected) => {
    expect(readCallText(text)).toMatchObject(expected);
  });
});

describe('names and values', () => {
  test.each([
    ['databases showvalues database_id=1021 value=00123', { database_id: '1021', value: '00123' }],
    ['databases showvalues value="a b" database_id=7', { value: 'a b', database_id: '7' }],
    ['databases showvalues value=“a b” database_id=7', { value: 'a b', database_id: '7' }],
    ['databases showvalues value=„a b“', { value: 'a b' }],
    ['databases showvalues value=" 00 "', { value: ' 00 ' }],
    ['databases showvalues value="say ""hi"""', { value: 'say "hi"' }],
    ['databases showvalues value="5"x7"', { value: '5"x7' }],
    ['databases showvalues value=5"', { value: '5"' }],
    ['databases showvalues value=a=b&c=d', { value: 'a=b&c=d' }],
    ['databases showvalues value=<!channel>', { value: '<!channel>' }],
    ['databases showvalues value=01\\x1d10', { value: '01\u001d10' }],
    ['databases showvalues value="01\\x1d10"', { value: '01\\x1d10' }],
    ['databases showvalues response=\\x1d', { response: '\\x1d' }],
    ['databases showvalues value=', { value: '' }],
    ['databases showvalues value=""', { value: '' }],
    ['databases showvalues VALUE=a', { value: 'a' }],
    ['services create enablegps=1', { enableGPS: '1' }],
    ['databases showvalues\n  value=a\n  limit=2', { value: 'a', limit: '2' }],
    [
      'databases upsertmultivalue values[0][value]=a\\x1db values[0][response]="x y" values[1][value]="c"',
      { 'values[0][value]': 'a\u001db', 'values[0][response]': 'x y', 'values[1][value]': 'c' },
    ],
    [
      'scans retrieve with_property[gate]=A with_property[password]=p',
      { 'with_property[gate]': 'A', 'with_property[password]': 'p' },
    ],
  ])('names and values after /scandesk call are read from %j', (text, expected) => {
    expect(given(text)).toEqual(expected);
  });

  test('/scandesk call opens the form for a lone question mark at the end, but not for one in a value', () => {
    expect(readCallText('scans retrieve value=a ?')).toMatchObject({ asForm: true, given: { value: 'a' } });
    expect(readCallText('scans retrieve ?')).toMatchObject({ asForm: true });
    expect(readCallText('scans retrieve value=?')).toMatchObject({ asForm: false, given: { value: '?' } });
  });

  test.each([
    ['users create password=x', { kind: 'refused', name: 'password', why: 'secret' }],
    ['users create PASSWORD=x', { kind: 'refused', why: 'secret' }],
    ['users validate username=a password="b c"', { kind: 'refused', why: 'secret' }],
    ['services retrieve password=x', { kind: 'refused', why: 'secret' }],
    ['services retrieve api_key=x', { kind: 'refused', name: 'api_key', why: 'ours' }],
    ['services retrieve API_KEY=x', { kind: 'refused', why: 'ours' }],
    ['services retrieve section=users', { kind: 'refused', name: 'section', why: 'ours' }],
    ['services retrieve action=delete', { kind: 'refused', name: 'action', why: 'ours' }],
    ['services retrieve action[]=delete', { kind: 'refused', why: 'ours' }],
    ['users update user_id=1 user_id=2', { kind: 'twice', name: 'user_id' }],
    ['users update user_id=1 hello', { kind: 'no_pair', typed: 'hello' }],
    ['users update =1', { kind: 'no_pair', typed: '=1' }],
    ['databases showvalues value="never ends', { kind: 'open_quote', name: 'value' }],
  ])('a name or value after /scandesk call is refused in %j', (text, expected) => {
    expect(readCallText(text)).toMatchObject(expected);
  });

  test('any value after /scandesk call is read unchanged in quotes, or without quotes if it has no spaces', () => {
    const quotes = /["“”„‟＂]/;
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !quotes.test(value));
    fc.assert(
      fc.property(text, fc.nat(9), (value, limit) => {
        expect(given(`databases showvalues value="${value}" limit=${limit}`)).toEqual({ value, limit: String(limit) });
      }),
    );
    // Outside quotes, control characters are read as they are typed, or as Scandesk shows them.
    const control = /\\x[0-9a-f]{2}|[\u2400-\u2426]|⟨U\+/i;
    const bare = text.filter((value) => !/\s/.test(value) && !control.test(value));
    fc.assert(
      fc.property(bare, (value) => {
        expect(given(`databases showvalues value=${value} limit=1`)).toEqual({ value, limit: '1' });
      }),
    );
    const doubled = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !/[“”„‟＂]/.test(value));
    fc.assert(
      fc.property(doubled, (value) => {
        expect(given(`databases showvalues value="${value.replaceAll('"', '""')}"`)).toEqual({ value });
      }),
    );
  });

  test('any text of up to 4,000 characters after /scandesk call is read without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"“=[] \\ax?\n'.split('')), maxLength: 4_000 }), (text) => {
        expect(readCallText(`databases showvalues ${text}`).kind).toBeTypeOf('string');
      }),
    );
    expect(given(`databases showvalues value=${'"'.repeat(4_000)}`)).toBeTypeOf('object');
  });
});
