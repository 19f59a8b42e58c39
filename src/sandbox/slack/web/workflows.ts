/**
 * Workflows that start from a webhook, one for each seeded team. Their trigger takes flat texts, exactly the variables
 * that it declares; the one step of a workflow posts them in a channel.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Core } from '../core.js';
import { contentType, readBody, sendJson } from '../http.js';
import { putMessage } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import { workflows } from '../world/seed.js';
import type { Calls } from './calls.js';
import { isWorkedOn, playFault, takeFault } from './faults.js';
import type { Limits } from './limits.js';

export const triggersPath = '/triggers/';
/** The name of a workflow's start in the log of calls, and in faults. */
const method = 'workflow_trigger';
const texts = z.record(z.string(), z.string());

/** The path of the team's trigger; it stays the same after a restart. */
export function triggerPath({ clientSecret }: Pick<Core, 'clientSecret'>, team: string): string {
  return `${triggersPath}${team}/8160315742931/${hash('sha256', `${clientSecret}:${team}`, 'hex').slice(0, 32)}`;
}

export function createTriggerHandler(core: Core, limits: Limits, calls: Calls) {
  const start = (path: string, type: string, body: string): void => {
    const workflow = workflows.find(({ team }) => triggerPath(core, team) === path);
    if (!workflow) {
      throw new SlackRefusal('trigger_not_found');
    }
    if (core.rules.methodTiers) {
      limits.take(path, 60, 10);
    }
    const givenInputs = type === 'application/json' ? texts.safeParse(readJson(body)).data : undefined;
    if (!givenInputs || Object.keys(givenInputs).sort().join() !== [...workflow.variables].sort().join()) {
      throw new SlackRefusal('invalid_input');
    }
    const lines = Object.entries(givenInputs).map(([name, text]) => `\n${name}: ${text}`);
    const elements = [
      { type: 'text', text: `${workflow.name} was started`, style: { bold: true } },
      { type: 'text', text: lines.join('') },
    ];
    putMessage(core, {
      channel: workflow.channel,
      user: 'USLACKBOT',
      from_app: workflow.name,
      text: `${workflow.name} was started`,
      blocks: [{ type: 'rich_text', block_id: 'workflow', elements: [{ type: 'rich_text_section', elements }] }],
    });
  };

  return async (req: IncomingMessage, res: ServerResponse, path: string): Promise<void> => {
    const body = (await readBody(req)).toString('utf8');
    const fault = takeFault(core.rules, method);
    const record = (error?: string) => calls.add({ method, error, body: { variables: body } });
    if (fault && !isWorkedOn(fault)) {
      record(playFault(fault, res));
      return;
    }
    try {
      start(path, contentType(req), body);
    } catch (thrown) {
      if (!(thrown instanceof SlackRefusal)) {
        throw thrown;
      }
      const { error, retryAfter } = thrown;
      record(error);
      const status = retryAfter !== undefined ? 429 : error === 'trigger_not_found' ? 404 : 400;
      sendJson(res, status, { ok: false, error }, retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` });
      return;
    }
    record();
    if (fault?.as === 'die') {
      res.socket?.destroy();
      return;
    }
    await core.clock.sleep(fault?.delayMs ?? 0);
    sendJson(res, 200, { ok: true });
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
