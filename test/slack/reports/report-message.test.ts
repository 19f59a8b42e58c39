import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { toRelay } from '../../../src/relay/record/relay.js';
import type { DayFigures, Report, ReportContent } from '../../../src/reports/index.js';
import { checkMessageBlocks } from '../../../src/sandbox/slack/blocks/check.js';
import { missingMessage, reportMessage } from '../../../src/slack/reports/report-message.js';
import { relayRecord } from '../../helpers/relay.js';
import { read } from '../block-kit/reading.js';
import { hostileText } from '../lookup/lookup-samples.js';

const utc = (text: string) => Date.parse(`${text}Z`);
const relay = toRelay(relayRecord());

const report: Report = {
  ...{ id: 'r1', owner: relay.owner, subject: { relay: relay.id }, channel: 'C0GATE', hour: 22, minute: 0 },
  ...{ zone: 'Europe/Berlin', day: 'today', createdBy: 'U0ADA', createdAt: 0, dueAt: 0, missed: 0 },
};

function figuresOf(
  buckets: readonly (readonly [string, number, number, number])[],
  more: Partial<DayFigures> = {},
): DayFigures {
  const all = buckets.map(([start, valid, invalid, other]) => ({ start: utc(start), valid, invalid, other }));
  const sum = (key: 'valid' | 'invalid' | 'other') => all.reduce((total, each) => total + each[key], 0);
  return {
    totals: { valid: sum('valid'), invalid: sum('invalid'), other: sum('other'), buckets: all },
    ...{ reasons: [], services: [], devices: [] },
    ...more,
  };
}

const saturday: ReportContent = {
  of: { relay },
  days: {
    day: { date: '2026-11-21', from: utc('2026-11-20T23:00'), to: utc('2026-11-21T21:00') },
    before: { date: '2026-11-20', from: utc('2026-11-19T23:00'), to: utc('2026-11-20T21:00') },
    isPart: true,
  },
  figures: figuresOf(
    [
      ['2026-11-21T17:00', 80, 10, 0],
      ['2026-11-21T18:00', 110, 10, 2],
    ],
    {
      reasons: [
        { of: { code: 'duplicate' }, count: 12 },
        { of: { code: 'limit' }, count: 3 },
        { of: { text: 'Wrong day' }, count: 2 },
        { of: { code: 'too_late' }, count: 1 },
        { of: { code: 'unknown_rejected' }, count: 1 },
        { of: { text: 'One' }, count: 1 },
      ],
    },
  ),
  before: figuresOf([['2026-11-20T16:00', 180, 14, 0]], {
    reasons: [
      { of: { code: 'duplicate' }, count: 8 },
      { of: { text: 'Two' }, count: 6 },
    ],
  }),
  gate: { kind: 'service', name: 'Gate A', scans: 120 },
  gateBefore: { kind: 'service', name: 'Gate B', scans: 90 },
  gaps: {},
};

const words = (content: ReportContent, rich = false, more: Partial<Report> = {}) =>
  read(reportMessage({ ...report, ...more }, content, { rich }).blocks);

