import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ValidatedScan } from '../../../src/relay/conditions/condition.js';
import { type RelaySettings, relaySettingsSchema, resultCodes } from '../../../src/relay/record/settings.js';
import { createEvaluate, type ScanRuleFacts } from '../../../src/relay/rules/evaluate.js';
import { anyText } from '../../helpers/any-text.js';
import { noon, scanOf } from './scans.js';

const nothingKnown: ScanRuleFacts = {
  countBefore: () => 0,
  ruleCountBefore: () => 0,
  watches: [],
  mutes: [],
  memory: () => undefined,
  burst: () => undefined,
  names: {},
};
const plainly = { channel: 'C0', notable: 'all' as const };
const workdays = { zone: 'UTC', days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
const settingsOf = (rules: readonly object[], more: object = {}): RelaySettings =>
  relaySettingsSchema.parse({
    rules: rules.map((rule, at) => ({ id: `rule${at}`, channel: `C${at + 1}`, ...rule })),
    ...more,
  });

/** Settings with this pattern in place of every other, even one that the schema rejects. */
function withPatterns(settings: RelaySettings, pattern: string): RelaySettings {
  const rules = settings.rules.map((rule) => ({
    ...rule,
    when: rule.when.map((one) => (one.kind === 'value_pattern' ? { ...one, pattern } : one)),
  }));
  return { ...settings, rules };
}

function posts(settings: RelaySettings, fields: Partial<ValidatedScan> = {}, facts: Partial<ScanRuleFacts> = {}) {
  return createEvaluate(settings)(scanOf(fields), { ...nothingKnown, ...facts }, plainly, true).posts;
}

/** A case that the cases of `test/slack/conditions/` leave out. */
type Row = [what: string, when: object, fits: Partial<ValidatedScan>, fitsNot: Partial<ValidatedScan>];

const property = (value: string, name = 'zone') => ({ properties: [{ name, value }] });
const invalid = { valid: false, finding: 'invalid' } as const;

const table: Row[] = [
  ['an accepted unknown barcode is valid', { kind: 'result', is: 'valid' }, { finding: 'unknown_accepted' }, invalid],
  ['a barcode over its limit is not valid', { kind: 'result', is: 'invalid' }, { valid: false, finding: 'limit' }, {}],
  [
    'an unknown barcode that the relay rejects counts as not validated',
    { kind: 'result', is: 'not_validated' },
    { finding: 'unknown_rejected' },
    invalid,
  ],
  ['a value matches in its own case only', { kind: 'value', is: ['abc'] }, { tid: 'abc' }, { tid: 'ABC' }],
  ['a value matches with its spaces only', { kind: 'value', is: [' a '] }, { tid: ' a ' }, { tid: 'a' }],
  [
    'a pattern matches anywhere in a barcode',
    { kind: 'value_pattern', pattern: '\\d{3}' },
    { tid: 'x123y' },
    { tid: 'x12y3' },
  ],
  [
    'a barcode has a wrong check digit only if its format has a check digit',
    { kind: 'check_digit' },
    { tid: '0000000000001' },
    { tid: '12345' },
  ],
  [
    'a property is above a number',
    { kind: 'property', name: 'zone', how: 'above', to: '0.5' },
    property('.51'),
    property('.5'),
  ],
  [
    'a scan was made outside hours, however late it arrives',
    { kind: 'outside_hours', hours: workdays },
    { late: true, scannedAtUtc: '2026-04-30 23:00:00' },
    { late: true, scannedAtUtc: '2026-04-30 12:00:00', receivedAt: noon + 10 * 3_600_000 },
  ],
];

describe('a rule', () => {
  it.each(table)(
    'a rule posts a scan that meets its condition, and no scan that fails the condition: %s',
    (_, when, fits, fitsNot) => {
      const settings = settingsOf([{ when }]);
      expect(posts(settings, fits)).toMatchObject([
        { kind: 'scan', channel: 'C1', rules: [{ id: 'rule0' }], how: 'each' },
      ]);
      expect(posts(settings, fitsNot)).toEqual([]);
    },
  );

  it('a rule matches duplicates as the relay defines them, or else barcodes that were scanned before', () => {
    const when = { kind: 'result', is: 'duplicate' };
    const before = { countBefore: () => 1 };
    expect(posts(settingsOf([{ when }]), {}, before)).toHaveLength(1);
    expect(posts(settingsOf([{ when }]))).toEqual([]);
    const finds = settingsOf([{ when }], { duplicates: { withinMinutes: 5 } });
    expect(posts(finds, {}, before)).toEqual([]);
    expect(posts(finds, { valid: false, finding: 'duplicate' })).toHaveLength(1);
    // The account's result stays, but a barcode that was seen before is a duplicate all the same.
    expect(posts(finds, { givenStatus: '1' }, before)).toHaveLength(1);
    expect(posts(finds, { givenStatus: '0', valid: false, finding: 'invalid' }, before)).toHaveLength(1);
    expect(posts(finds, { givenStatus: '1' })).toEqual([]);
    expect(posts(finds, { givenStatus: '-1' }, before)).toEqual([]);
  });

  it('a rule about results uses the relay’s own result where the account gave no result', () => {
    const judging = { kind: 'list', values: ['A-1'] };
    const settings = settingsOf([{ when: { kind: 'result', is: 'not_validated' } }], { judging });
    expect(posts(settings, { givenStatus: '-1' })).toEqual([]);
  });

  it('a rule matches every n-th scan, or only the n-th, of a device or of the relay', () => {
    const nth = (again: boolean, of = 'device') => settingsOf([{ when: { kind: 'nth', n: 3, of, again } }]);
    const which = (settings: RelaySettings, fields: Partial<ValidatedScan> = { udid: 'D' }) =>
      Array.from({ length: 9 }, (_, seen) => posts(settings, fields, { countBefore: () => seen }).length);
    expect(which(nth(true))).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect(which(nth(false))).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(which(nth(true), {})).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(which(nth(true, 'relay'), {})).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });

  it('a rule with an unreadable pattern matches no scan, and does not stop the relay’s other rules', () => {
    // The settings' schema rejects such a pattern; a rule that has one all the same must not throw.
    const settings = withPatterns(
      settingsOf([{ when: { kind: 'value_pattern', pattern: 'x' } }, { when: { kind: 'every' } }]),
      '(',
    );
    expect(posts(settings)).toMatchObject([{ channel: 'C2' }]);
  });

  it('a rule that is off never matches, and a rule about bursts or missing scans matches no single scan', () => {
    const hours = workdays;
    const rules = [
      { when: { kind: 'every' }, on: false },
      { when: { kind: 'silence', of: 'relay', minutes: 5, hours } },
      { when: { kind: 'burst', n: 2, minutes: 5 } },
    ];
    expect(posts(settingsOf(rules))).toEqual([]);
  });
});

describe('the rules of a relay', () => {
  const two = [{ when: { kind: 'every' } }, { when: { kind: 'every' } }];

  it('a relay posts by its first matching rule, or by all matching rules, as it is set', () => {
    expect(posts(settingsOf(two)).map(({ channel }) => channel)).toEqual(['C1']);
    expect(posts(settingsOf(two, { match: 'all' })).map(({ channel }) => channel)).toEqual(['C1', 'C2']);
  });

  it('a relay’s rules post a scan once in a channel, and mention the people of every matching rule', () => {
    const rules = [
      { when: { kind: 'every' }, channel: 'C9', how: 'digest', mention: { users: ['U1'], groups: ['S1'] } },
      { when: { kind: 'every' }, channel: 'C9', how: 'each', mention: { users: ['U2', 'U1'] } },
    ];
    const found = posts(settingsOf(rules, { match: 'all' }));
    expect(found).toMatchObject([{ channel: 'C9', how: 'each', mention: { users: ['U2', 'U1'], groups: ['S1'] } }]);
    expect(found[0]!.rules.map(({ id }) => id)).toEqual(['rule1', 'rule0']);
  });

  it('a relay without rules posts all scans, or only scans that are not valid, as its settings say', () => {
    const none = settingsOf([]);
    const by = (notable: 'all' | 'invalid', valid: boolean, takes = true) =>
      createEvaluate(none)(scanOf({ valid }), nothingKnown, { channel: 'C0', notable }, takes).posts.length;
    expect([by('all', true), by('all', false), by('invalid', true), by('invalid', false)]).toEqual([1, 1, 0, 1]);
    expect(by('all', true, false)).toBe(0);
  });

  it('a relay’s rules delay posts during their quiet hours', () => {
    const quiet = { ...workdays, from: '11:00', to: '13:00' };
    const settings = settingsOf([{ when: { kind: 'every' }, quiet }]);
    expect(posts(settings)).toMatchObject([{ quiet: true }]);
    expect(posts(settings, { receivedAt: noon + 3_600_000 })).toMatchObject([{ quiet: false }]);
  });

  it('quiet hours of the whole week, from an older version, delay no post', () => {
    const quiet = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '08:00' };
    expect(posts(settingsOf([{ when: { kind: 'every' }, quiet }]))).toMatchObject([{ quiet: false }]);
  });

  it('a relay’s rules post a burst alert beside the scan’s post, without counting late scans', () => {
    const rules = [{ when: { kind: 'every' } }, { when: { kind: 'burst', n: 2, minutes: 5 } }];
    const settings = settingsOf(rules);
    const evaluate = createEvaluate(settings);
    let memories: Readonly<Record<string, string>> = {};
    const kinds = (fields: Partial<ValidatedScan>) => {
      const facts = { ...nothingKnown, memory: (id: string) => memories[id] };
      const found = evaluate(scanOf({ ...invalid, ...fields }), facts, plainly, true);
      memories = { ...memories, ...found.memories };
      return found.posts.map(({ kind, channel }) => `${kind} ${channel}`);
    };
    expect(kinds({})).toEqual(['scan C1']);
    expect(kinds({ late: true })).toEqual(['scan C1']);
    expect(kinds({})).toEqual(['scan C1', 'burst C2']);
    expect(kinds({})).toEqual(['scan C1']);
  });
});

