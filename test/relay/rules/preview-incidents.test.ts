import { describe, expect, it } from 'vitest';
import { previewIncidents, type ReceivedScan, relaySettingsSchema } from '../../../src/relay/index.js';
import { preview } from '../../../src/relay/rules/preview.js';

const minute = 60_000;
/** A Friday. */
const noon = Date.UTC(2026, 4, 1, 12);
const allDay = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const people = { users: ['U1'], groups: [] };

const counted = async (fields: object, minutes: readonly (number | readonly [number, object])[], now: number) => {
  const settings = relaySettingsSchema.parse({ rules: [{ id: 'r', channel: 'C1', ...fields }] });
  const scans = minutes.map((one, n) => {
    const [at, more] = typeof one === 'number' ? [one, {}] : one;
    return {
      id: String(n),
      tid: 'T',
      valid: false,
      finding: 'invalid',
      answers: [],
      receivedAt: noon + at * minute,
      ...more,
    };
  }) as unknown as ReceivedScan[];
  const previewed = await preview({
    ...{ settings, scans, relay: { channel: 'C1', notable: 'all', serviceIds: [] } },
    ...{ total: () => undefined, watches: () => [], mutes: () => [] },
  });
  return previewIncidents(settings.rules[0]!, previewed.toReversed(), noon + now * minute);
};

describe('a preview counts the alerts for many scans that are not valid', () => {
  const when = { kind: 'burst', n: 3, minutes: 5 };

  it('a preview counts each alert for many invalid scans once', async () => {
    expect(await counted({ when }, [0, 1, 2, 3, 4, 20, 21, 30, 31, 32], 60)).toEqual({ opened: 2, escalated: 0 });
  });

  it('a preview counts an escalation if an alert for many invalid scans lasts longer than the rule waits', async () => {
    const escalate = { minutes: 6, ...people };
    // The first alert lasts 2 + 5 minutes after it opened, the second 5.
    expect(await counted({ when, escalate }, [0, 1, 2, 4, 30, 31, 32], 60)).toEqual({ opened: 2, escalated: 1 });
    expect(await counted({ when, escalate }, [0, 1, 2, 4], 7)).toEqual({ opened: 1, escalated: 0 });
  });

  it('a preview counts an escalation from the end of the quiet hours, if the alert for many invalid scans still lasts', async () => {
    const quiet = { ...allDay, from: '12:00', to: '12:20' };
    const escalate = { minutes: 6, ...people };
    const scans = [0, 1, 2, 6, 10, 14, 18, 22];
    expect(await counted({ when, escalate, quiet }, scans, 60)).toEqual({ opened: 1, escalated: 1 });
    expect(await counted({ when, escalate, quiet }, scans.slice(0, -1), 60)).toEqual({ opened: 1, escalated: 0 });
  });
});

describe('a preview counts the alerts for missing scans', () => {
  const when = { kind: 'silence', of: 'relay', minutes: 10, hours: allDay };

  it('a preview counts an alert for each pause without scans that is too long, and for the current pause', async () => {
    expect(await counted({ when }, [0, 5, 20, 25, 40], 45)).toEqual({ opened: 2, escalated: 0 });
    expect(await counted({ when }, [0, 5, 20, 25, 40], 55)).toEqual({ opened: 3, escalated: 0 });
  });

  it('a preview counts alerts for missing scans separately for each device', async () => {
    const of = { ...when, of: 'device', ids: ['a', 'b'] };
    const scans = [0, 5, 10, 15].map((at) => [at, { udid: 'a' }] as const);
    expect(await counted({ when: of }, [[0, { udid: 'b' }], ...scans], 20)).toEqual({ opened: 1, escalated: 0 });
  });

  it('a preview counts an escalation for each day on which an alert for missing scans is posted', async () => {
    const hours = { ...allDay, from: '12:00', to: '18:00' };
    const escalate = { minutes: 15, ...people };
    const days = 3 * 24 * 60;
    expect(await counted({ when: { ...when, hours }, escalate }, [0], days - 60)).toEqual({ opened: 1, escalated: 3 });
  });

  it('a preview counts no alerts for missing scans outside the watched hours', async () => {
    const hours = { ...allDay, from: '08:00', to: '12:05' };
    expect(await counted({ when: { ...when, hours } }, [0], 600)).toEqual({ opened: 0, escalated: 0 });
  });
});

it('a preview counts no alerts for a rule that is not about alerts', async () => {
  expect(await counted({ when: { kind: 'every' } }, [0, 1], 60)).toBeUndefined();
});
