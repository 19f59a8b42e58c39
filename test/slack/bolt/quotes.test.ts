import { expect, it } from 'vitest';
import { unquoted } from '../../../src/slack/bolt/quotes.js';

it.each([
  ['"Main hall"', 'Main hall'],
  [' „Main hall“ ', 'Main hall'],
  ['Main hall', 'Main hall'],
  ['"Main" or "hall"', '"Main" or "hall"'],
  ['12" screws', '12" screws'],
  ['screws of 12"', 'screws of 12"'],
])('the command’s text %j is read as %j: only a pair of quotes around the whole text is left out', (text, read) => {
  expect(unquoted(text)).toBe(read);
});
