/**
 * App Home's section on today's scans: how many of each result, and a bar for each hour. Slack's chart block is for
 * messages alone, so the bars are text. Pure.
 */
import { countOf } from '../../../english.js';
import { type CountedHour, type CountedResult, countedResults } from '../../../lookup/index.js';
import { resultInText } from '../../../scans/result-words.js';
import { barLabels, hourFormats } from '../../block-kit/bar-labels.js';
import { signs } from '../../block-kit/describe-result.js';
import type { Block } from '../../block-kit/elements.js';
import { scansAsOf } from '../../block-kit/scans-as-of.js';
import { bold, preformatted, richText } from '../../block-kit/text.js';
import type { Today } from '../facts.js';

/** The longest bar, in characters: with its label and count, the line fits a phone. */
const longestBar = 16;
/** The most bars: of more hours, several share one. */
const mostBars = 12;

const labels: Readonly<Record<CountedResult, string>> = {
  valid: `${signs.valid} {} ${resultInText('valid')}`,
  used: `${signs.used} {} ${resultInText('used')}`,
  invalid: `${signs.invalid} {} ${resultInText('invalid')}`,
  unchecked: `${signs.absent} {} ${resultInText('not_validated')}`,
};

export function todayBlocks(today: Today): Block[] {
  return [...figures(today), richText(...scansAsOf({ ...today, from: today.hours[0]?.from }))];
}

function figures({ hours, zone, isOwnZone }: Today): Block[] {
  const title = bold(isOwnZone ? 'Today' : `Today (${zone})`);
  const total = scansIn(hours);
  if (total === 0) {
    return [richText([title], 'No scans yet.')];
  }
  const results = countedResults.flatMap((result) => {
    const count = hours.reduce((sum, hour) => sum + hour.results[result], 0);
    return count === 0 ? [] : [labels[result].replace('{}', count.toLocaleString('en-US'))];
  });
  return [
    richText([title, ` · ${countOf(total, 'scan')}`], results.join('   ')),
    preformatted(barsOf(hours, zone).join('\n')),
  ];
}

function scansIn(hours: readonly CountedHour[]): number {
  return hours.flatMap(({ results }) => countedResults.map((result) => results[result])).reduce((a, b) => a + b, 0);
}

/** A bar for each hour, or for a few, from the first with scans on: `10:00 ████████ 42`. */
function barsOf(hours: readonly CountedHour[], zone: string): string[] {
  const firstHour = hours.findIndex((hour) => scansIn([hour]) > 0);
  const shownHours = hours.slice(firstHour);
  const step = Math.ceil(shownHours.length / mostBars);
  const bars = shownHours.flatMap(({ from }, at) =>
    at % step === 0 ? [{ from, scans: scansIn(shownHours.slice(at, at + step)) }] : [],
  );
  const most = Math.max(...bars.map(({ scans }) => scans));
  const labels = barLabels(
    bars.map(({ from }) => from),
    zone,
    hourFormats,
  );
  return bars.map(({ scans }, at) => {
    const bar = '█'.repeat(scans === 0 ? 0 : Math.max(1, Math.round((scans / most) * longestBar)));
    return `${labels[at]} ${bar}${bar === '' ? '' : ' '}${scans.toLocaleString('en-US')}`;
  });
}
