import { describe, expect, test } from 'vitest';
import { nearest } from '../src/did-you-mean.js';

describe('suggestions for a mistyped word', () => {
  test.each([
    ['retreive', ['retrieve']],
    ['RETRIEVE', ['retrieve']],
    ['delet', ['delete']],
    ['xyz', []],
  ])('for the typed action %s the suggestions are %j', (typed, expected) => {
    expect(nearest(typed, ['retrieve', 'create', 'delete', 'update'])).toEqual(expected);
  });
});
