import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RevisionFacts } from '../../../src/relay/commit/index.js';
import type { ValidatedScan } from '../../../src/relay/conditions/condition.js';
import { relaySettingsSchema } from '../../../src/relay/record/settings.js';
import { createEvaluate, type NotablePost } from '../../../src/relay/rules/evaluate.js';
import { createRuleUpdate } from '../../../src/relay/rules/update.js';
import type { MuteFact, WatchFact } from '../../../src/watches/facts.js';
import { noon, scanOf } from './scans.js';

type Posted = RevisionFacts['posted'];

const quietAtNoon = { zone: 'UTC', days: [5], from: '11:00', to: '13:00' };

const answer = (text: string) => ({ answers: [{ questionId: '12', answer: text }] });
const property = (value: string, name: string) => ({ properties: [{ name, value }] });
const settingsOf = (rules: readonly object[], match: 'first' | 'all') =>
  relaySettingsSchema.parse({
    match,
    rules: rules.map((rule, at) => ({ id: `rule${at}`, channel: `C${at + 1}`, ...rule })),
  });

interface Facts {
  readonly seen?: number;
  readonly watches?: readonly WatchFact[];
  readonly mutes?: readonly MuteFact[];
}

/** The posts as the outbox has them. */
const asPosted = (posts: readonly NotablePost[]): Posted =>
  posts.map(({ channel, kind, rules, how, quiet }) => ({
    ...{ channel, kind, rule: rules[0]?.id, digested: how === 'digest' || quiet },
    detail: JSON.stringify({ rules: rules.map(({ id, name }) => ({ id, name })) }),
  }));
const rulesOf = (posted: readonly { readonly rules: readonly { readonly id: string }[] }[]) =>
  new Set(posted.flatMap(({ rules }) => rules.map(({ id }) => id)));

/** The posts of the first submit, of the second, and of both in one. */
function submits(
  rules: readonly object[],
  match: 'first' | 'all',
  [before, after]: readonly [Partial<ValidatedScan>, Partial<ValidatedScan>],
  { seen = 0, watches = [], mutes = [] }: Facts = {},
) {
  const settings = settingsOf(rules, match);
  const known = { countBefore: () => seen, watches, mutes, names: {} };
  const evaluate = (fields: Partial<ValidatedScan>) =>
    createEvaluate(settings)(
      scanOf(fields),
      { ...known, ruleCountBefore: () => 0, memory: () => undefined, burst: () => undefined },
      { channel: 'C0', notable: 'all' },
      true,
    ).posts;
  const first = evaluate(before);
  const revise = (posted: Posted) =>
    createRuleUpdate(settings)(scanOf(before), scanOf(after), { ...known, at: noon, posted }).posts;
  return { first, second: revise(asPosted(first)), whole: evaluate(after), revise };
}
const ways = (posts: readonly NotablePost[]) => posts.map(({ channel, how }) => `${channel} ${how}`);

const yes = { kind: 'answer', how: 'equals', to: 'yes' };
const every = { kind: 'every' };

describe('a second submit, where the first rule that fits decides', () => {
  it('a second submit is posted by the first rule that matches the whole scan, wherever it was posted before', () => {
    const { first, second } = submits([{ when: yes }, { when: every }], 'first', [{}, answer('yes')]);
    expect([ways(first), ways(second)]).toEqual([['C2 each'], ['C1 each']]);
  });

  it('a second submit is posted by the first matching rule, beside the post of a watch', () => {
    const watches = [{ channel: 'CDESK', who: 'U1' }];
    const { second } = submits([{ when: yes }], 'first', [{}, answer('yes')], { watches });
    expect(ways(second)).toEqual(['C1 each']);
  });

  it('a second submit makes no post where the deciding rule is unchanged, has posted already, or is muted', () => {
    const answered = [{}, answer('yes')] as const;
    expect(submits([{ when: every }, { when: yes }], 'first', answered).second).toEqual([]);
    const again = submits([{ when: yes }, { when: every }], 'first', answered);
    expect(again.revise([...asPosted(again.first), ...asPosted(again.second)])).toEqual([]);
    const mutes = [{ channel: 'C1', what: { rule: 'rule0' } }];
    expect(submits([{ when: every }, { when: yes }], 'first', answered, { mutes }).second).toEqual([]);
    expect(submits([{ when: yes }, { when: every }], 'first', answered, { mutes }).second).toEqual([]);
  });

  it('the rules decide on a second submit with the counts from the time when its scan arrived', () => {
    const rules = [{ when: { kind: 'first_seen' } }, { when: yes }, { when: every }];
    const answered = [{}, answer('yes')] as const;
    expect(ways(submits(rules, 'first', answered, { seen: 1 }).second)).toEqual(['C2 each']);
    expect(submits(rules, 'first', answered, { seen: 0 }).second).toEqual([]);
  });

  it('the rules decide again on a second submit whose answers changed', () => {
    const { second } = submits([{ when: yes }, { when: every }], 'first', [answer('yes'), answer('no')]);
    expect(ways(second)).toEqual(['C2 each']);
  });
});

