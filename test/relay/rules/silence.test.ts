import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { relaySettingsSchema } from '../../../src/relay/record/settings.js';
import { checkSilence, silencesFor } from '../../../src/relay/rules/timers/silence.js';
import type { DueSilence } from '../../../src/relay/rules/timers/timer-rows.js';

const berlin = 'Europe/Berlin';
const at = (text: string) => DateTime.fromISO(text, { zone: berlin }).toMillis();
const weekdays = { zone: berlin, days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };

function settingsOf(when: object = {}, rule: object = {}) {
  return relaySettingsSchema.parse({
    rules: [
      {
        id: 'quiet gate',
        channel: 'C1',
        when: { kind: 'silence', of: 'relay', minutes: 30, hours: weekdays, ...when },
        ...rule,
      },
    ],
  });
}

const silence = (since: number, more: Partial<DueSilence> = {}): DueSilence => ({
  relayId: 'r1',
  ruleId: 'quiet gate',
  subject: 'relay',
  subjectId: '',
  relay: { id: 'r1' } as DueSilence['relay'],
  since,
  isOpen: false,
  ...more,
});

describe('a silence', () => {
  it.each([
    ['before the rule’s time without scans is over', '2026-05-01T10:00', '2026-05-01T10:29', '2026-05-01T10:30'],
    ['at night: the wait starts again on the next day', '2026-05-01T17:45', '2026-05-01T18:01', '2026-05-04T08:30'],
    ['before the watched hours have begun', '2026-05-01T07:00', '2026-05-01T07:59', '2026-05-01T08:30'],
    ['before the wait on the next day is over', '2026-05-01T17:45', '2026-05-04T08:29', '2026-05-04T08:30'],
  ])('missing scans are not reported %s', (_, since, now, due) => {
    expect(checkSilence(silence(at(since)), settingsOf(), at(now))).toEqual({ dueAt: at(due) });
  });

  it('missing scans are reported when they are due', () => {
    const due = checkSilence(silence(at('2026-05-01T10:00')), settingsOf(), at('2026-05-01T10:30'));
    expect(due).toEqual({ dueAt: at('2026-05-01T11:00'), opens: true });
  });

  it('missing scans that are an open alert are not reported again', () => {
    const open = silence(at('2026-05-01T10:00'), { isOpen: true });
    expect(checkSilence(open, settingsOf(), at('2026-05-01T12:00'))).toEqual({ dueAt: at('2026-05-01T12:30') });
  });

  it('missing scans are reported when the watched hours are over, where these are shorter than the rule’s wait', () => {
    const settings = settingsOf({ minutes: 24 * 60 });
    const since = at('2026-04-30T17:00');
    expect(checkSilence(silence(since), settings, at('2026-05-01T17:59')).opens).toBeUndefined();
    expect(checkSilence(silence(since), settings, at('2026-05-01T18:00:01')).opens).toBe(true);
  });

  it('missing scans that no instance checked in time are not reported outside the watched hours', () => {
    const asked = checkSilence(silence(at('2026-05-01T10:00')), settingsOf(), at('2026-05-01T23:00'));
    expect(asked).toEqual({ dueAt: at('2026-05-04T08:30') });
  });

  it.each([
    ['in the middle of the day', { from: '10:00', to: '12:00' }, '2026-05-01T09:50', '2026-05-01T12:30'],
    ['over midnight', { from: '16:00', to: '09:00' }, '2026-04-30T15:50', '2026-05-01T09:30'],
    ['that leave nothing of the watched hours', { from: '07:00', to: '19:00' }, '2026-05-01T10:00', '2026-05-01T10:30'],
  ])('a rule does not wait for scans in its quiet hours %s', (_, quiet, since, due) => {
    const settings = settingsOf({}, { quiet: { ...weekdays, ...quiet } });
    expect(checkSilence(silence(at(since)), settings, at(since))).toEqual({ dueAt: at(due) });
    expect(checkSilence(silence(at(since)), settings, at(due)).opens).toBe(true);
  });

  it('missing scans of a removed rule are not reported', () => {
    const { dueAt, opens } = checkSilence(silence(0, { ruleId: 'other' }), settingsOf(), at('2026-05-01T10:30'));
    expect(opens).toBeUndefined();
    expect(dueAt).toBeGreaterThan(at('2100-01-01'));
  });

  it('missing scans are checked for each named device, or for the relay where no device is named', () => {
    expect(silencesFor(settingsOf())).toEqual([{ ruleId: 'quiet gate', subject: 'relay', subjectId: '' }]);
    expect(silencesFor(settingsOf({ of: 'device' }))).toEqual([
      { ruleId: 'quiet gate', subject: 'relay', subjectId: '' },
    ]);
    expect(silencesFor(settingsOf({ of: 'device', ids: ['A', 'B', 'A'] })).map(({ subjectId }) => subjectId)).toEqual([
      'A',
      'B',
    ]);
    expect(silencesFor(settingsOf({}, { on: false }))).toEqual([]);
  });
});