describe('a watch of a barcode', () => {
  const watches = [
    { channel: 'C7', who: 'U1' },
    { channel: 'C7', who: 'U2' },
    { channel: 'C8', who: 'U1' },
  ];

  it('a watcher is mentioned once in each channel of a watch, though no rule matches the scan', () => {
    expect(posts(settingsOf([{ when: { kind: 'result', is: 'invalid' } }]), {}, { watches })).toMatchObject([
      { channel: 'C7', watchers: ['U1', 'U2'], mention: { users: ['U1', 'U2'] }, rules: [] },
      { channel: 'C8', watchers: ['U1'] },
    ]);
  });

  it('a watcher is mentioned on a rule’s post of the scan, if the rule posts in the channel of the watch', () => {
    const found = posts(settingsOf([{ when: { kind: 'every' }, channel: 'C7', how: 'thread' }]), {}, { watches });
    expect(found[0]).toMatchObject({ channel: 'C7', how: 'each', watchers: ['U1', 'U2'] });
    expect(found[0]!.rules.map(({ id }) => id)).toEqual(['rule0']);
    expect(found).toHaveLength(2);
  });

  it('a watcher is notified also of scans of a service that the relay does not post', () => {
    const none = createEvaluate(settingsOf([]));
    expect(none(scanOf(), { ...nothingKnown, watches }, plainly, false).posts.map(({ channel }) => channel)).toEqual([
      'C7',
      'C8',
    ]);
  });

  it('a watch of a barcode makes a rule about watched barcodes match', () => {
    const settings = settingsOf([{ when: { kind: 'watched' } }]);
    expect(posts(settings, {}, { watches: [watches[0]!] }).map(({ channel }) => channel)).toEqual(['C1', 'C7']);
    expect(posts(settings)).toEqual([]);
  });
});