describe('the message of a daily report', () => {
  it('a daily report’s message begins with its number of scans and the day before, in the report’s zone', () => {
    const text = words(saturday);
    expect(text).toContain('Main gate · Saturday, November 21');
    expect(text).toContain('212 scans until 22:00, 18 more than Friday by then');
    expect(reportMessage(report, saturday, { rich: true }).text).toBe(
      'Main gate, Saturday, November 21: 212 scans until 22:00, 18 more than Friday by then',
    );
    expect(text).toContain('Busiest hour: 19:00 (122) (Friday: 17:00 (194))');
    expect(text).toContain('Busiest service: Gate A (120) (Friday: Gate B (90))');
    expect(text).toContain('Times in Europe/Berlin.');
  });

  it('a daily report’s message says how many people were inside, by each list', () => {
    const lists = [{ name: 'Main <hall>', inside: 1204, ins: 1320, outs: 116 }];
    const text = words({ ...saturday, places: { at: utc('2026-11-21T21:00'), lists } });
    expect(text).toContain('Main <hall>: 1,204 inside at 22:00, 1,320 in, 116 out');
    expect(words(saturday)).not.toContain('inside');
    const counting = lists.map((list) => ({ ...list, counting: true }));
    expect(words({ ...saturday, places: { at: utc('2026-11-21T21:00'), lists: counting } })).toContain(
      '116 out, still counting earlier scans',
    );
  });

  it('a daily report’s message names the most frequent reasons of refusals, and sums up the other reasons', () => {
    const text = words(saturday);
    expect(text).toContain('Not valid: 20 (Friday: 14)');
    expect(text).toContain('already used: 12 (Friday: 8)');
    expect(text).toContain('limit reached: 3 (Friday: 0)');
    expect(text).toContain('late, can’t be counted: 1 (Friday: 0)');
    expect(text).toContain('– 1 more reason: 1 (Friday: 6)');
    expect(text).not.toContain('One:');
  });

  it('a daily report’s message has a chart and a table of both days’ figures, which Slack accepts', () => {
    const { blocks } = reportMessage(report, saturday, { rich: true });
    expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
    const all = JSON.stringify(blocks);
    expect(all).toContain('"data_visualization"');
    expect(all).toContain('"text":"✅ Valid"},{"type":"raw_text","text":"190"},{"type":"raw_text","text":"180"}');
  });

  it('a daily report’s message says that there were no scans, and how many the day before', () => {
    const quiet = { ...saturday, figures: figuresOf([]), gate: undefined as never };
    expect(words(quiet)).toContain('No scans until 22:00; 194 on Friday by then');
    expect(words({ ...quiet, before: figuresOf([]) })).toContain('No scans until 22:00, as on Friday by then');
    expect(words(quiet)).not.toContain('See scans');
    expect(checkMessageBlocks(reportMessage(report, quiet, { rich: true }).blocks, systemRandom)).toMatchObject({
      ok: true,
    });
  });

  it('a daily report’s message compares its number of scans with the day before: as many, or fewer', () => {
    const day = (count: number) => ({ ...saturday, figures: figuresOf([['2026-11-21T17:00', count, 0, 0]]) });
    expect(words(day(194))).toContain('194 scans until 22:00, as many as on Friday by then');
    expect(words(day(193))).toContain('193 scans until 22:00, 1 fewer than Friday by then');
  });

  it('a daily report’s message says in words which figures are missing', () => {
    const { before: _, gateBefore: __, ...alone } = saturday;
    const text = words(
      {
        ...alone,
        gaps: { relaysOnly: true, knownTo: utc('2026-11-21T20:40'), keptSince: utc('2026-11-21T05:00'), late: 40 },
      },
      false,
      { missed: 2 },
    );
    expect(text).toContain('212 scans until 22:00');
    expect(text).not.toContain('more than');
    for (const note of [
      '2 reports before this one could not be posted in time.',
      'Only scans received by relays: the account’s own scans aren’t kept in Scandesk yet.',
      'The account’s scans are as of Nov 21, 21:40.',
      'Scans are kept since Nov 21, 06:00.',
      'Scans of Friday aren’t known in full, so there is no comparison.',
      'Not counted: 40 scans from earlier days that arrived on this day.',
    ]) {
      expect(text).toContain(note);
    }
  });

  it('Slack accepts a daily report’s message, whatever names and responses hold', () => {
    const texts = hostileText(200).filter((text) => text !== '');
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (name, reason, rich) => {
        const content: ReportContent = {
          ...saturday,
          of: { relay: { ...relay, serviceName: name } },
          figures: { ...saturday.figures, reasons: [{ of: { text: reason }, count: 20 }] },
          gate: { kind: 'device', name, scans: 1 },
        };
        const { blocks } = reportMessage(report, content, { rich });
        expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['relay', 'its relay was deleted'],
    ['search', 'its saved search was deleted'],
    ['connection', 'no account is connected'],
  ] as const)('a daily report tells its creator that its %s no longer exists, and the remedy', (missing, words) => {
    const { text, blocks } = missingMessage(report, missing);
    expect(checkMessageBlocks(blocks, systemRandom)).toMatchObject({ ok: true });
    expect(text).toContain(words);
    expect(read(blocks)).toMatch(new RegExp(`${words}.[^]*/scandesk reports`));
    expect(JSON.stringify(blocks)).toContain('"user_id":"U0ADA"');
  });
});
