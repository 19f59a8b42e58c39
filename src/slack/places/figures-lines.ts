/** The figures of a list in words, the same on every surface. Pure. */
import { countOf } from '../../english.js';
import type { PlaceFigures } from '../../places/index.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, type LinePart, momentAfter } from '../block-kit/text.js';
import { stillCounting } from '../lent/thing-lines.js';
import { byName, type GateName, type NamedGate } from './gates.js';

const gatesShown = 10;

/** How many are inside: "1,204 inside". */
export function insideText({ inside }: Pick<PlaceFigures, 'inside'>): string {
  return `${inside.toLocaleString('en-US')} inside`;
}

/** A list in one line: "Main hall · 1,204 inside · 80% of 1,500", and whether scans are still being counted. */
export function headText(name: string, figures: PlaceFigures, capacity?: number): string {
  const share = Math.floor((figures.inside / (capacity ?? 1)) * 100);
  if (isUncounted(figures)) {
    return `${shortName(name)} · ${stillCounting}`;
  }
  return [
    shortName(name),
    insideText(figures),
    ...(capacity === undefined ? [] : [`${share}% of ${capacity.toLocaleString('en-US')}`]),
    ...(figures.counting ? [stillCounting] : []),
  ].join(' · ');
}

/** Whether nothing was counted yet: no figure says anything. */
const isUncounted = ({ counting, ins, outs }: PlaceFigures) => counting && ins + outs === 0;

export const headLine = (...list: Parameters<typeof headText>): LinePart[] => [bold(headText(...list))];

type Moves = Pick<PlaceFigures, 'ins' | 'outs'>;

/** How many came and went: "1,320 in, 116 out". */
export const movesText = ({ ins, outs }: Moves) =>
  `${ins.toLocaleString('en-US')} in, ${outs.toLocaleString('en-US')} out`;

export function figureLines(
  listName: string,
  figures: PlaceFigures,
  nameOf: GateName,
  { capacity, withGates = true }: { readonly capacity?: number | undefined; readonly withGates?: boolean } = {},
): readonly LinePart[][] {
  const { peak, since, lastHour, outsAlone, insAgain } = figures;
  const named = byName(figures.gates, nameOf);
  const only = onlyGate(named, figures);
  const gates = withGates && !only ? named : [];
  const gatesLeft = gates.length - gatesShown;
  const isNew = figures.ins + figures.outs > 0 && isSame(lastHour, figures);
  if (isUncounted(figures)) {
    return [headLine(listName, figures, capacity)];
  }
  return [
    headLine(listName, figures, capacity),
    ...(isNew ? [] : [[`Last hour: ${movesText(lastHour)}`]]),
    [
      `${only ? `${shortName(only.name)}: ` : ''}${movesText(figures)}`,
      momentAfter(' since ', since),
      ...(isNew ? [', all in the last hour'] : []),
      ...(peak ? [momentAfter(` · peak ${peak.inside.toLocaleString('en-US')} at `, peak.at, '{time}')] : []),
    ],
    ...gates.slice(0, gatesShown).map((gate) => [`– ${shortName(gate.name)}: ${movesText(gate)}`]),
    ...(gatesLeft > 0 ? [[`– and ${countOf(gatesLeft, 'more gate')}`]] : []),
    ...oddLines({ outsAlone, insAgain }).map((line) => [line]),
  ];
}

const isSame = (one: Moves, other: Moves) => one.ins === other.ins && one.outs === other.outs;

/** The gate through which everybody came and went: its figures are the list's. */
export function onlyGate([gate, ...others]: readonly NamedGate[], figures: Moves): NamedGate | undefined {
  return gate && others.length === 0 && isSame(gate, figures) ? gate : undefined;
}

/** The lines that explain figures which would look wrong. */
export function oddLines(
  { outsAlone, insAgain }: Pick<PlaceFigures, 'outsAlone' | 'insAgain'>,
  isLent = false,
): readonly string[] {
  const [out, there] = isLent
    ? ['a thing that was out already', 'a thing that was not out']
    : ['a barcode that was not inside', 'a barcode that was inside already'];
  return [
    ...(outsAlone > 0 ? [`⚠️ ${countOf(outsAlone, 'scan')} out of ${out}`] : []),
    ...(insAgain > 0 ? [`⚠️ ${countOf(insAgain, 'scan')} in of ${there}`] : []),
  ];
}
