/** Responses that the app posts to a response_url or returns from a command. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { ResponseTarget } from '../app/response-urls.js';
import type { Core } from '../core.js';
import { contentType, readBody, send, sendJson } from '../http.js';
import { changeMessage, removeMessage, sayAsApp } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import type { MessageRecord } from '../world/records.js';
import { bool, stamp, str } from './args.js';
import type { Calls } from './calls.js';
import { judgeContent } from './content.js';
import { isWorkedOn, playFault, takeFault } from './faults.js';

const schema = z.strictObject({
  text: str.optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: bool.optional(),
  delete_original: bool.optional(),
  thread_ts: stamp.optional(),
  unfurl_links: bool.optional(),
  unfurl_media: bool.optional(),
  mrkdwn: bool.optional(),
});

type Response = z.output<typeof schema>;

/**
 * Applies a response. Only a click's URL can replace or delete; with any other, Slack posts another message. A click's
 * URL replaces only if `replace_original` says so; Slack's default has been both, so an app should always set it.
 * @throws SlackRefusal as chat.postMessage, and invalid_payload, message_not_found
 */
export function respond(core: Core, target: ResponseTarget, body: unknown): void {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    throw new SlackRefusal('invalid_payload');
  }
  const response: Response = parsed.data;
  const original =
    target.kind === 'click' && target.message ? core.world.message(target.channel, target.message.ts) : undefined;
  if (target.kind === 'click' && (response.delete_original || response.replace_original)) {
    if (!original) {
      throw new SlackRefusal('message_not_found');
    }
    if (response.delete_original) {
      removeMessage(core, original);
      return;
    }
    replace(core, target.team, original, response);
    return;
  }
  post(core, target, response);
}

function replace(core: Core, team: string, original: MessageRecord, response: Response): void {
  const { blocks: _, attachments: __, ...rest } = original;
  changeMessage(core, {
    ...rest,
    ...judgeContent(core, team, response),
    edited: { user: original.user, ts: core.world.stamp() },
  });
}

function post(core: Core, target: ResponseTarget, response: Response): void {
  const team = core.world.team(target.team)!;
  const channel = core.world.channel(target.channel)!;
  const content = judgeContent(core, team.id, response);
  if (channel.is_archived) {
    throw new SlackRefusal('is_archived');
  }
  const thread = response.thread_ts ?? target.message?.thread_ts;
  sayAsApp(
    core,
    team,
    {
      channel: channel.id,
      ...(response.response_type === 'in_channel'
        ? { from_app: core.manifest.features.bot_user.display_name }
        : { ephemeral_for: target.user }),
      ...(thread === undefined ? {} : { thread_ts: thread }),
    },
    content,
  );
}

/** Applies the body of a command's response: empty, plain text, or JSON. */
export function takeCommandAnswer(core: Core, target: ResponseTarget, type: string, body: string): void {
  if (body.trim() === '') {
    return;
  }
  if (!type.toLowerCase().startsWith('application/json')) {
    respond(core, target, { text: body });
    return;
  }
  const value = readJson(body);
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) {
    return;
  }
  respond(core, target, value);
}

export function readJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new SlackRefusal('invalid_payload');
  }
}

export async function handleResponse(
  core: Core,
  calls: Calls,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const body = (await readBody(req)).toString('utf8');
  const text =
    contentType(req) === 'application/x-www-form-urlencoded' ? (new URLSearchParams(body).get('payload') ?? '') : body;
  const fault = takeFault(core.rules, 'response_url');
  let givenBody: unknown;
  const record = (error?: string) =>
    calls.add({
      method: 'response_url',
      error,
      body: typeof givenBody === 'object' && givenBody !== null ? (givenBody as Record<string, unknown>) : {},
    });
  try {
    givenBody = readJson(text);
    if (fault && !isWorkedOn(fault)) {
      record(playFault(fault, res));
      return;
    }
    if (fault?.as === 'slow') {
      await core.clock.sleep(fault.delayMs ?? 0);
    }
    const use = core.responseUrls.use(path);
    if (!use.ok) {
      record(use.error);
      sendJson(res, 404, { ok: false, error: use.error });
      return;
    }
    if (!core.world.installOf(use.target.team)) {
      throw new SlackRefusal('account_inactive');
    }
    respond(core, use.target, givenBody);
  } catch (thrown) {
    if (!(thrown instanceof SlackRefusal)) {
      throw thrown;
    }
    record(thrown.error);
    sendJson(res, thrown.error === 'account_inactive' ? 404 : 400, {
      ok: false,
      error: thrown.error,
      ...thrown.details,
    });
    return;
  }
  record();
  if (fault?.as === 'die') {
    res.socket?.destroy();
    return;
  }
  send(res, 200, 'text/plain; charset=utf-8', 'ok');
}
