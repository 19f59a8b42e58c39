import { describe, expect, it } from 'vitest';
import type { BoardContent } from '../../../src/places/index.js';
import { boardMessage } from '../../../src/slack/places/board-message.js';
import { read } from '../block-kit/reading.js';

const evening = Date.UTC(2026, 2, 1, 18);
const content = (most: readonly number[], hours = 1): BoardContent => ({
  ...{ name: 'Main <hall>', zone: 'Europe/Berlin', capacity: 1_500 },
  figures: {
    ...{ inside: 1_204, ins: 1_320, outs: 116, outsAlone: 0, insAgain: 0, lastHour: { ins: 30, outs: 4 } },
    peak: { inside: 1_310, at: evening },
    gates: [
      { gate: 'g1', ins: 1_000, outs: 16 },
      { gate: 'g2', ins: 320, outs: 100 },
    ],
    ...{ since: evening - 3_600_000, counting: false },
  },
  course: { from: evening, hours, most },
});
const named = (gate: string) => (gate === 'g1' ? 'Gate A' : 'Gate B');
const draw = (of: BoardContent, rich: boolean) => boardMessage(of, named, { rich, now: evening });
interface Chart {
  readonly type: string;
  readonly chart: { readonly series: readonly { data: readonly { label: string; value: number }[] }[] };
}
const chartOf = (of: BoardContent) =>
  (draw(of, true).blocks as unknown as readonly Chart[]).find(({ type }) => type === 'data_visualization');

describe('the message of a board', () => {
  it('a board shows how many are inside, the share of the capacity, the last hour, the peak and the gates', () => {
    const { text, blocks } = draw(content([10, 20]), true);
    expect(text).toBe('Main &lt;hall&gt; · 1,204 inside · 80% of 1,500');
    expect(read(blocks)).toContain('1,320 in, 116 out');
    expect(read(blocks)).toContain('peak 1,310 at');
    expect(read(blocks)).toContain('Last hour: 30 in, 4 out');
    expect(JSON.stringify(blocks)).toContain('"type":"table"');
    expect(JSON.stringify(blocks)).toContain('"Gate A"');
  });

  it('a board shows its figures in words where Slack accepts no table', () => {
    const { blocks } = draw(content([10, 20]), false);
    expect(blocks.every(({ type }) => type === 'rich_text')).toBe(true);
    expect(read(blocks)).not.toContain('Times in the chart');
    expect(read(blocks)).toContain('– Gate A: 1,000 in, 16 out');
  });

  it.each([
    ['of several hours', [10, 1_310, 1_204], 1, ['19:00', '20:00', '21:00']],
    ['of several days', [10, 1_310], 24, ['Mar 1 19:00', 'Mar 2 19:00']],
  ] as const)('a board’s chart %s has one series, with a label for each hour or day', (_, most, hours, labels) => {
    const chart = chartOf(content(most, hours));
    expect(chart?.chart.series).toHaveLength(1);
    expect(chart?.chart.series[0]?.data).toEqual(labels.map((label, n) => ({ label, value: most[n] })));
    // Its other times are in the reader's own zone.
    expect(read(draw(content(most, hours), true).blocks)).toContain('Times in the chart: Europe/Berlin.');
  });

  it('a board of a list of which nothing was counted yet has no figures, which would be 0', () => {
    const none = { inside: 0, ins: 0, outs: 0, outsAlone: 0, insAgain: 0, lastHour: { ins: 0, outs: 0 } };
    const figures = { ...none, gates: [], since: evening, counting: true };
    const { text, blocks } = draw({ ...content([]), figures }, true);
    expect(text).toBe('Main &lt;hall&gt; · still counting earlier scans');
    expect(read(blocks)).not.toContain('0 in');
  });

  it('a board of which all figures are of one gate says them once, in words and beside the chart', () => {
    const { figures, ...rest } = content([10, 20]);
    const gates = [{ gate: 'g1', ins: figures.ins, outs: figures.outs }];
    for (const rich of [true, false]) {
      const { blocks } = draw({ ...rest, figures: { ...figures, gates } }, rich);
      expect(read(blocks)).toContain('Gate A: 1,320 in, 116 out since');
      expect(JSON.stringify(blocks).match(/Gate A/g)).toHaveLength(1);
    }
  });

  it('a board has no chart of a single hour', () => {
    expect(chartOf(content([10]))).toBeUndefined();
  });
});
