import { expect, it } from 'vitest';
import { scansAsOf } from '../../../src/slack/block-kit/scans-as-of.js';

const noon = Date.UTC(2026, 2, 2, 12);
const hourMs = 60 * 60_000;

it('the note below scans says after which time scans deleted in the account may still be included', () => {
  const copy = { at: noon, fullAt: noon - 5 * hourMs, since: noon - 100 * hourMs };
  const lines = scansAsOf({ askedAt: noon, copy, from: noon - hourMs });
  expect(JSON.stringify(lines[1])).toMatch(/Scans deleted in the account after .*"}?,.* may still be included\./);
  expect(JSON.stringify(lines[1])).toContain(String((noon - 5 * hourMs) / 1_000));
});
