import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/relay/index.js';
import { changesNothing } from '../../../../src/slack/relays/settings/rules/first-rule.js';
import { ruleOf } from './untouched.js';

const notValid = { kind: 'result', is: 'invalid' };
const first = (fields: object) => ruleOf({ when: notValid, channel: 'C1', ...fields }) as Rule;
const all = { channel: 'C1', notable: 'all' } as const;
const invalid = { channel: 'C1', notable: 'invalid' } as const;

describe('the first rule of a relay', () => {
  it.each([
    ['posts scans that are not valid', {}, all],
    ['posts scans that are not valid', {}, invalid],
    ['posts every scan', { when: { kind: 'every' } }, all],
    ['has an exception', { unless: [{ kind: 'watched' }] }, all],
  ] as const)(
    'a first rule that %s beside what the relay posts anyway changes nothing: %j, %j',
    (_, fields, unruled) => {
      expect(changesNothing(first(fields), unruled, true)).toBe(true);
    },
  );

  it.each([
    ['mentions people', { mention: { users: ['U1'], groups: [] } }],
    ['posts in another channel', { channel: 'C2' }],
    ['posts a digest', { how: 'digest' }],
    ['is an alert', { when: { kind: 'burst', n: 3, minutes: 5 } }],
    ['stops', { action: 'stop', channel: '' }],
  ])('a first rule that %s changes something', (_, fields) => {
    expect(changesNothing(first(fields), all, true)).toBe(false);
  });

  it('a first rule alone changes something unless it posts what the relay posts without rules', () => {
    expect(changesNothing(first({}), all, false)).toBe(false);
    expect(changesNothing(first({}), invalid, false)).toBe(true);
    expect(changesNothing(first({ when: { kind: 'every' } }), invalid, true)).toBe(false);
  });
});
