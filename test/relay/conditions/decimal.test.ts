import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, isDecimal } from '../../../src/relay/conditions/parts/decimal.js';

describe('comparing decimals', () => {
  it.each([
    ['2', '10', -1],
    ['10', '9.99', 1],
    ['007', '7.000', 0],
    ['-1', '1', -1],
    ['-2', '-10', 1],
    ['-0', '0', 0],
    ['+3', '3', 0],
    ['.5', '0.50', 0],
    ['5.', '5', 0],
    [' 12 ', '12', 0],
    ['0.1000000000000000000001', '0.1', 1],
    ['9007199254740993', '9007199254740992', 1],
  ])('decimals are compared by their numeric value: %s and %s', (a, b, order) => {
    expect(Math.sign(compareDecimals(a, b)!)).toBe(order);
    expect(Math.sign(compareDecimals(b, a)!)).toBe(order === 0 ? 0 : -order);
  });

  it.each(['', '.', '-', '1,5', '1e5', '0x1F', '12 kg', '1 000', 'NaN', '1.2.3', '--1', '٣'])(
    'the text %j is not a decimal',
    (text) => {
      expect(isDecimal(text)).toBe(false);
      expect(compareDecimals(text, '1')).toBeUndefined();
      expect(compareDecimals('1', text)).toBeUndefined();
    },
  );

  it('decimals are ordered like whole numbers, however many digits they have', () => {
    const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    fc.assert(
      fc.property(whole, whole, fc.nat(20), (a, b, zeros) => {
        const order = a < b ? -1 : a > b ? 1 : 0;
        return Math.sign(compareDecimals(`${a}.${'0'.repeat(zeros)}`, String(b))!) === order;
      }),
    );
  });

  it('comparing decimals never throws an error, and a text of 60,000 digits is a decimal', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => typeof compareDecimals(a, b) !== 'string'));
    expect(isDecimal(`1.${'0'.repeat(60_000)}1`)).toBe(true);
  });
});
