import { expect, it } from 'vitest';
import { scansAsOf } from '../../../src/slack/block-kit/scans-as-of.js';

const noon = Date.UTC(2026, 2, 2, 12);
const hourMs = 60 * 60_000;

it('the note below scans says after which time scans deleted in the account may still be included', () => {
  const copy = { at: noon, fullAt: noon - 5 * hourMs, since: noon - 100 * hourMs };
  const lines = scansAsOf({ askedAt: noon, copy, from: noon - hourMs, deletable: true });
  expect(JSON.stringify(lines[1])).toMatch(/Scans deleted in the account after .*"}?,.* may still be included\./);
  expect(JSON.stringify(lines[1])).toContain(String((noon - 5 * hourMs) / 1_000));
});

it('the note below scans says as of when they are, and names the account’s where these are a minute older or more', () => {
  const copy = { at: noon, fullAt: noon, since: noon - 100 * hourMs };
  const words = (askedAt: number) => JSON.stringify(scansAsOf({ askedAt, copy, from: noon, deletable: true }));
  expect(words(noon + 59_000).match(/"type":"date"/g)).toHaveLength(1);
  expect(words(noon + 60_000)).toContain('"format":"The account’s scans as of ');
  expect(words(noon + 60_000)).not.toContain('relays');
});

it('the note below scans speaks of deleted scans only where one may be shown, and 15 minutes after they were looked for', () => {
  const words = (minutes: number, deletable = true) => {
    const copy = { at: noon, fullAt: noon - minutes * 60_000, since: noon - 100 * hourMs };
    return JSON.stringify(scansAsOf({ askedAt: noon, copy, from: noon, deletable }));
  };
  expect(words(15)).toContain('may still be included');
  expect(words(14)).not.toContain('may still be included');
  expect(words(15, false)).not.toContain('may still be included');
});
