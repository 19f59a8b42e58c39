/** The tool that says how many are inside and what is lent, as `/scandesk inside` and `/scandesk out` do. */
import { z } from 'zod';
import type { PlaceFigures } from '../../places/index.js';
import { outFacts } from '../../slack/lent/out-command.js';
import { outMessage } from '../../slack/lent/out-message.js';
import type { LentThing } from '../../slack/lent/things.js';
import { byName, gateNames } from '../../slack/places/gates.js';
import { insideMessage, listsNamed } from '../../slack/places/inside-command.js';
import { listedPlaces } from '../../slack/places/listed.js';
import { toolButton } from '../blocks.js';
import { tool } from '../tool.js';
import { certain, certainty, type Doubt, moment, momentShape } from '../wording.js';
import { lentData, lentDoubts, lentShape } from './lent-data.js';

const moves = { in: z.number(), out: z.number() };

export const insideNow = tool({
  name: 'inside_now',
  title: 'Inside now',
  description:
    'How many people or things are inside now by each list of the workspace, with the moves in and out since the day began and in the last hour, the peak, and each gate; and what is out (lent) as far as the person may see it, with its holder, when it is due, and whether it is overdue.',
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
    out: z
      .object({ ...certainty, total: z.number(), overdue: z.number(), things: lentShape })
      .optional()
      .describe('What is lent'),
    other_lists: z.array(z.string()).describe('The names of the lists that count who is inside and were not asked for'),
  }),
  async answer(context, { list: listName = '' }) {
    const { deps, actor } = context;
    const allLists = await listedPlaces(deps, actor.owner);
    const shownLists = listsNamed(allLists, listName);
    const [message, nameOf, facts] = await Promise.all([
      insideMessage(context, allLists, listName),
      gateNames(deps, actor.owner),
      outFacts(context),
    ]);
    const lentThings = listsNamed(facts.things, listName);
    const lentLists = listsNamed(facts.lists, listName);
    const showsOut = lentLists.length > 0;
    const showsInside = shownLists.length > 0 || !showsOut;
    const now = deps.clock.now();
    const lists = shownLists.map(({ list: { name }, figures }) => ({
      list: name,
      ...certain(now, doubtsOf(figures)),
      inside: figures.inside,
      in: figures.ins,
      out: figures.outs,
      since: moment(figures.since),
      last_hour: { in: figures.lastHour.ins, out: figures.lastHour.outs },
      peak: figures.peak && { inside: figures.peak.inside, at: moment(figures.peak.at) },
      gates: byName(figures.gates, nameOf).map((gate) => ({ gate: gate.name, in: gate.ins, out: gate.outs })),
    }));
    const otherListNames = allLists.filter((each) => !shownLists.includes(each)).map(({ list: { name } }) => name);
    const lentData = showsOut ? outData(lentThings, facts.counting, now) : undefined;
    return {
      data: { lists, out: lentData, other_lists: otherListNames },
      blocks: [
        ...(showsInside ? message.blocks : []),
        ...(lentData
          ? outMessage({ ...facts, things: lentThings, lists: lentLists }, { text: listName, page: 0 }).blocks
          : []),
        ...toolButton('Refresh', 'inside_now', listName === '' ? {} : { list: listName }),
      ],
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

function outData(things: readonly LentThing[], counting: boolean, now: number) {
  return {
    ...certain(now, lentDoubts(things, counting)),
    total: things.length,
    overdue: things.filter(({ isOverdue }) => isOverdue).length,
    things: lentData(things),
  };
}
