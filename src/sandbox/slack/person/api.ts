/**
 * The HTTP handlers of the workspace's own API (documented in ../api.ts): validate the request, call the part that
 * serves it, answer with JSON.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Rules } from '../api.js';
import type { Core } from '../core.js';
import { addFile } from '../files.js';
import { BodyBroken, BodyTooLarge, contentType, readBody, readMultipart, sendJson } from '../http.js';
import type { Installing } from '../installing.js';
import { messageShown } from '../messages.js';
import { SandboxRefusal } from '../refusal.js';
import type { Slackbot } from '../slackbot.js';
import { viewShown } from '../views.js';
import type { Calls } from '../web/calls.js';
import { createActing } from './act.js';
import { createForms } from './forms.js';
import { makeChannel, sendFile, stateFor } from './place.js';
import { createSaying } from './say.js';
import { openHome, useShortcut } from './shortcut.js';
import { type Actor, actorOf, joinedChannel, seenChannel } from './who.js';

const as = z.string().optional();
const loose = z.record(z.string(), z.unknown());
const values = z.record(z.string(), z.record(z.string(), loose.nullable()));
const container = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.strictObject({ type: z.literal('view'), view_id: z.string() }),
]);
const rules = z
  .strictObject({
    historyPerMinute: z.number().min(0),
    historyFromOldest: z.boolean(),
    historyLagMs: z.number().min(0),
    clientMsgIds: z.enum(['known', 'refused', 'ignored']),
    postsPerSecond: z.number().min(0),
    acknowledgeMs: z.number().min(1),
    triggerMs: z.number().min(0),
    methodTiers: z.boolean(),
    fileProcessingMs: z.number().min(0),
    eventRetryMs: z.array(z.number().min(0)).max(3),
    faults: z.array(
      z.strictObject({
        method: z.string().min(1),
        times: z.number().int().min(1),
        as: z.enum(['429', '500', '503', 'timeout', 'die', 'reset', 'html', 'slow', 'refused']),
        retryAfter: z.number().optional(),
        delayMs: z.number().min(0).max(60_000).optional(),
        error: z.string().optional(),
        needed: z.string().optional(),
      }),
    ),
  })
  .partial();

type Route = (body: unknown) => unknown;

export interface PersonApi {
  /** Handles a request; `path` begins with /sandbox/. */
  handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>;
}