describe('a burst', () => {
  const settings = settingsOf([{ when: { kind: 'burst', n: 2, minutes: 5 } }]);
  const told = (mutes: ScanRuleFacts['mutes']) => {
    const memory = () => JSON.stringify({ at: [noon - 1] });
    return posts(settings, invalid, { mutes, memory }).map(({ kind, held }) => (held ? `held ${kind}` : kind));
  };

  it('a burst alert is posted though its last barcode is muted, and opens unposted if its rule or relay is muted', () => {
    expect(told([])).toEqual(['burst']);
    expect(told([{ channel: 'C1', what: 'value' }])).toEqual(['burst']);
    expect(told([{ channel: 'C1', what: 'relay' }])).toEqual(['held burst']);
    expect(told([{ channel: 'C1', what: { rule: 'rule0' } }])).toEqual(['held burst']);
    expect(told([{ channel: 'C2', what: 'relay' }])).toEqual(['burst']);
  });
});

describe('a mute', () => {
  const all = settingsOf([{ when: { kind: 'every' } }, { when: { kind: 'every' } }], { match: 'all' });
  const left = (mutes: ScanRuleFacts['mutes'], settings = all) =>
    posts(settings, {}, { mutes }).map(({ channel }) => channel);

  it('a mute leaves posts out of its own channel and of no other channel', () => {
    expect(left([{ channel: 'C1', what: 'value' }])).toEqual(['C2']);
    expect(left([{ channel: 'C1', what: 'relay' }])).toEqual(['C2']);
    expect(left([{ channel: 'C1', what: { rule: 'rule0' } }])).toEqual(['C2']);
    expect(left([{ channel: 'C1', what: { rule: 'rule1' } }])).toEqual(['C1', 'C2']);
    expect(left([{ channel: 'C9', what: 'value' }])).toEqual(['C1', 'C2']);
  });

  it('a muted rule does not let the next rule post instead', () => {
    const first = settingsOf([{ when: { kind: 'every' } }, { when: { kind: 'every' } }]);
    expect(left([{ channel: 'C1', what: { rule: 'rule0' } }], first)).toEqual([]);
  });

  it('a mute applies also to a relay without rules', () => {
    expect(left([{ channel: 'C0', what: 'value' }], settingsOf([]))).toEqual([]);
  });

  it('a muted barcode hides the post of its watch, and a muted relay does not', () => {
    const watches = [{ channel: 'C1', who: 'U1' }];
    const by = (what: ScanRuleFacts['mutes'][number]['what']) =>
      posts(settingsOf([]), {}, { watches, mutes: [{ channel: 'C1', what }] }).map(({ channel }) => channel);
    expect(by('value')).toEqual(['C0']);
    expect(by('relay')).toEqual(['C0', 'C1']);
  });
});

