/**
 * data_visualization as plain SVG (pie, bar, line, area), with its figures in a table for screen readers.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
 */
import { el, freshId, svg } from '../dom.js';
import { type Json, num, record, records, str, strings } from '../json.js';

const width = 520;
const height = 220;
const colours = 6;

interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

function legend(names: readonly string[]): HTMLElement {
  const items = names.map((name, index) =>
    el('li', {}, el('span', { class: `legend-mark series-${index % colours}` }), name),
  );
  return el('ul', { class: 'legend' }, ...items);
}

function figures(head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  return el(
    'table',
    { class: 'for-readers' },
    el('thead', {}, el('tr', {}, ...head.map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((text) => el('td', {}, text))))),
  );
}

function pie(chart: Json): Node[] {
  const segments = records(chart, 'segments').map((one) => ({
    label: str(one, 'label') ?? '',
    value: Math.max(0, num(one, 'value') ?? 0),
  }));
  const total = segments.reduce((sum, one) => sum + one.value, 0) || 1;
  const drawing = svg('svg', { viewBox: '-105 -105 210 210', class: 'chart chart-pie', 'aria-hidden': 'true' });
  let from = 0;
  segments.forEach((segment, index) => {
    const share = segment.value / total;
    const to = from + share;
    const point = (turn: number): string =>
      `${(100 * Math.sin(turn * 2 * Math.PI)).toFixed(2)} ${(-100 * Math.cos(turn * 2 * Math.PI)).toFixed(2)}`;
    const shape =
      share > 0.9999
        ? svg('circle', { r: 100, class: `series-${index % colours}` })
        : svg('path', {
            d: `M 0 0 L ${point(from)} A 100 100 0 ${share > 0.5 ? 1 : 0} 1 ${point(to)} Z`,
            class: `series-${index % colours}`,
          });
    if (share > 0) drawing.append(shape);
    from = to;
  });
  const percent = (value: number): string => `${Math.round((value / total) * 100)} %`;
  return [
    el(
      'div',
      { class: 'pie-row' },
      drawing,
      legend(segments.map((one) => `${one.label}: ${one.value} (${percent(one.value)})`)),
    ),
    figures(
      ['Label', 'Value'],
      segments.map((one) => [one.label, String(one.value)]),
    ),
  ];
}

/** Round steps (1, 2, 5 times a power of ten) that cover the values and zero; whole ones for whole values. */
function steps(values: readonly number[]): readonly number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const least = values.every(Number.isInteger) ? 1 : 0;
  const rough = Math.max(least, (high - low || 1) / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const marks: number[] = [];
  for (let at = Math.floor(low / step); at <= Math.ceil(high / step); at++) marks.push(at * step);
  return marks;
}

function shortNumber(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en-US');
}

function axisChart(chart: Json): Node[] {
  const axis = record(chart, 'axis_config');
  const allSeries = records(chart, 'series');
  const axisNames = strings(axis, 'categories');
  const categories =
    axisNames.length > 0 ? axisNames : records(allSeries[0], 'data').map((point) => str(point, 'label') ?? '');
  const series: Series[] = allSeries.map((one) => {
    const points = new Map(records(one, 'data').map((point) => [str(point, 'label'), num(point, 'value')]));
    return { name: str(one, 'name') ?? '', values: categories.map((category) => points.get(category)) };
  });
  const values = series.flatMap((one) => one.values).filter((value) => value !== undefined);
  const marks = steps(values);
  const low = marks[0] ?? 0;
  const high = marks.at(-1) ?? 1;
  const left = 52;
  const bottom = height - 26;
  const y = (value: number): number => 10 + ((high - value) / (high - low || 1)) * (bottom - 10);
  const slot = (width - left - 8) / Math.max(1, categories.length);
  const middle = (column: number): number => left + slot * (column + 0.5);
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', 'aria-hidden': 'true' });
  for (const mark of marks) {
    drawing.append(
      svg('line', { x1: left, x2: width - 8, y1: y(mark), y2: y(mark), class: mark === 0 ? 'axis' : 'grid' }),
      svg('text', { x: left - 6, y: y(mark) + 4, class: 'tick tick-y' }, shortNumber(mark)),
    );
  }
  const labelStep = Math.ceil(categories.length / 10);
  categories.forEach((category, column) => {
    if (column % labelStep !== 0) return;
    const short = category.length > 12 ? `${category.slice(0, 11)}…` : category;
    drawing.append(svg('text', { x: middle(column), y: height - 8, class: 'tick tick-x' }, short));
  });
  series.forEach((one, index) => {
    const paint = `series-${index % colours}`;
    if (chart.type === 'bar') {
      const bar = (slot * 0.7) / Math.max(1, series.length);
      one.values.forEach((value, column) => {
        if (value === undefined) return;
        const x = middle(column) - slot * 0.35 + bar * index;
        const top = Math.min(y(value), y(0));
        drawing.append(
          svg('rect', { x, y: top, width: Math.max(1, bar - 1), height: Math.abs(y(value) - y(0)), class: paint }),
        );
      });
      return;
    }
    const points = one.values.flatMap((value, column) =>
      value === undefined ? [] : [`${middle(column).toFixed(1)},${y(value).toFixed(1)}`],
    );
    if (chart.type === 'area' && points.length > 0) {
      const first = points[0]?.split(',')[0];
      const last = points.at(-1)?.split(',')[0];
      drawing.append(
        svg('polygon', { points: `${first},${y(0)} ${points.join(' ')} ${last},${y(0)}`, class: `area ${paint}` }),
      );
    }
    drawing.append(svg('polyline', { points: points.join(' '), class: `line ${paint}` }));
    if (chart.type === 'line' || points.length === 1) {
      for (const point of points) {
        const [cx, cy] = point.split(',');
        drawing.append(svg('circle', { cx, cy, r: 3, class: paint }));
      }
    }
  });
  const labels = [str(axis, 'y_label'), str(axis, 'x_label')].filter((label) => label !== undefined);
  return [
    drawing,
    labels.length > 0 && el('div', { class: 'muted axis-labels' }, labels.join(' by ')),
    series.length > 0 && legend(series.map((one) => one.name)),
    figures(
      ['', ...series.map((one) => one.name)],
      categories.map((category, column) => [
        category,
        ...series.map((one) => (one.values[column] === undefined ? '' : String(one.values[column]))),
      ]),
    ),
  ].filter((node) => node !== false);
}

export function drawChart(block: Json): HTMLElement {
  const chart = record(block, 'chart') ?? {};
  const titleId = freshId('chart');
  const box = el('figure', { class: 'chart-box', 'aria-labelledby': titleId });
  box.append(el('figcaption', { id: titleId }, str(block, 'title') ?? ''));
  if (chart.type === 'pie') box.append(...pie(chart));
  else if (chart.type === 'bar' || chart.type === 'line' || chart.type === 'area') box.append(...axisChart(chart));
  else box.append(el('span', { class: 'cannot' }, `can’t show a ${String(chart.type)} chart`));
  return box;
}
