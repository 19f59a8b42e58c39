/** The chart of a search's totals by hour or day and result, and the same in words. Pure. */
import { DateTime } from 'luxon';
import type { SearchTotals } from '../../lookup/index.js';
import type { Block } from '../block-kit/elements.js';

/** Slack's limit. */
const mostCategories = 20;

export interface ChartInput {
  readonly totals: SearchTotals;
  readonly unit: 'hour' | 'day';
  readonly zone: string;
}

type Bucket = SearchTotals['buckets'][number];

const series = [
  ['valid', 'Valid'],
  ['invalid', 'Not valid'],
  ['other', 'Not checked'],
] as const;

/** None where there is nothing to compare: a chart of one bar says less than the totals. */
export function chartBlock({ totals, unit, zone }: ChartInput): Block | undefined {
  const groups = grouped(totals.buckets, unit, zone);
  if (groups.length < 2) {
    return undefined;
  }
  const shown = series.filter(([key]) => totals[key] > 0);
  return {
    type: 'data_visualization',
    title: unit === 'hour' ? 'Scans by hour' : 'Scans by day',
    chart: {
      type: 'bar',
      series: shown.map(([key, name]) => ({
        name,
        data: groups.map((group) => ({ label: group.label, value: group[key] })),
      })),
      axis_config: { categories: groups.map(({ label }) => label) },
    },
  } as unknown as Block;
}

/** "Busiest: 14:00 (212 scans)." */
export function busiestText({ totals, unit, zone }: ChartInput): string | undefined {
  const most = totals.buckets.toSorted((a, b) => countOf(b) - countOf(a))[0];
  if (!most || totals.buckets.length < 2) {
    return undefined;
  }
  return `Busiest ${unit}: ${labelOf(most.start, unit, zone)} (${countOf(most).toLocaleString('en-US')})`;
}

interface Group extends Omit<Bucket, 'start'> {
  readonly label: string;
}

/** One after the other from the first to the last, empty ones too; several in one where there are too many. */
function grouped(buckets: readonly Bucket[], unit: 'hour' | 'day', zone: string): readonly Group[] {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) {
    return [];
  }
  const starts: number[] = [];
  for (
    let at = DateTime.fromMillis(first.start, { zone });
    at.toMillis() <= last.start;
    at = at.plus({ [`${unit}s`]: 1 })
  ) {
    starts.push(at.toMillis());
  }
  const size = Math.ceil(starts.length / mostCategories);
  return Array.from({ length: Math.ceil(starts.length / size) }, (_, n) => {
    const from = starts[n * size] ?? 0;
    const to = starts[(n + 1) * size] ?? Number.POSITIVE_INFINITY;
    const some = buckets.filter(({ start }) => start >= from && start < to);
    const sum = (key: 'valid' | 'invalid' | 'other') => some.reduce((total, each) => total + each[key], 0);
    return {
      label: labelOf(from, unit, zone, starts.length > 24),
      valid: sum('valid'),
      invalid: sum('invalid'),
      other: sum('other'),
    };
  });
}

function labelOf(at: number, unit: 'hour' | 'day', zone: string, isLong = false): string {
  const time = DateTime.fromMillis(at, { zone, locale: 'en-US' });
  return time.toFormat(unit === 'day' ? 'LLL d' : isLong ? 'ccc HH:mm' : 'HH:mm');
}

function countOf({ valid, invalid, other }: Omit<Bucket, 'start'>): number {
  return valid + invalid + other;
}
