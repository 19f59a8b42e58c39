/**
 * The Web API endpoint: parses a call, authenticates its token, enforces scopes, rate limits and arguments, plays
 * injected faults, and answers as Slack does.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Core } from '../core.js';
import { contentType, readBody, sendJson } from '../http.js';
import { SlackRefusal } from '../refusal.js';
import type { InstallRecord, TeamRecord } from '../world/records.js';
import type { Calls } from './calls.js';
import { isWorkedOn, playFault, takeFault } from './faults.js';
import type { Limits } from './limits.js';
import { type Method, requireScope } from './method.js';

export interface WebApi {
  /** Handles a call. `name` is the path after /api/. */
  handle(req: IncomingMessage, res: ServerResponse, name: string): Promise<void>;
}

interface Request {
  readonly args: Record<string, unknown>;
  readonly token?: string;
  readonly basic?: { readonly user: string; readonly password: string };
}

export function createWebApi(deps: { core: Core; limits: Limits; calls: Calls; methods: readonly Method[] }): WebApi {
  const { core, limits, calls } = deps;
  const methods = new Map(deps.methods.map((method) => [method.name, method]));

  const runMethod = async (method: Method, request: Request, identity: Identity | undefined) => {
    if (core.rules.methodTiers && method.tier > 0) {
      limits.take(`tier ${method.name} ${identity?.team.id ?? ''}`, method.tier, method.tier);
    }
    // Slack's own libraries send team_id with every call; a workspace token already implies the team.
    const { team_id: _, ...args } = request.args;
    const parsed = method.args.safeParse(identity ? args : request.args);
    if (!parsed.success) {
      throw new SlackRefusal('invalid_arguments', {
        response_metadata: { messages: argumentFaults(parsed.error.issues) },
      });
    }
    return method.run(
      identity ? { core, ...identity } : { core, ...(request.basic ? { basic: request.basic } : {}) },
      parsed.data,
    );
  };

  return {
    async handle(req, res, methodName) {
      const request = await readRequest(req);
      const record = (error?: string) => calls.add({ method: methodName, error, body: request.args });
      const fault = takeFault(core.rules, methodName);
      if (fault && !isWorkedOn(fault)) {
        record(playFault(fault, res));
        return;
      }
      if (fault?.as === 'slow') {
        await core.clock.sleep(fault.delayMs ?? 0);
      }
      const headers: Record<string, string> = { 'x-slack-req-id': core.random.bytes(16).toString('hex') };
      let answer: Record<string, unknown>;
      let status = 200;
      let error: string | undefined;
      try {
        const method = methods.get(methodName);
        if (!method) {
          throw new SlackRefusal('unknown_method', { req_method: methodName });
        }
        const identity = method.needsToken ? identify(core, request.token, request.args.team_id) : undefined;
        if (identity) {
          headers['x-oauth-scopes'] = identity.install.scopes.join(',');
          headers['x-accepted-oauth-scopes'] = method.scopes.join(',');
          requireScope(identity.install, method.scopes);
        }
        answer = { ok: true, ...(await runMethod(method, request, identity)) };
      } catch (thrown) {
        if (!(thrown instanceof SlackRefusal)) {
          throw thrown;
        }
        error = thrown.error;
        answer = { ok: false, error, ...thrown.details };
        if (thrown.retryAfter !== undefined) {
          status = 429;
          headers['retry-after'] = String(thrown.retryAfter);
        }
      }
      record(error);
      if (fault?.as === 'die') {
        res.socket?.destroy();
        return;
      }
      sendJson(res, status, answer, headers);
    },
  };
}

interface Identity {
  readonly team: TeamRecord;
  readonly install: InstallRecord;
}

/**
 * The identity behind a token. An organization's token acts in the workspace that the call names, by default the first.
 * @throws SlackRefusal not_authed, invalid_auth, token_revoked, account_inactive, team_not_found
 */
function identify(core: Core, token: string | undefined, teamId: unknown): Identity {
  if (token === undefined || token === '') {
    throw new SlackRefusal('not_authed');
  }
  const install = core.world.installByToken(token);
  if (!install) {
    throw new SlackRefusal('invalid_auth');
  }
  if (install.state === 'revoked') {
    throw new SlackRefusal('token_revoked');
  }
  if (install.state === 'uninstalled') {
    throw new SlackRefusal('account_inactive');
  }
  const named = core.organisation ? (teamId ?? core.world.teams()[0]!.id) : install.team;
  const team = core.world.team(String(named));
  if (!team) {
    throw new SlackRefusal('team_not_found');
  }
  return { team, install };
}

async function readRequest(req: IncomingMessage): Promise<Request> {
  const url = new URL(req.url ?? '/', 'http://slack');
  const body = req.method === 'POST' ? (await readBody(req)).toString('utf8') : '';
  const args: Record<string, unknown> = Object.fromEntries(url.searchParams);
  let bodyToken: string | undefined;
  if (contentType(req) === 'application/json') {
    Object.assign(args, jsonObject(body));
  } else {
    const form = Object.fromEntries(new URLSearchParams(body));
    // Slack rejects a token in the URL but accepts one in a form.
    bodyToken = form.token;
    Object.assign(args, form);
  }
  delete args.token;
  const authorization = req.headers.authorization ?? '';
  const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  const basic = /^Basic (\S+)$/i.exec(authorization)?.[1];
  const [user = '', password = ''] = basic === undefined ? [] : Buffer.from(basic, 'base64').toString().split(':', 2);
  const token = bearer ?? bodyToken;
  return {
    args,
    ...(token === undefined ? {} : { token }),
    ...(basic === undefined ? {} : { basic: { user, password } }),
  };
}

function jsonObject(body: string): Record<string, unknown> {
  try {
    const value = JSON.parse(body === '' ? '{}' : body) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function argumentFaults(issues: readonly Issue[]): string[] {
  return issues.flatMap((issue) => {
    const at = `/${issue.path.map(String).join('/')}`;
    if (issue.code === 'unrecognized_keys') {
      return (issue.keys ?? []).map((key) => `[ERROR] invalid additional property: ${key} [json-pointer:]`);
    }
    return [`[ERROR] ${issue.message} [json-pointer:${at}]`];
  });
}