describe('evaluating', () => {
  const text = fc.oneof(anyText({ maxLength: 40 }), fc.constantFrom('1.5', '4006381333932', 'a|^|b'));
  const id = fc.option(text, { nil: undefined });
  const anyScan = fc.record({
    id: text,
    tid: text,
    sid: id,
    userid: id,
    udid: id,
    givenStatus: fc.constantFrom(undefined, '1', '0', '-1'),
    scannedAtUtc: fc.option(fc.oneof(text, fc.constant('2026-05-01 10:00:00')), { nil: undefined }),
    receivedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    answers: fc.array(fc.record({ questionId: text, answer: text }), { maxLength: 3 }),
    properties: fc.array(fc.record({ name: text, value: text }), { maxLength: 3 }),
    valid: fc.boolean(),
    text,
    finding: fc.constantFrom(...resultCodes),
    late: fc.boolean(),
  });
  const pattern = fc.oneof(
    text.filter((one) => one !== ''),
    fc.constantFrom('(a*)*$', '(x+x+)+y', '[', '\\p{L}+'),
  );
  const condition = fc.oneof(
    fc.constantFrom({ kind: 'every' }, { kind: 'check_digit' }, { kind: 'watched' }, { kind: 'first_seen' }),
    fc.record({
      kind: fc.constant('value'),
      is: fc.array(
        text.filter((one) => one !== ''),
        { minLength: 1, maxLength: 3 },
      ),
      exact: fc.boolean(),
    }),
    fc.constant({ kind: 'value_pattern', pattern: 'x' }),
    fc.record({
      kind: fc.constant('answer'),
      how: fc.constantFrom('equals', 'contains', 'matches', 'above', 'below'),
      to: text,
      exact: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('nth'),
      n: fc.integer({ min: 1, max: 5 }),
      of: fc.constantFrom('value', 'device', 'relay'),
    }),
    fc.record({
      kind: fc.constant('burst'),
      n: fc.integer({ min: 2, max: 5 }),
      minutes: fc.integer({ min: 1, max: 99 }),
    }),
    fc.constant({ kind: 'outside_hours', hours: workdays }),
  );
  const anyRule = fc.record({
    when: condition,
    channel: fc.constantFrom('C1', 'C2'),
    how: fc.constantFrom('each', 'thread', 'digest'),
    on: fc.boolean(),
  });

  it('evaluating rules never throws an error, and posts a scan at most once in a channel', () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 6 }),
        anyScan,
        fc.constantFrom('first', 'all'),
        pattern,
        fc.nat(9),
        (rules, scan, match, broken, seen) => {
          const watches = seen > 5 ? [{ channel: 'C1', who: 'U1' }] : [];
          const found = createEvaluate(withPatterns(settingsOf(rules, { match }), broken))(
            scan as ValidatedScan,
            { ...nothingKnown, countBefore: () => seen, watches },
            plainly,
            true,
          );
          const channels = found.posts.filter(({ kind }) => kind === 'scan').map(({ channel }) => channel);
          expect(new Set(channels).size).toBe(channels.length);
        },
      ),
    );
  });

  it('evaluating a rule ends in time for a long barcode, even with a pattern that would backtrack', () => {
    const patterns = ['(a*)*$', '(x+x+)+y', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$'];
    const rules = patterns.map((one) => ({ when: { kind: 'value_pattern', pattern: one } }));
    const evaluate = createEvaluate(settingsOf(rules, { match: 'all' }));
    // A pattern that backtracks would take longer than any timeout of the test.
    for (const tid of [`${'a'.repeat(5_000)}!`, 'x'.repeat(5_000), 'ab'.repeat(2_500)]) {
      evaluate(scanOf({ tid }), nothingKnown, plainly, true);
    }
  });
});
