/** The tool that says how many are inside: the figures of `/scandesk inside`. */
import { z } from 'zod';
import { upperFirst } from '../../english.js';
import type { PlaceFigures } from '../../places/index.js';
import { byName, gateNames } from '../../slack/places/gates.js';
import { insideMessage, listsNamed } from '../../slack/places/inside-command.js';
import { listedPlaces } from '../../slack/places/listed.js';
import { toolButton } from '../blocks.js';
import { tool } from '../tool.js';
import { certain, certainty, certaintyText, type Doubt, described, moment, momentShape, quoted } from '../wording.js';

const moves = { in: z.number(), out: z.number() };

export const insideNow = tool({
  name: 'inside_now',
  title: 'Inside now',
  description:
    'How many people or things are inside now by each list of the workspace, with the moves in and out since the day began and in the last hour, the peak, and each gate.',
  input: z.object({
    list: z.string().min(1).max(100).optional().describe('The name of one list; without it, all lists'),
  }),
  output: z.object({
    lists: z.array(
      z.object({
        list: z.string(),
        ...certainty,
        inside: z.number(),
        ...moves,
        since: momentShape.describe('When the list began to count'),
        last_hour: z.object(moves),
        peak: z.object({ inside: z.number(), at: momentShape }).optional(),
        gates: z.array(z.object({ gate: z.string(), ...moves })),
      }),
    ),
    other_lists: z.array(z.string()).describe('The names of the lists that were not asked for'),
  }),
  async answer(context, { list: wanted = '' }) {
    const { deps, actor } = context;
    const all = await listedPlaces(deps, actor.owner);
    const shown = listsNamed(all, wanted);
    const [{ blocks }, nameOf] = await Promise.all([insideMessage(context, all, wanted), gateNames(deps, actor.owner)]);
    const now = deps.clock.now();
    const lists = shown.map(({ list: { name }, figures }) => ({
      list: name,
      ...certain(now, doubtsOf(figures)),
      ...{ inside: figures.inside, in: figures.ins, out: figures.outs, since: moment(figures.since) },
      last_hour: { in: figures.lastHour.ins, out: figures.lastHour.outs },
      ...(figures.peak ? { peak: { inside: figures.peak.inside, at: moment(figures.peak.at) } } : {}),
      gates: byName(figures.gates, nameOf).map((gate) => ({ gate: gate.name, in: gate.ins, out: gate.outs })),
    }));
    const others = all.filter((each) => !shown.includes(each)).map(({ list: { name } }) => name);
    const text = lists.map(
      ({ as_of, sure, why, ...each }) => `${upperFirst(described(each))}. ${certaintyText({ as_of, sure, why })}`,
    );
    const none = all.length === 0 ? 'No list counts who is inside yet.' : 'There is no list of that name.';
    return {
      data: { lists, other_lists: others },
      text: [
        ...(lists.length === 0 ? [none] : text),
        ...(others.length === 0 ? [] : [`Other lists: ${others.map(quoted).join(', ')}.`]),
      ].join('\n'),
      blocks: [...blocks, ...toolButton('Refresh', 'inside_now', wanted === '' ? {} : { list: wanted })],
    };
  },
});

function doubtsOf({ counting, outsAlone, insAgain }: PlaceFigures): readonly Doubt[] {
  return [
    ...(counting ? (['still_counting'] as const) : []),
    ...(outsAlone > 0 ? (['out_without_in'] as const) : []),
    ...(insAgain > 0 ? (['in_twice'] as const) : []),
  ];
}
