/** The tool with today's scans, as App Home counts them, and the calls that are left, as `/scandesk limits` reads them. */
import { z } from 'zod';
import { type CountedResult, countedResults, type ResultCounts, type ScansKnown } from '../../lookup/index.js';
import { limitsMessage, readLimits } from '../../slack/connection/limits-command.js';
import { countToday } from '../../slack/home/load-facts.js';
import { todayBlocks } from '../../slack/home/sections/today.js';
import { toolButton } from '../blocks.js';
import { tool } from '../tool.js';
import { certain, certainty, type Doubt, moment, momentShape } from '../wording.js';

const counter = z.object({
  left: z.number().optional().describe('Absent: not known, or unlimited'),
  unlimited: z.boolean(),
  resets_at: momentShape,
});
const counts = { valid: z.number(), already_used: z.number(), not_valid: z.number(), not_checked: z.number() };

export const todaysFigures = tool({
  name: 'todays_figures',
  title: 'Today’s figures',
  description:
    'How many scans there were today of each result and in each hour, and how many calls of the scanning account are left this minute and today.',
  input: z.object({}),
  output: z.object({
    ...certainty,
    zone: z.string().describe('Today is a day of this time zone'),
    today: z.object(counts).optional().describe('Absent where the scans could not be counted'),
    hours: z.array(z.object({ from: momentShape, ...counts })),
    calls_left: z.object({ ...certainty, minute: counter, day: counter }),
  }),
  async answer(context) {
    const { deps, actor, person } = context;
    const [today, [callsLeft, usedUp]] = await Promise.all([
      countToday(deps, actor.owner, person.zone),
      readLimits(deps, actor.owner),
    ]);
    const hours = (today?.hours ?? []).map(({ from, results }) => ({ from: moment(from), ...countsOf(results) }));
    const totalOf = (result: CountedResult) =>
      (today?.hours ?? []).reduce((sum, hour) => sum + hour.results[result], 0);
    const total = today && (Object.fromEntries(countedResults.map((each) => [each, totalOf(each)])) as ResultCounts);
    return {
      data: {
        ...certain(today?.copy?.at ?? today?.askedAt ?? deps.clock.now(), doubtsOf(today)),
        zone: today?.zone ?? person.zone ?? 'UTC',
        today: total && countsOf(total),
        hours,
        calls_left: {
          ...certain(deps.clock.now(), usedUp ? ['limits_not_read'] : []),
          minute: counterOf(callsLeft.minute),
          day: counterOf(callsLeft.day),
        },
      },
      blocks: [
        ...(today ? todayBlocks(today) : []),
        ...limitsMessage(callsLeft, usedUp).blocks,
        ...toolButton('Refresh', 'todays_figures', {}),
      ],
    };
  },
});

function doubtsOf(today: ScansKnown | undefined): readonly Doubt[] {
  return today === undefined ? ['account_failed'] : today.copy ? [] : ['account_not_copied'];
}

function countsOf({ valid, used, invalid, unchecked }: ResultCounts) {
  return { valid, already_used: used, not_valid: invalid, not_checked: unchecked };
}

function counterOf({ left, resetsAt }: { readonly left: number | undefined; readonly resetsAt: number }) {
  const isKnown = left !== undefined && Number.isFinite(left);
  return {
    left: isKnown ? Math.max(0, left) : undefined,
    unlimited: left === Number.POSITIVE_INFINITY,
    resets_at: moment(resetsAt),
  };
}