export function createPersonApi(
  core: Core,
  installing: Installing,
  calls: Calls,
  reinstall: (scopes?: string[]) => boolean,
  slackbot: Slackbot,
): PersonApi {
  const acting = createActing(core);
  const forms = createForms(core);
  const saying = createSaying(core);

  const route =
    <Schema extends z.ZodType>(schema: Schema, run: (actor: Actor, body: z.output<Schema>) => unknown): Route =>
    (body) => {
      const parsed = schema.safeParse(body);
      if (!parsed.success) {
        const why = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
        throw new SandboxRefusal(400, 'invalid_arguments', why);
      }
      return run(actorOf(core, (parsed.data as { as?: string }).as), parsed.data);
    };

  const gets: Readonly<Record<string, Route>> = {
    state: route(z.looseObject({ as }), (actor) => {
      slackbot.ensureConversation(actor);
      return stateFor(core, actor);
    }),
    messages: route(
      z.looseObject({ as, channel: z.string(), limit: z.coerce.number().int().min(1).default(1000) }),
      (actor, { channel, limit }) => ({
        messages: core.world
          .messagesFor(seenChannel(core, actor, channel).id, actor.person.id, limit)
          .map((message) => messageShown(core, message)),
      }),
    ),
    views: route(z.looseObject({ as }), (actor) => ({ stack: core.views.stack(actor.person.id).map(viewShown) })),
    home: route(z.looseObject({ as }), (actor) => {
      const home = core.views.home(actor.person.id);
      return { view: home ? viewShown(home) : null };
    }),
    calls: route(z.looseObject({ since: z.coerce.number().default(0) }), (_actor, { since }) => ({
      calls: calls.since(since),
    })),
  };

  const posts: Readonly<Record<string, Route>> = {
    say: route(
      z.strictObject({
        as,
        channel: z.string(),
        text: z.string(),
        thread_ts: z.string().optional(),
        files: z.array(z.string()).optional(),
      }),
      (actor, { channel, text, thread_ts, files }) =>
        saying.say(actor, {
          channel,
          text,
          ...(thread_ts === undefined ? {} : { thread_ts }),
          ...(files === undefined ? {} : { files }),
        }),
    ),
    edit: route(z.strictObject({ as, channel: z.string(), ts: z.string(), text: z.string().min(1) }), (actor, body) => {
      saying.edit(actor, joinedChannel(core, actor, body.channel), body.ts, body.text);
      return { ok: true };
    }),
    action: route(
      z.strictObject({
        as: z.string(),
        container,
        block_id: z.string(),
        action_id: z.string(),
        chosen: loose.optional(),
        values: values.optional(),
      }),
      (actor, body) =>
        (slackbot.owns(body.container) ? slackbot.press : acting.act)(actor, body as Parameters<typeof acting.act>[1]),
    ),
    options: route(
      z.strictObject({ as: z.string(), container, block_id: z.string(), action_id: z.string(), value: z.string() }),
      (actor, body) => acting.options(actor, body),
    ),
    submit: route(z.strictObject({ as, view_id: z.string(), values: values.default({}) }), (actor, body) =>
      forms.submit(actor, body as Parameters<typeof forms.submit>[1]),
    ),
    close: route(z.strictObject({ as, view_id: z.string(), all: z.boolean().optional() }), async (actor, body) => {
      await forms.close(actor, body);
      return { ok: true };
    }),
    home: route(z.strictObject({ as, tab: z.enum(['home', 'messages']).default('home') }), async (actor, { tab }) => ({
      view: await openHome(core, actor, tab),
    })),
    shortcut: route(
      z.strictObject({
        as,
        callback_id: z.string(),
        channel: z.string().optional(),
        message_ts: z.string().optional(),
      }),
      (actor, { as: _, ...body }) => useShortcut(core, actor, body as Parameters<typeof useShortcut>[2]),
    ),
    channels: route(z.strictObject({ as, name: z.string(), private: z.boolean().optional() }), (actor, body) => ({
      channel: makeChannel(core, actor, body.name, body.private === true),
    })),
    invite: route(z.strictObject({ as, channel: z.string(), user: z.string() }), (actor, body) => {
      saying.invite(actor, joinedChannel(core, actor, body.channel), body.user);
      return { ok: true };
    }),
    kick: route(z.strictObject({ as, channel: z.string(), user: z.string() }), (actor, body) => {
      saying.kick(actor, joinedChannel(core, actor, body.channel), body.user);
      return { ok: true };
    }),
    deactivate: route(z.strictObject({ as, user: z.string() }), (actor, { user }) => {
      const person = core.world.person(user);
      if (!person || person.team !== actor.team.id || person.is_bot) {
        throw new SandboxRefusal(404, 'user_not_found', `no person with the id ${user}`);
      }
      core.world.savePerson({ ...person, deleted: true });
      core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === actor.team.id);
      return { ok: true };
    }),
    archive: route(z.strictObject({ as, channel: z.string() }), (actor, body) => {
      const channel = joinedChannel(core, actor, body.channel);
      core.world.saveChannel({ ...channel, is_archived: true });
      core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === actor.team.id);
      return { ok: true };
    }),
    connect: route(z.strictObject({ as, channel: z.string() }), (actor, body) => {
      const channel = joinedChannel(core, actor, body.channel);
      core.world.saveChannel({ ...channel, is_ext_shared: true });
      core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === actor.team.id);
      return { ok: true };
    }),
    rules: route(rules, (_actor, newRules) => Object.assign(core.rules, withoutUndefined(newRules))),
    uninstall: route(z.strictObject({ as }), async (actor) => {
      await installing.uninstall(actor.team, actor.person.id);
      return { ok: true };
    }),
    install: route(z.strictObject({ as, scopes: z.array(z.string()).optional() }), (_, { scopes }) => {
      if (!reinstall(scopes)) {
        throw new SandboxRefusal(400, 'no_bot_token', 'this workspace has no bot token; install the app from its page');
      }
      return { ok: true };
    }),
    revoke: route(z.strictObject({ as, tokens: z.enum(['bot', 'user']) }), async (actor, body) => {
      await installing.revoke(actor.team, body.tokens, actor.person.id);
      return { ok: true };
    }),
    verify: route(z.strictObject({ as }), async () => ({ ok: await core.outbound.verify() })),
  };

  const upload = async (req: IncomingMessage): Promise<unknown> => {
    const { fields, file } = await readMultipart(req);
    const { person, team } = actorOf(core, fields.as);
    if (!file || file.name === '') {
      throw new SandboxRefusal(400, 'no_file', 'there is no file in this form');
    }
    const record = addFile(core, { team: team.id, user: person.id, name: file.name, content: file.content });
    return { file: { id: record.id, name: record.name, mimetype: record.mimetype, size: record.size } };
  };

  return {
    async handle(req, res, path) {
      const url = new URL(req.url ?? '/', 'http://slack');
      const query = Object.fromEntries(url.searchParams);
      const callName = path.slice('/sandbox/'.length);
      try {
        if (req.method === 'GET' && callName === 'stream') {
          core.streams.open(actorOf(core, query.as).person.id, res);
          return;
        }
        if (req.method === 'GET' && callName.startsWith('file/')) {
          sendFile(core, actorOf(core, query.as), callName.slice('file/'.length), res);
          return;
        }
        if (req.method === 'POST' && callName === 'upload') {
          sendJson(res, 200, await upload(req));
          return;
        }
        const run = req.method === 'GET' ? gets[callName] : req.method === 'POST' ? posts[callName] : undefined;
        if (!run) {
          throw new SandboxRefusal(404, 'unknown_path', `there is no ${req.method} ${path}`);
        }
        const body = req.method === 'POST' ? await jsonBody(req) : query;
        sendJson(res, 200, await run(body));
      } catch (error) {
        if (error instanceof BodyTooLarge) {
          sendJson(res, 413, { ok: false, error: 'too_large', why: error.message });
          return;
        }
        if (error instanceof BodyBroken) {
          sendJson(res, 400, { ok: false, error: 'broken_body', why: error.message });
          return;
        }
        if (!(error instanceof SandboxRefusal)) {
          throw error;
        }
        sendJson(res, error.status, { ok: false, error: error.error, why: error.why });
      }
    },
  };
}

const withoutUndefined = <T extends object>(value: T): Partial<Rules> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

async function jsonBody(req: IncomingMessage): Promise<unknown> {
  if (contentType(req) !== 'application/json') {
    throw new SandboxRefusal(415, 'not_json', 'POST application/json');
  }
  try {
    return JSON.parse((await readBody(req)).toString('utf8')) as unknown;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) {
      throw new SandboxRefusal(400, 'not_json', 'the body is not JSON');
    }
    throw thrown;
  }
}