describe('a second submit, where all rules decide', () => {
  const rules = [
    { when: { kind: 'answer', how: 'above', to: '38' } },
    { when: { kind: 'property', name: 'broken', how: 'present' } },
    { when: every, channel: 'C9' },
  ];
  const second = (after: Partial<ValidatedScan>, before: Partial<ValidatedScan> = {}) =>
    ways(submits(rules, 'all', [before, after]).second);

  it('a second submit is posted by every rule that it makes match, where all matching rules post', () => {
    expect(second(answer('39'))).toEqual(['C1 each']);
    expect(second({ ...answer('39'), ...property('x', 'broken') })).toEqual(['C1 each', 'C2 each']);
    expect(second(answer('37'))).toEqual([]);
  });

  it('a second submit is not posted by a rule that matched before or has posted, where all matching rules post', () => {
    expect(second(answer('40'), answer('39'))).toEqual([]);
    // The rule was muted when the scan came, or is newer than the scan.
    expect(
      submits(rules, 'all', [{}, answer('39')])
        .revise([])
        .map(({ channel }) => channel),
    ).toEqual(['C1']);
    const both = [
      { when: yes, channel: 'C1' },
      { when: { kind: 'answer', how: 'contains', to: 'y' }, channel: 'C1' },
    ];
    const { second: united, revise } = submits(both, 'all', [{}, answer('yes')]);
    expect(united.map((post) => post.rules.length)).toEqual([2]);
    expect(revise(asPosted(united))).toEqual([]);
  });
});

describe('a second submit, in a channel that has the scan', () => {
  const of = (answered: object, had: object) =>
    submits(
      [
        { when: yes, channel: 'C1', ...answered },
        { when: every, channel: 'C1', ...had },
      ],
      'all',
      [{}, answer('yes')],
    ).second;

  it('a second submit is posted again in its scan’s channel to mention somebody, or as a reply or in a digest', () => {
    const mention = { users: ['UBOSS'] };
    expect(of({ mention }, {})).toMatchObject([{ how: 'each', mention }]);
    expect(of({ mention }, { how: 'digest' })).toMatchObject([{ how: 'each', mention }]);
    expect(ways(of({ how: 'thread' }, {}))).toEqual(['C1 thread']);
    expect(ways(of({ how: 'digest', mention }, {}))).toEqual(['C1 digest']);
  });

  it('a second submit is not posted again in its scan’s channel if it would wait there and mention nobody', () => {
    expect(of({ how: 'digest' }, {})).toEqual([]);
    expect(of({ quiet: quietAtNoon }, {})).toEqual([]);
    expect(ways(of({ how: 'digest' }, { how: 'digest' }))).toEqual(['C1 digest']);
  });
});

describe('two submits', () => {
  const condition = fc.constantFrom<object>(
    every,
    yes,
    { kind: 'answer', how: 'above', to: '2' },
    { kind: 'answer', questionId: '13', how: 'contains', to: 'e' },
    { kind: 'property', name: 'zone', how: 'present' },
    { kind: 'property', name: 'zone', how: 'equals', to: 'x' },
    { kind: 'result', is: 'invalid' },
    { kind: 'result', is: 'duplicate' },
    { kind: 'value', is: ['A-1'] },
    { kind: 'first_seen' },
    { kind: 'nth', n: 3, of: 'relay' },
    { kind: 'watched' },
    { kind: 'burst', n: 2, minutes: 5 },
    { kind: 'outside_hours', hours: quietAtNoon },
  );
  const anyRule = fc.record(
    {
      when: condition,
      channel: fc.constantFrom('C1', 'C2', 'C3'),
      how: fc.constantFrom('each', 'thread', 'digest'),
      on: fc.boolean(),
      mention: fc.constantFrom({ users: [] }, { users: ['U1'] }),
      quiet: fc.constantFrom(undefined, quietAtNoon),
    },
    { requiredKeys: ['when', 'channel'] },
  );
  const told = fc.record({
    '12': fc.constantFrom(undefined, 'yes', 'no', '3'),
    '13': fc.constantFrom(undefined, 'yes'),
    zone: fc.constantFrom(undefined, 'x', 'y'),
  });
  const toldBy = ({ zone, ...answers }: Record<string, string | undefined>) => ({
    answers: Object.entries(answers).flatMap(([questionId, text]) =>
      text === undefined ? [] : [{ questionId, answer: text }],
    ),
    properties: zone === undefined ? [] : [{ name: 'zone', value: zone }],
  });
  const present = (given: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

  it('two submits cause the posts of a single submit, besides the posts that the first submit already caused', () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('first', 'all'),
        told,
        told,
        fc.record({
          seen: fc.nat(4),
          watches: fc.constantFrom<WatchFact[]>([], [{ channel: 'C1', who: 'U9' }]),
          mutes: fc.constantFrom<MuteFact[]>(
            [],
            [{ channel: 'C1', what: 'value' }],
            [{ channel: 'C2', what: { rule: 'rule0' } }],
          ),
        }),
        fc.boolean(),
        (rules, match, one, more, facts, valid) => {
          const result = { valid, finding: valid ? 'valid' : 'invalid' } as const;
          const before = { ...result, ...toldBy(one) };
          const after = { ...result, ...toldBy({ ...one, ...present(more) }) };
          const { first, second, whole, revise } = submits(rules, match, [before, after], facts);

          const [led, came, wanted] = [rulesOf(first), rulesOf(second), rulesOf(whole)];
          const ownMessages = first.filter(({ kind, how, quiet }) => kind === 'scan' && how !== 'digest' && !quiet);
          const shown = new Set(ownMessages.map(({ channel }) => channel));
          for (const rule of whole.filter(({ kind }) => kind === 'scan').flatMap((post) => post.rules)) {
            const waits = (rule.how === 'digest' || rule.quiet !== undefined) && rule.mention.users.length === 0;
            expect(led.has(rule.id) || came.has(rule.id) || (waits && shown.has(rule.channel))).toBe(true);
          }
          for (const id of came) {
            expect([wanted.has(id), led.has(id)]).toEqual([true, false]);
          }
          expect(second.every(({ kind, watchers }) => kind === 'scan' && watchers.length === 0)).toBe(true);
          expect(new Set(second.map(({ channel }) => channel)).size).toBe(second.length);
          expect(revise([...asPosted(first), ...asPosted(second)])).toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
