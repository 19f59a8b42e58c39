import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigitFits } from '../../src/gs1/check-digit.js';

/** The check by another way: the digits from the right, the check digit first, with weight 1 and 3 in turns. */
function fits(value: string): boolean {
  const fromRight = [...value].reverse().map(Number);
  const odd = fromRight.filter((_, at) => at % 2 === 0).reduce((sum, digit) => sum + digit, 0);
  const even = fromRight.filter((_, at) => at % 2 === 1).reduce((sum, digit) => sum + digit, 0);
  return (odd + 3 * even) % 10 === 0;
}

describe('the check digit', () => {
  it.each([
    '96385074',
    '036000291452',
    '4006381333931',
    '10012345000017',
    '106141412345678908',
    '00000000',
    '00012345678905',
  ])('the check digit of %s is right', (value) => expect(checkDigitFits(value)).toBe(true));

  it.each(['96385073', '036000291453', '4006381333932', '10012345000018', '106141412345678907'])(
    'the check digit of %s is wrong',
    (value) => expect(checkDigitFits(value)).toBe(false),
  );

  it.each([
    '',
    '4006381333931 ',
    ' 96385074',
    '963850',
    '1234567890',
    '40063813339a1',
    '٩٦٣٨٥٠٧٤',
    '96385074\n',
    '1e345678',
  ])('%j is no number whose check digit can be tested', (value) => expect(checkDigitFits(value)).toBeUndefined());

  it('the check digit agrees with an independent computation, for every length and with leading zeros', () => {
    const digit = fc.integer({ min: 0, max: 9 }).map(String);
    const value = fc
      .constantFrom(8, 12, 13, 14, 18)
      .chain((length) => fc.array(digit, { minLength: length, maxLength: length }))
      .map((digits) => digits.join(''));
    fc.assert(fc.property(value, (text) => checkDigitFits(text) === fits(text)));
  });

  it('exactly one of ten possible last digits is the right check digit', () => {
    const body = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(body, (digits) => {
        const right = Array.from({ length: 10 }, (_, last) => checkDigitFits(`${digits}${last}`)).filter(Boolean);
        return right.length === 1;
      }),
    );
  });
});
