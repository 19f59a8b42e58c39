import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../src/errors.js';
import { readSettings, writeSettings } from '../../../src/relay/record/relay.js';
import { defaultSettings, type RelaySettings, relaySettingsSchema } from '../../../src/relay/record/settings.js';

const parses = (settings: unknown): boolean => relaySettingsSchema.safeParse(settings).success;
const hours = { zone: 'Europe/Berlin', days: [1], from: '08:00', to: '16:00' };

describe('a relay’s settings', () => {
  it('a relay’s settings are read from the store as they were saved', () => {
    const text = fc.string({ maxLength: 40 });
    const judging = fc.oneof(
      fc.constant({ kind: 'accept' as const }),
      fc.record({
        kind: fc.constant('database' as const),
        databaseIds: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 10 }),
        unknown: fc.constantFrom('accept' as const, 'reject' as const),
        liveShare: fc.integer({ min: 0, max: 100 }),
        budgetMs: fc.integer({ min: 0, max: 10_000 }),
      }),
      fc.record({
        kind: fc.constant('list' as const),
        values: fc.array(text),
        exact: fc.boolean(),
        listed: fc.constantFrom('valid' as const, 'invalid' as const),
      }),
      fc.record({
        kind: fc.constant('pattern' as const),
        pattern: fc.constantFrom('^A', '\\d{4}$', '(?i)vip'),
        matching: fc.constantFrom('valid' as const, 'invalid' as const),
      }),
    );
    const settings = fc.record(
      {
        judging,
        duplicates: fc.record({ withinMinutes: fc.integer({ min: 1, max: 10_000 }) }, { requiredKeys: [] }),
        hours: fc.constant(hours),
        atMost: fc.record(
          {
            n: fc.integer({ min: 1, max: 1_000_000 }),
            of: fc.constantFrom('value' as const, 'relay' as const),
            withinMinutes: fc.integer({ min: 1, max: 10_000 }),
          },
          { requiredKeys: ['n', 'of'] },
        ),
        answers: fc.dictionary(
          fc.constantFrom('valid', 'duplicate', 'unknown_rejected'),
          fc.record({ text, kind: fc.constantFrom('plain', 'page') }),
        ),
        networks: fc.array(fc.constantFrom('10.0.0.0/8', '::1')),
        names: fc.constantFrom({}, { tid: 'barcode' }, { tid: 'sid', sid: 'tid' }),
        match: fc.constantFrom('first' as const, 'all' as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(settings, (given) => {
        const parsed = relaySettingsSchema.parse(given);
        expect(readSettings(writeSettings(parsed))).toEqual(parsed);
      }),
    );
  });

  it('a relay’s default settings are not stored, so that a later version can change a default', () => {
    expect(writeSettings(defaultSettings)).toBe('{}');
    expect(writeSettings({ ...defaultSettings, lateMinutes: 5 })).toBe('{"lateMinutes":5}');
    expect(readSettings('{}')).toEqual(defaultSettings);
  });

  it.each([
    ['no JSON', 'x'],
    ['of another version', '{"judging":{"kind":"oracle"}}'],
  ])('a relay’s stored settings are refused where they are %s', (_, text) => {
    expect(() => readSettings(text)).toThrow(expect.objectContaining({ code: 'store.record_broken' }));
  });

  it('a relay’s stored settings that cannot be read are reported with the store’s error and its reason', () => {
    try {
      readSettings('{"lateMinutes":0}');
      expect.unreachable();
    } catch (error) {
      expect(codeOf(error)).toBe('store.record_broken');
      expect((error as Error).cause).toBeDefined();
    }
  });

  it.each<[string, unknown]>([
    ['a time zone that does not exist', { hours: { ...hours, zone: 'Europe/Atlantis' } }],
    ['an invalid pattern', { judging: { kind: 'pattern', pattern: '(' } }],
    ['a pattern that RE2 does not support', { judging: { kind: 'pattern', pattern: '(a)\\1' } }],
    ['an invalid network', { networks: ['10.0.0.0/99'] }],
    ['a name for a variable that Scandesk does not have', { names: { barcode: 'tid' } }],
    ['one name for two variables', { names: { tid: 'x', sid: 'x' } }],
    ['a window of no minutes', { duplicates: { withinMinutes: 0 } }],
    ['an invalid color', { answers: { valid: { text: '', color: 'red' } } }],
    [
      'questions that no answer has room for',
      {
        questions: Array.from({ length: 10 }, (_, n) => ({ id: `${n}`, text: 'x'.repeat(500), type: 'manual' })),
      },
    ],
  ])('a relay’s settings refuse %s', (_, settings) => {
    expect(parses(settings)).toBe(false);
  });

  it('a relay’s settings with an invalid pattern are refused with the reason that the pattern library gives', () => {
    const { error } = relaySettingsSchema.safeParse({ judging: { kind: 'pattern', pattern: '(a' } });
    expect(error?.issues[0]?.message).toMatch(/missing closing \)/);
    const fine: RelaySettings['judging'] = { kind: 'pattern', pattern: '^a', matching: 'valid' };
    expect(parses({ judging: fine })).toBe(true);
  });
});
