/**
 * What each bot scope is for, and what does not work without it. Tests compare this table with the manifest, with the
 * methods that are called, and with docs/operating.md.
 */
import type { Config } from '../../config.js';
import { listOf } from '../../english.js';
import { type LinePart, linkElement } from '../block-kit/text.js';

export interface Capability {
  /** The feature needs all of these scopes. */
  readonly scopes: readonly string[];
  readonly purpose: string;
  /** A clause: what happens while one of the scopes is missing. */
  readonly without: string;
  /** Scandesk works without these scopes: the person who installs it may leave them out. */
  readonly optional?: true;
}

export const capabilities: readonly Capability[] = [
  {
    scopes: ['commands'],
    purpose: 'the commands, and *Look up barcodes* on a message',
    without: 'no command works',
  },
  {
    scopes: ['chat:write'],
    purpose: 'post scans in channels and answer people',
    without: 'nothing is posted',
  },
  {
    scopes: ['users:read'],
    purpose: 'tell admins, members and guests apart',
    without: 'nobody can use Scandesk',
  },
  {
    scopes: ['channels:read'],
    purpose: 'check the public channel that a relay posts in',
    without: 'a relay can’t be set up to post in a public channel',
  },
  {
    scopes: ['groups:read'],
    purpose: 'check the private channel that a relay posts in',
    without: 'a relay can’t be set up to post in a private channel',
  },
  {
    scopes: ['channels:join'],
    purpose: 'join the public channel that a relay posts in',
    without: 'Scandesk has to be invited to channels with /invite',
  },
  {
    scopes: ['channels:history', 'groups:history'],
    purpose: 'find out whether a post arrived that Slack did not confirm',
    without: 'a post that Slack doesn’t confirm is not delivered',
  },
  {
    scopes: ['files:read'],
    purpose: 'read barcodes from pictures, and files given in forms',
    without: 'pictures are not read, and files can’t be uploaded',
  },
  {
    scopes: ['files:write'],
    purpose: 'show the barcodes it creates',
    without: 'barcodes are not shown as pictures',
  },
  {
    scopes: ['files:write'],
    purpose: 'send exported files, and delete those of roll calls and of what is out',
    without: 'exports can’t be sent',
  },
  {
    scopes: ['usergroups:read'],
    purpose: 'give user groups access',
    without: 'only people named one by one have access',
  },
  {
    scopes: ['app_mentions:read'],
    purpose: 'answer `@Scandesk 0123`',
    without: 'mentions go unanswered',
    optional: true,
  },
  {
    scopes: ['im:write', 'im:history'],
    purpose: 'find out whether a direct message arrived that Slack did not confirm',
    without: 'a direct message that Slack doesn’t confirm may be missing',
    optional: true,
  },
  {
    scopes: ['im:history'],
    purpose: 'answer direct messages',
    without: 'direct messages go unanswered',
    optional: true,
  },
];

const scopesOf = (listed: readonly Capability[]) => [...new Set(listed.flatMap(({ scopes }) => scopes))];

export const botScopes = scopesOf(capabilities);

/** For Slackbot as a client (MCP=on); not in the manifest, which must install where Slack does not know it. */
export const mcpScope = 'mcp:connect';

const requiredScopes = scopesOf(capabilities.filter(({ optional }) => !optional));

export const optionalScopes = botScopes.filter((scope) => !requiredScopes.includes(scope));

/** The features that do not work with the granted scopes alone. */
export function lackingWith(granted: readonly string[]): readonly Capability[] {
  return capabilities.filter(({ scopes }) => scopes.some((scope) => !granted.includes(scope)));
}

/** The scopes a call needed and the app lacks, by Slack's answer: those Scandesk asks for, else those Slack names. */
export function missingScopes({ needed, provided }: { needed?: unknown; provided?: unknown }): readonly string[] {
  const listed = (scopes: unknown) =>
    typeof scopes === 'string' ? scopes.split(',').filter((scope) => /^[a-z][a-z:._-]{0,60}$/.test(scope)) : [];
  const granted = new Set(listed(provided));
  const missing = listed(needed).filter((scope) => !granted.has(scope));
  const requested = missing.filter((scope) => botScopes.includes(scope));
  // Slack names each scope that would do: where a required scope is among them, optional ones are not reported.
  const required = requested.filter((scope) => requiredScopes.includes(scope));
  return [required, requested, missing.slice(0, 4)].find((scopes) => scopes.length > 0) ?? [];
}

/** The scopes that a refused call lacked; undefined for any other error. */
export function scopesMissedBy(error: unknown): readonly string[] | undefined {
  const { data } = (error ?? {}) as { data?: { error?: unknown; needed?: unknown; provided?: unknown } };
  const lacks = data?.error === 'missing_scope' || data?.error === 'no_permission';
  return lacks ? missingScopes(data) : undefined;
}

/** The scopes in words: "the permission files:read" */
export function permissionsNamed(scopes: readonly string[]): string {
  if (scopes.length === 0) {
    return 'a permission';
  }
  return scopes.length === 1 ? `the permission ${scopes[0]}` : `the permissions ${listOf(scopes)}`;
}

const pronoun = (scopes: readonly string[]) => (scopes.length > 1 ? 'them' : 'it');

/** What people lose without these scopes, as a sentence; undefined for a scope Scandesk does not request. */
export function lossOf(scopes: readonly string[]): string | undefined {
  const lost = capabilities.filter((one) => one.scopes.some((scope) => scopes.includes(scope)));
  return lost.length === 0 ? undefined : `Without ${pronoun(scopes)}, ${listOf(lost.map(({ without }) => without))}.`;
}

const reinstall = 'install Scandesk again';

/** The remedy as a clause: "to add it, a workspace admin can install Scandesk again and allow it" */
export function howToAdd(scopes: readonly string[]): string {
  return `to add ${pronoun(scopes)}, a workspace admin can ${reinstall} and allow ${pronoun(scopes)}`;
}

/** The sentence for a refused call. `cannot`: a clause with what could not be done. */
export function refusedFor(cannot: string, scopes: readonly string[]): string {
  return `${cannot}: it is missing ${permissionsNamed(scopes)} (${howToAdd(scopes)}).`;
}

/** How to add the scopes, as a sentence; with a link, where the address is known. */
export function addingElements(scopes: readonly string[], url: string | undefined): LinePart[] {
  const [before = '', after = ''] = howToAdd(scopes).split(reinstall);
  return [`T${before.slice(1)}`, url === undefined ? reinstall : linkElement(url, reinstall), `${after}.`];
}

/** Slack's page of apps for an app with a bot token in its settings, else Scandesk's install page. */
export function reinstallUrl(config: Pick<Config, 'SLACK_BOT_TOKEN' | 'PUBLIC_URL'>): string {
  return config.SLACK_BOT_TOKEN ? 'https://api.slack.com/apps' : new URL('/slack/install', config.PUBLIC_URL).href;
}

const codeOfMissing = 'slack.missing_scope';

/** The error code that names missing scopes: `slack.missing_scope:channels:history,groups:history` */
export function missingScopeCode(scopes: readonly string[]): string {
  return scopes.length === 0 ? codeOfMissing : `${codeOfMissing}:${scopes.join(',')}`;
}

/** The scopes named by a code of `missingScopeCode`; undefined for any other code. */
export function scopesInCode(code: string): readonly string[] | undefined {
  if (code === codeOfMissing) {
    return [];
  }
  return code.startsWith(`${codeOfMissing}:`) ? code.slice(codeOfMissing.length + 1).split(',') : undefined;
}
