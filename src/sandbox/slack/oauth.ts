/**
 * The OAuth install flow: the consent page, the redirect with a code, and oauth.v2.access, which exchanges the code for
 * a bot token.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Core } from './core.js';
import { readBody, send } from './http.js';
import type { Installing } from './installing.js';
import { SlackRefusal } from './refusal.js';
import { str } from './web/args.js';
import { type Method, openMethod } from './web/method.js';

const codeLifeMs = 10 * 60_000;

interface Grant {
  readonly team: string;
  readonly user: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string | undefined;
  readonly at: number;
  used: boolean;
}

export interface OAuth {
  readonly methods: readonly Method[];
  /** GET shows the consent page, POST submits it. */
  authorize(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function createOAuth(core: Core, installing: Installing): OAuth {
  const grants = new Map<string, Grant>();

  /** Parses an install link; `error` is Slack's code for a link that is not valid. */
  const readLink = (query: URLSearchParams) => {
    const scopes = (query.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== '');
    const redirectUri = query.get('redirect_uri') ?? undefined;
    if (query.get('client_id') !== core.clientId) {
      return { error: 'invalid_client_id' };
    }
    if (scopes.length === 0) {
      return { error: 'no_scopes' };
    }
    if (scopes.some((scope) => !core.manifest.oauth_config.scopes.bot.includes(scope))) {
      return { error: 'invalid_scope' };
    }
    const target = redirectTarget(redirectUri);
    return target === undefined ? { error: 'bad_redirect_uri' } : { scopes, redirectUri, target };
  };

  /** The redirect target, if allowed: on the app's own address, on a path that the manifest names. */
  const redirectTarget = (requestedUrl: string | undefined): string | undefined => {
    const base = core.appUrl();
    const allowedUrls = core.manifest.oauth_config.redirect_urls ?? [];
    if (base === undefined || allowedUrls.length === 0) {
      return undefined;
    }
    const allowed = allowedUrls.map((url) => new URL(new URL(url).pathname, base));
    if (requestedUrl === undefined) {
      return allowed[0]?.toString();
    }
    const parsedUrl = URL.canParse(requestedUrl) ? new URL(requestedUrl) : undefined;
    return parsedUrl &&
      allowed.some((one) => parsedUrl.origin === one.origin && parsedUrl.pathname.startsWith(one.pathname))
      ? requestedUrl
      : undefined;
  };

  const redirectBack = (res: ServerResponse, target: string, fields: Readonly<Record<string, string>>): void => {
    const url = new URL(target);
    for (const [name, value] of Object.entries(fields)) {
      url.searchParams.set(name, value);
    }
    send(res, 302, 'text/plain; charset=utf-8', '', { location: url.toString() });
  };

  const page = (query: URLSearchParams): string => {
    const people = core.world
      .teams()
      .flatMap((team) => core.world.people(team.id).map((person) => ({ team, person })))
      .filter(({ team, person }) => !person.is_bot && person.home_team === team.id);
    const hidden = [...query]
      .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
      .join('');
    const choices = people
      .map(
        ({ team, person }) =>
          `<option value="${person.id}">${escapeHtml(`${team.name}: ${person.real_name}`)}</option>`,
      )
      .join('');
    const requestedScopes = (query.get('scope') ?? '').split(/[ ,]+/);
    const optional = (core.manifest.oauth_config.scopes.bot_optional ?? []).filter((scope) =>
      requestedScopes.includes(scope),
    );
    const optionals = optional
      .map(
        (scope) =>
          `<p><label><input type="checkbox" name="optional" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label></p>`,
      )
      .join('');
    const name = escapeHtml(core.manifest.display_information.name);
    return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Install ${name}</title>
<h1>${name} asks for access</h1><p>Permissions requested: ${escapeHtml(query.get('scope') ?? '')}</p>
<form method="post">${hidden}<p><label>Install as <select name="as">${choices}</select></label></p>${optionals && `<h2>Optional</h2>${optionals}<input type="hidden" name="chosen" value="1">`}
<button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></form></html>`;
  };

  const access = openMethod(
    'oauth.v2.access',
    {
      tier: 0,
      args: z.strictObject({
        code: str.optional(),
        client_id: str.optional(),
        client_secret: str.optional(),
        redirect_uri: str.optional(),
        grant_type: z.literal('authorization_code').optional(),
      }),
    },
    ({ basic }, args) => {
      const id = basic?.user ?? args.client_id ?? '';
      const secret = basic?.password ?? args.client_secret ?? '';
      if (id !== core.clientId) {
        throw new SlackRefusal('invalid_client_id');
      }
      if (!isSame(secret, core.clientSecret)) {
        throw new SlackRefusal('bad_client_secret');
      }
      const grant = grants.get(args.code ?? '');
      if (!grant || core.clock.now() - grant.at > codeLifeMs) {
        throw new SlackRefusal('invalid_code');
      }
      if (grant.used) {
        throw new SlackRefusal('code_already_used');
      }
      if (args.redirect_uri !== grant.redirectUri) {
        throw new SlackRefusal('bad_redirect_uri');
      }
      grant.used = true;
      const team = core.world.team(grant.team)!;
      return {
        access_token: installing.install(team, grant.scopes),
        token_type: 'bot',
        scope: grant.scopes.join(','),
        bot_user_id: team.bot_user,
        app_id: core.appId,
        team: core.organisation ? null : { id: team.id, name: team.name },
        enterprise: core.organisation ?? null,
        is_enterprise_install: core.organisation !== undefined,
        authed_user: { id: grant.user },
      };
    },
  );

  /** The scopes to grant: all but the optional ones left unchecked on a page that offered optional ones. */
  const chosenScopes = (query: URLSearchParams, scopes: readonly string[]): readonly string[] => {
    const { bot_optional: optional = [] } = core.manifest.oauth_config.scopes;
    const optionalScopes = query.getAll('optional');
    return query.has('chosen')
      ? scopes.filter((scope) => !optional.includes(scope) || optionalScopes.includes(scope))
      : scopes;
  };

  return {
    methods: [access],
    async authorize(req, res) {
      const isPost = req.method === 'POST';
      const query = isPost
        ? new URLSearchParams((await readBody(req)).toString('utf8'))
        : new URL(req.url ?? '/', 'http://slack').searchParams;
      const link = readLink(query);
      if (link.error !== undefined) {
        send(res, 400, 'text/plain; charset=utf-8', `This link cannot install the app: ${link.error}`);
        return;
      }
      if (!isPost) {
        // Submitting the page redirects to the app, a redirect that form-action would block.
        send(res, 200, 'text/html; charset=utf-8', page(query), {
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
        });
        return;
      }
      const state = query.get('state');
      const echoedState: Record<string, string> = state === null ? {} : { state };
      const person = core.world.person(query.get('as') ?? '');
      if (query.get('decision') !== 'allow') {
        redirectBack(res, link.target, { error: 'access_denied', ...echoedState });
        return;
      }
      if (!person || person.is_bot) {
        send(res, 400, 'text/plain; charset=utf-8', 'No one here has that ID.');
        return;
      }
      const code = `${core.random.bytes(6).readUIntBE(0, 6)}.${core.random.bytes(24).toString('hex')}`;
      grants.set(code, {
        team: person.team,
        user: person.id,
        scopes: chosenScopes(query, link.scopes),
        redirectUri: link.redirectUri,
        at: core.clock.now(),
        used: false,
      });
      redirectBack(res, link.target, { code, ...echoedState });
    },
  };
}
