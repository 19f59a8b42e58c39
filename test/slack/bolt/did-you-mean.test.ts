import { describe, expect, test } from 'vitest';
import { nearest } from '../../../src/slack/bolt/did-you-mean.js';

describe('what is near', () => {
  test.each([
    ['retreive', ['retrieve']],
    ['RETRIEVE', ['retrieve']],
    ['delet', ['delete']],
    ['xyz', []],
  ])('a mistyped action gets the nearest suggestions: %s', (typed, expected) => {
    expect(nearest(typed, ['retrieve', 'create', 'delete', 'update'])).toEqual(expected);
  });
});
