import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { checkMessageBlocks } from '../../../src/sandbox/slack/blocks/check.js';
import type { SearchTotals } from '../../../src/search/index.js';
import { chartBlock } from '../../../src/slack/scans/chart.js';

type Unit = 'hour' | 'day';
const utc = (text: string) => Date.parse(`${text}Z`);
const totalsOf = (starts: readonly number[]): SearchTotals => ({
  ...{ valid: starts.length * 10, invalid: 0, other: 0 },
  buckets: starts.map((start) => ({ start, valid: 10, invalid: 0, other: 0 })),
});

function drawn(starts: readonly number[], unit: Unit, zone: string) {
  const block = chartBlock({ totals: totalsOf(starts), unit, zone });
  expect(checkMessageBlocks(block ? [block] : [], systemRandom)).toMatchObject({ ok: true });
  const { chart, title } = block as unknown as {
    title: string;
    chart: { series: { data: { value: number }[] }[]; axis_config: { categories: string[] } };
  };
  return { labels: chart.axis_config.categories, values: chart.series[0]!.data.map(({ value }) => value / 10), title };
}

describe('the chart of a search', () => {
  it.each(['hour', 'day'] as const)(
    'a search’s chart by %s divides a span of millennia into 20 bars at most, in less than a second',
    (unit) => {
      const began = performance.now();
      const { labels, values } = drawn([utc('1970-01-01T00:00'), utc('9999-12-30T00:00')], unit, 'UTC');
      // 2,933,000 days, or 70 million hours: walking them takes minutes.
      expect(performance.now() - began).toBeLessThan(1_000);
      expect(labels.length).toBeLessThanOrEqual(20);
      expect(values.at(0)).toBe(1);
      expect(values.at(-1)).toBe(1);
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(2);
    },
  );

  it('a search’s chart has a bar for each day, also for empty days and days of a clock change', () => {
    const days = ['2026-03-26T23:00', '2026-03-27T23:00', '2026-03-29T22:00', '2026-03-30T22:00'].map(utc);
    expect(drawn(days, 'day', 'Europe/Berlin')).toEqual({
      title: 'By day',
      labels: ['Mar 27', 'Mar 28', 'Mar 29', 'Mar 30', 'Mar 31'],
      values: [1, 1, 0, 1, 1],
    });
    const autumn = ['2026-10-23T22:00', '2026-10-25T23:00'].map(utc);
    expect(drawn(autumn, 'day', 'Europe/Berlin').values).toEqual([1, 0, 1]);
  });

  it('a search’s chart has a bar for each hour, and two bars for an hour that clocks repeat', () => {
    const hours = ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T03:00'].map(utc);
    expect(drawn(hours, 'hour', 'Europe/Berlin')).toEqual({
      title: 'By hour',
      labels: ['01:00 +02:00', '02:00 +02:00', '02:00 +01:00', '03:00 +01:00', '04:00 +01:00'],
      values: [1, 1, 1, 0, 1],
    });
  });

  it('a search’s chart names the year where two bars would share a day', () => {
    const { labels } = drawn([utc('2024-03-01T00:00'), utc('2031-03-01T00:00')], 'day', 'UTC');
    expect(new Set(labels).size).toBe(labels.length);
    const years = Array.from({ length: 20 }, (_, n) => utc('2001-01-01T00:00') + n * 365 * 86_400_000);
    const { labels: yearly } = drawn(years, 'day', 'UTC');
    expect(new Set(yearly).size).toBe(yearly.length);
    expect(yearly[0]).toBe('Jan 1, 2001');
  });

  it('a search’s chart joins several days in one bar where there are more than 20 days, and loses no day', () => {
    const days = Array.from({ length: 41 }, (_, n) => utc('2026-01-01T00:00') + n * 86_400_000);
    const { labels, values, title } = drawn(days, 'day', 'UTC');
    expect(title).toBe('3 days a bar');
    expect(labels.slice(0, 2)).toEqual(['Jan 1', 'Jan 4']);
    expect(values).toEqual([...Array(13).fill(3), 2]);
  });

  it('a search’s chart is shown from ten scans on', () => {
    const buckets = [5, 4].map((valid, n) => ({
      start: utc('2026-01-01T00:00') + n * 3_600_000,
      valid,
      invalid: 0,
      other: 0,
    }));
    const chart = (valid: number) =>
      chartBlock({ totals: { valid, invalid: 0, other: 0, buckets }, unit: 'hour', zone: 'UTC' });
    expect(chart(9)).toBeUndefined();
    expect(chart(10)).toBeDefined();
  });
});
