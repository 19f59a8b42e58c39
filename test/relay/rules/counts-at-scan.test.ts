import { describe, expect, it } from 'vitest';
import { type Counts, nothingCounted, type Subject } from '../../../src/counters/counters.js';
import { readReply } from '../../../src/relay/postback/xml-response.js';
import { relaySettingsSchema } from '../../../src/relay/record/settings.js';
import { countsAtScan, createWriteCounts } from '../../../src/relay/rules/counts-at-scan.js';

const counts: Counts = {
  ofSubject: (subject) => ({ ...nothingCounted, seen: subject === 'value' ? 3 : 7 }),
  admitted: () => 0,
  ofRule: () => 0,
};
const answer = { kind: 'answer', how: 'equals', to: 'yes' };
const firstSeen = { kind: 'first_seen' };
const keptBy = (rules: readonly object[], more: object = {}, reply?: string) =>
  createWriteCounts(
    relaySettingsSchema.parse({ rules: rules.map((rule, n) => ({ id: `r${n}`, channel: 'C1', ...rule })), ...more }),
  )(reply, counts);
const told = (reply: string | undefined, ...subjects: Subject[]) => subjects.map(countsAtScan(reply));

describe('counts at the time of a scan', () => {
  it('a scan’s counts are stored beside its response, and both read back unchanged', () => {
    const rules = [{ when: answer }, { when: firstSeen }, { when: { kind: 'nth', n: 2, of: 'device' } }];
    const kept = keptBy(rules, {}, '{"title":"Hi","ask":["12"]}');
    expect(readReply(kept)).toEqual({ title: 'Hi', ask: ['12'] });
    expect(told(kept, 'value', 'device', 'user')).toEqual([3, 7, 0]);
    expect(readReply(keptBy(rules))).toEqual({});
  });

  it('a scan’s counts are stored only where a rule may need them at a second submit', () => {
    expect(keptBy([{ when: firstSeen }])).toBeUndefined();
    expect(keptBy([{ when: answer }])).toBeUndefined();
    expect(keptBy([{ when: answer }, { when: firstSeen, on: false }])).toBeUndefined();
    expect(keptBy([{ when: answer }, { when: firstSeen }], { match: 'all' })).toBeUndefined();
    const duplicate = [{ when: answer }, { when: { kind: 'result', is: 'duplicate' } }];
    expect(told(keptBy(duplicate), 'value')).toEqual([3]);
    expect(told(keptBy(duplicate, { duplicates: {} }), 'value')).toEqual([3]);
  });

  it('a scan’s counts are empty where they were not stored, or cannot be read', () => {
    for (const reply of [undefined, '{}', '{"seen":7}', '{"seen":{"value":"x"}}', 'broken']) {
      expect(told(reply, 'value')).toEqual([0]);
    }
  });
});
