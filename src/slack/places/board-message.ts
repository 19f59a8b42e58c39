/** The message of a board: how many are inside now, by gate and since the last reset. Pure. */
import { countOf } from '../../english.js';
import type { BoardContent, PlaceCourse } from '../../places/index.js';
import { barLabels, hourFormats, longHourFormats } from '../block-kit/bar-labels.js';
import { type Block, type Message, message, tableBlock } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { escaped, momentAfter, richText } from '../block-kit/text.js';
import { figureLines, headText, onlyGate } from './figures-lines.js';
import { byName, type GateName } from './gates.js';

const gatesShown = 20;

/** The board's message. `rich`: with Slack's table and chart; otherwise in words. `now`: when the figures were read. */
export function boardMessage(
  content: BoardContent,
  nameOf: GateName,
  { rich, now }: { readonly rich: boolean; readonly now: number },
): Message {
  const { name, zone, capacity, figures, course } = content;
  const lines = figureLines(name, figures, nameOf, { capacity, withGates: !rich });
  const charts = rich ? chart(course, zone) : [];
  return message(escaped(headText(name, figures, capacity)), [
    richText(...lines),
    ...(rich ? gateTable(content, nameOf) : []),
    ...charts,
    richText([
      ...(charts.length > 0 ? [`Times in the chart: ${zone}. `] : []),
      momentAfter('This message updates itself. Last change: ', now, '{time_secs}'),
    ]),
  ]);
}

function gateTable({ figures }: BoardContent, nameOf: GateName): Block[] {
  const named = byName(figures.gates, nameOf);
  const gates = onlyGate(named, figures) ? [] : named;
  const gatesLeft = gates.length - gatesShown;
  const number = (count: number) => count.toLocaleString('en-US');
  return gates.length === 0
    ? []
    : [
        tableBlock(
          ['Gate', 'In', 'Out'],
          gates.slice(0, gatesShown).map((gate) => [shortName(gate.name), number(gate.ins), number(gate.outs)]),
        ),
        ...(gatesLeft > 0 ? [richText(`and ${countOf(gatesLeft, 'more gate')}`)] : []),
      ];
}

/** The chart since the last reset; none for a single bar, which says less than the peak. */
function chart(course: PlaceCourse | undefined, zone: string): Block[] {
  if (!course || course.most.length < 2) {
    return [];
  }
  const { from, hours, most } = course;
  const isLong = most.length * hours > 24;
  const starts = most.map((_, part) => from + part * hours * 3_600_000);
  const labels = barLabels(starts, zone, isLong ? longHourFormats.slice(1) : hourFormats);
  return [
    {
      type: 'data_visualization',
      title: `Most inside, ${hours === 1 ? 'one hour' : countOf(hours, 'hour')} a bar`,
      chart: {
        type: 'bar',
        series: [{ name: 'Inside', data: most.map((value, part) => ({ label: labels[part], value })) }],
        axis_config: { categories: labels },
      },
    } as unknown as Block,
  ];
}
