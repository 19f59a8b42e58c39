/** The command `/scandesk limits`: the account's counters, for one call; the last known ones when none is left. */
import { retrieveLimits } from '../../codereadr/operations/index.js';
import { AccountError, type CallCounter, type CallsLeft } from '../../codereadr/types.js';
import type { Owner } from '../../ownership.js';
import { type Message, message } from '../block-kit/elements.js';
import { bold, type LinePart, momentAfter, richText } from '../block-kit/text.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import { accountOf } from './account.js';

export const limits: Subcommand = {
  name: 'limits',
  usage: 'limits',
  description: 'Show API calls left and when they reset',
  role: 'everyone',
  async run({ deps, actor, respond }) {
    await respond(limitsMessage(...(await readLimits(deps, actor.owner))));
  },
};

/** Reads the calls left, and whether they were used up. @throws SlackError `slack.not_connected`, AccountError */
export async function readLimits(
  deps: Parameters<typeof accountOf>[0],
  owner: Owner,
): Promise<readonly [left: CallsLeft, usedUp: boolean]> {
  const { client } = await accountOf(deps, owner);
  const usedUp = await client.call(retrieveLimits, {}).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AccountError && error.code === 'account.quota') return true;
      throw error;
    },
  );
  return [client.callsLeft(), usedUp];
}

/** `usedUp`: no call is left to read them, so the counters are the last known ones. */
export function limitsMessage({ minute, day }: CallsLeft, usedUp = false): Message {
  const lines = [line('This minute', minute, 'at {time_secs}'), line('Today', day, '{date_short_pretty} at {time}')];
  return message('API calls left for the whole account', [
    richText(
      [bold('API calls left for the whole account')],
      ...lines,
      ...(usedUp ? ['No API calls are left, so these are the last known numbers.'] : []),
    ),
  ]);
}

function line(periodText: string, counter: CallCounter, format: string): LinePart[] {
  const { left, limit, resetsAt } = counter;
  if (left === undefined) {
    return [`${periodText}: not reported by the account.`];
  }
  if (left === Number.POSITIVE_INFINITY) {
    return [`${periodText}: unlimited.`];
  }
  const limitText = limit === undefined || limit === Number.POSITIVE_INFINITY ? '' : ` of ${figure(limit)}`;
  return [
    `${periodText}: `,
    bold(`${figure(Math.max(0, left))}${limitText}`),
    '; ',
    momentAfter('resets ', resetsAt, format),
    '.',
  ];
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
