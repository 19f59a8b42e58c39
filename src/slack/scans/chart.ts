/** The chart of a search's totals by hour or day and result, and the same in words. Pure. */
import { DateTime } from 'luxon';
import { countOf } from '../../english.js';
import { resultWords } from '../../scans/result-words.js';
import { countIn, type SearchTotals } from '../../search/index.js';
import { barLabels, dayFormats, hourFormats, longHourFormats } from '../block-kit/bar-labels.js';
import type { Block } from '../block-kit/elements.js';

/** Slack's limit of categories in a chart. */
const mostCategories = 20;

export interface ChartInput {
  readonly totals: SearchTotals;
  readonly unit: 'hour' | 'day';
  readonly zone: string;
}

type Bucket = SearchTotals['buckets'][number];

const series = [
  ['valid', resultWords.valid],
  ['invalid', resultWords.invalid],
  ['other', resultWords.not_validated],
] as const;

/** The fewest scans with a chart: one of fewer says less than their list. */
const leastScans = 10;

/** The chart; none where there is nothing to compare: one bar says less than the totals. */
export function chartBlock({ totals, unit, zone }: ChartInput): Block | undefined {
  const { groups, size } = grouped(totals.buckets, unit, zone);
  if (groups.length < 2 || countIn(totals) < leastScans) {
    return undefined;
  }
  const shownSeries = series.filter(([key]) => totals[key] > 0);
  return {
    type: 'data_visualization',
    title: size === 1 ? `By ${unit}` : `${countOf(size, unit)} a bar`,
    chart: {
      type: 'bar',
      series: shownSeries.map(([key, name]) => ({
        name,
        data: groups.map((group) => ({ label: group.label, value: group[key] })),
      })),
      axis_config: { categories: groups.map(({ label }) => label) },
    },
  } as unknown as Block;
}

/** The busiest time in words: "Busiest hour: 14:00 (212)". */
export function busiestText({ totals, unit, zone }: ChartInput): string | undefined {
  const most = totals.buckets.toSorted((a, b) => countIn(b) - countIn(a))[0];
  if (!most || totals.buckets.length < 2 || countIn(totals) < leastScans) {
    return undefined;
  }
  return `Busiest ${unit}: ${barLabels([most.start], zone, unit === 'day' ? dayFormats : hourFormats)} (${countIn(most).toLocaleString('en-US')})`;
}

interface Group extends Omit<Bucket, 'start'> {
  readonly label: string;
}

const unitMs = { hour: 60 * 60_000, day: 24 * 60 * 60_000 } as const;

/**
 * The buckets from the first to the last, empty ones too; each holds `size` hours or days where there are too many. The
 * time between two buckets is divided, not walked: a stored search may span millennia.
 */
function grouped(
  buckets: readonly Bucket[],
  unit: 'hour' | 'day',
  zone: string,
): { readonly groups: readonly Group[]; readonly size: number } {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) {
    return { groups: [], size: 1 };
  }
  // The number of hours or days since the first: a day of a clock change is an hour shorter or longer.
  const unitsTo = ({ start }: Bucket) => Math.floor((start - first.start) / unitMs[unit] + (unit === 'day' ? 0.5 : 0));
  const count = unitsTo(last) + 1;
  const groupSize = Math.ceil(count / mostCategories);
  const beginning = DateTime.fromMillis(first.start, { zone });
  const starts = Array.from({ length: Math.ceil(count / groupSize) }, (_, n) =>
    beginning.plus({ [`${unit}s`]: n * groupSize }).toMillis(),
  );
  const days = count > 365 ? dayFormats.slice(1) : dayFormats;
  const formats = unit === 'day' ? days : count > 24 ? longHourFormats : hourFormats;
  const groups = barLabels(starts, zone, formats).map((label) => ({ label, valid: 0, invalid: 0, other: 0 }));
  for (const bucket of buckets) {
    const group = groups[Math.floor(unitsTo(bucket) / groupSize)];
    if (group) {
      group.valid += bucket.valid;
      group.invalid += bucket.invalid;
      group.other += bucket.other;
    }
  }
  return { groups, size: groupSize };
}
