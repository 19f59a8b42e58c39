import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src/slack/channel-posts/watches/parse-duration.js';

const dayMs = 86_400_000;
const readFor = (typed: string) => parseDuration(typed, 90 * dayMs);

describe('the duration in a command', () => {
  it.each([
    ['00123 for 30m', 30 * 60_000],
    ['00123 FOR 2 h', 2 * 3_600_000],
    ['00123 for 2d', 2 * dayMs],
    ['00123  for  1w', 7 * dayMs],
  ])('a duration is read from “%s”', (typed, forMs) => {
    expect(readFor(typed)).toEqual({ text: '00123', forMs, cut: false });
  });

  it.each([
    'for 2x',
    'for 2 hours',
    'for 0h',
    'for 1.5h',
    'for 2',
    'for 9999999999d',
    'for banana',
    'for -3d',
    'for a day or two',
    'for',
    'for "2h"',
  ])('the ending “%s” is refused as a duration, and does not become part of the barcode', (said) => {
    expect(readFor(`HLF-000004 ${said}`)).toEqual({ invalidDuration: said });
    expect(readFor(`"HLF-000004" ${said}`)).toEqual({ invalidDuration: said });
  });

  it.each([
    '"HLF-000004 for 2x"',
    '“HLF-000004 for 2h”',
    '"HLF for sale"',
    'for-2x',
    'HLF-for sale',
    'for sale',
    'HLF-000004',
  ])('the text %s is read as a barcode without a duration', (typed) => {
    expect(readFor(typed)).toEqual({ text: typed, forMs: undefined, cut: false });
  });

  it('the text “for” alone is read as a barcode', () => {
    expect(readFor('for')).toEqual({ text: 'for', forMs: undefined, cut: false });
  });

  it('a duration over the maximum is cut to the maximum, and marked as cut', () => {
    expect(readFor('A for 90d')).toEqual({ text: 'A', forMs: 90 * dayMs, cut: false });
    expect(readFor('A for 900d')).toEqual({ text: 'A', forMs: 90 * dayMs, cut: true });
  });

  it('a duration may be a number of posts for a mute, and not for a watch', () => {
    expect(parseDuration('00123 for 5 more', dayMs, 100)).toEqual({
      ...{ text: '00123', forMs: undefined, posts: 5, cut: false },
    });
    expect(parseDuration('00123 FOR 500 More', dayMs, 100)).toMatchObject({ posts: 100, cut: true });
    expect(parseDuration('00123 for 0 more', dayMs, 100)).toEqual({ invalidDuration: 'for 0 more' });
    expect(readFor('00123 for 5 more')).toEqual({ invalidDuration: 'for 5 more' });
  });

  it('a barcode in quotes is read unchanged before a duration, whatever the barcode holds', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        expect(readFor(`"${value}" for 2h`)).toMatchObject({ text: `"${value}"`, forMs: 2 * 3_600_000 });
      }),
    );
  });
});
