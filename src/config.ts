/**
 * The settings, read from the environment. Each setting has a description, a default unless it is required, and an
 * example unless the default is one: the table in docs/operating.md is generated from `settings`.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { isOneSlip } from './did-you-mean.js';
import { ScandeskError } from './errors.js';
import { logLevels } from './log.js';

const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const boolean = oneOf('1', '0', 'true', 'false').transform((v) => v === '1' || v === 'true');
const url = z.url({ protocol: /^https?$/, abort: true, error: 'must be a URL that starts with https:// or http://' });
const listSchema = z.string().transform((v) =>
  v
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const endpoint = url.refine((value) => new URL(value).pathname.endsWith('/api/'), { error: 'must end in /api/' });
const networks = listSchema.refine((items) => items.every(isNetwork), {
  error: 'must be addresses or networks like 10.0.0.0/8, separated by commas',
});
const integer = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
/** A token of Slack, which says by its beginning of what kind it is. */
const token = (prefix: RegExp, beginning: string, where: string) =>
  z.string().refine((value) => value === '' || prefix.test(value), {
    error: ({ input }) => `must begin with ${beginning}${kindOfToken(String(input))}. Copy it from ${where}`,
  });

interface Setting {
  readonly description: string;
  /** An example; absent where the default is one. */
  readonly example?: string;
  readonly default?: string;
  readonly secret?: boolean;
  readonly schema: z.ZodType;
}

/** Every setting, in the order of docs/operating.md. */
export const settings = {
  PUBLIC_URL: {
    description: 'The public URL of this server, without a path. Webhook URLs begin with it.',
    example: 'https://scandesk.example.com',
    schema: url
      .refine((value) => URL.canParse(value) && new URL(value).pathname === '/' && !/[?#]/.test(value), {
        error: 'must have no path',
      })
      .transform((value) => new URL(value).origin),
  },
  SCANDESK_SECRET: {
    description:
      'Encrypts API keys and Slack tokens in the database: 32 bytes as base64. To change it, put the new key first, then a comma and the old key.',
    example: 'the output of: openssl rand -base64 32',
    secret: true,
    schema: z.string(),
  },
  SLACK_SIGNING_SECRET: {
    description:
      'Verifies that requests come from Slack (Basic Information, App Credentials). Not needed in Socket Mode.',
    example: '0f1e2d3c…',
    default: '',
    secret: true,
    schema: z.string().refine((value) => kindOfToken(value) === '', {
      error: ({ input }) =>
        `must be the signing secret${kindOfToken(String(input))}. Copy it from the app’s page Basic Information: Signing Secret`,
    }),
  },
  SLACK_BOT_TOKEN: {
    description:
      'The bot token, for a single workspace. Leave it out to install the app into any number of workspaces.',
    example: 'xoxb-…',
    default: '',
    secret: true,
    schema: token(/^(xoxe\.)?xoxb-/, 'xoxb-', 'the app’s page OAuth & Permissions: Bot User OAuth Token'),
  },
  SLACK_CLIENT_ID: {
    description: 'The app’s client ID, for any number of workspaces. The install page is PUBLIC_URL/slack/install.',
    example: '123.456',
    default: '',
    schema: z.string(),
  },
  SLACK_CLIENT_SECRET: {
    description: 'The client secret that belongs to SLACK_CLIENT_ID.',
    example: '9a8b7c…',
    default: '',
    secret: true,
    schema: z.string(),
  },
  SLACK_APP_TOKEN: {
    description: 'An app-level token (xapp-…): receives Slack’s requests over Socket Mode instead of HTTP.',
    example: 'xapp-…',
    default: '',
    secret: true,
    schema: token(/^xapp-/, 'xapp-', 'the app’s page Basic Information: App-Level Tokens'),
  },
  SLACK_API_URL: {
    description: 'The URL of Slack’s Web API.',
    default: 'https://slack.com/api/',
    schema: url,
  },
  SLACK_AUTHORIZE_URL: {
    description: 'The URL of Slack’s page that asks for permission to install the app.',
    default: 'https://slack.com/oauth/v2/authorize',
    schema: url,
  },
  ACCOUNT_API_URL: {
    description: 'The endpoint of the scanning account’s API. It must end in /api/.',
    default: 'https://api.codereadr.com/api/',
    schema: endpoint,
  },
  BARCODE_API_URL: {
    description: 'The endpoint of the barcode generator. It must end in /api/.',
    default: 'https://barcode.codereadr.com/api/',
    schema: endpoint,
  },
  DATABASE_URL: {
    description: 'The database: a SQLite file (file:PATH) or PostgreSQL (postgres://…).',
    default: 'file:./data/scandesk.db',
    secret: true,
    schema: z
      .string()
      .regex(/^(file:|postgres(ql)?:\/\/)/, 'must start with file: or postgres://')
      .refine((value) => !value.startsWith('postgres') || URL.canParse(value), {
        error: 'must be like postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters as %40',
      }),
  },
  PORT: {
    description: 'The port to listen on; 0 picks a free one.',
    default: '3000',
    schema: integer(0, 65535),
  },
  HOST: { description: 'The address to listen on.', default: '0.0.0.0', schema: z.string().min(1) },
  DRAIN_SECONDS: {
    description:
      'Seconds to keep accepting requests after SIGTERM while /readyz returns 503, so that a load balancer can send new ones elsewhere.',
    example: '10',
    default: '0',
    schema: integer(0, 600),
  },
  TRUSTED_PROXIES: {
    description:
      'Addresses or networks of trusted proxies, separated by commas. X-Forwarded-For is read from these only.',
    example: '10.0.0.0/8, 192.168.1.4',
    default: '',
    schema: networks,
  },
  LOG_LEVEL: {
    description: `The log level: ${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}.`,
    default: 'info',
    schema: oneOf(...logLevels),
  },
  LOG_FORMAT: {
    description: 'The log’s format: json, one object a line, or pretty, for people.',
    example: 'pretty',
    default: 'json',
    schema: oneOf('json', 'pretty'),
  },
  METRICS: {
    description: 'Set to 1 to serve Prometheus metrics at /metrics. They contain no names and no barcodes.',
    example: '1',
    default: '0',
    schema: boolean,
  },
  MCP: {
    description:
      'Set to on to answer Slackbot at /mcp (see slackbot.md). It takes a signing secret, an addition to the app’s manifest, and the scope mcp:connect.',
    example: 'on',
    default: 'off',
    schema: oneOf('on', 'off').transform((value) => value === 'on'),
  },
  POST_INTERVAL_MS: {
    description: 'The minimum time between two posts to a channel, in milliseconds. Slack allows about one per second.',
    default: '1000',
    schema: integer(0, 60_000),
  },
  ACCOUNT_CALLS_PER_MINUTE: {
    description: 'API calls per minute that the account’s plan allows. Used until the account reports its own limit.',
    default: '30',
    schema: integer(1, 10_000),
  },
  MIRROR_SHARE: {
    description:
      'Percent of the account’s API calls that keep its databases and scans copied here, so that lookups and relays respond without a call. 0 copies nothing and deletes what was copied.',
    default: '30',
    schema: integer(0, 100),
  },
  GREEN_MINUTES: {
    description:
      'How many minutes old copied data may be for a lookup to show a green tick when the account does not confirm it. Older data is shown as valid as of its time, not confirmed.',
    default: '15',
    schema: integer(1, 1_440),
  },
  LATE_HOURS: {
    description:
      'How many hours after it was made a scan may arrive at a relay with a limit or duplicates within a time. A scan that arrives later is not valid there: late, can’t be counted. A higher number applies in full once that many hours have passed.',
    example: '72',
    default: '24',
    schema: integer(1, 8_760),
  },
  AUDIT_DAYS: {
    description: 'How many days the audit log is kept.',
    default: '400',
    schema: integer(1, 36_500),
  },
  SCAN_DAYS: {
    description:
      'How many days received scans and their posts are kept in the database; 0 keeps them forever. A scan stays longer while a post of it is pending. Counts survive, so a relay still recognizes a duplicate of a deleted scan.',
    example: '90',
    default: '0',
    schema: integer(0, 36_500),
  },
} as const satisfies Record<string, Setting>;

const tokenKinds = { 'xoxb-': 'a bot token', 'xoxp-': 'a user token', 'xapp-': 'an app-level token' };

function kindOfToken(text: string): string {
  const kind = Object.entries(tokenKinds).find(([prefix]) => text.startsWith(prefix));
  return kind === undefined ? '' : `; this is ${kind[1]} (${kind[0]}…)`;
}

/** Whether a text is a network: a mistyped one would make every scan appear to come from the proxy. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 && longest > 0 && (length === undefined || (/^\d+$/.test(length) && Number(length) <= longest))
  );
}

export type SettingName = keyof typeof settings;

export function exampleOf(name: SettingName): string {
  const { example, default: value = '' }: Setting = settings[name];
  return example ?? value;
}

type Values = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };

export interface Config extends Values {
  /** The keys that seal secrets, 32 bytes each. The first key seals. */
  readonly secretKeys: readonly Buffer[];
}

/** What is wrong with a setting. `refused`: its value is well-formed, and what it names does not work. */
export interface SettingProblem {
  readonly name: SettingName;
  readonly problem: 'missing' | 'invalid' | 'refused' | 'misspelled';
  /** Missing: what the setting is; invalid: what it must be; else a sentence: what happened, and what to do. */
  readonly why: string;
}

/** Thrown by `readConfig`: lists every missing or wrong setting at once. Never contains a setting's value. */
export class ConfigError extends ScandeskError {
  constructor(readonly problems: readonly SettingProblem[]) {
    super('config.invalid', `settings: ${problems.map((p) => `${p.name} ${p.problem}`).join(', ')}`);
  }
}

/**
 * Reads the settings from an environment.
 * @throws ConfigError naming every missing or wrong setting
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: SettingProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting][]) {
    const rawValue = environment[name]?.trim() || setting.default;
    if (rawValue === undefined) {
      problems.push({ name, problem: 'missing', why: setting.description });
      continue;
    }
    const parsed = setting.schema.safeParse(rawValue);
    if (parsed.success) {
      values[name] = parsed.data;
    } else {
      problems.push({ name, problem: 'invalid', why: parsed.error.issues.map((issue) => issue.message).join('; ') });
    }
  }
  const secretKeys = readKeys(values.SCANDESK_SECRET, problems);
  requireSlackAccess(values, problems);
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return { ...(values as Values), secretKeys };
}

/** Names in an environment that are one slip away from a setting, as LOGLEVEL from LOG_LEVEL, which is not set there. */
export function misspelledSettings(environment: Readonly<Record<string, string | undefined>>): SettingProblem[] {
  const unset = (Object.keys(settings) as SettingName[]).filter((name) => !environment[name]?.trim());
  return Object.keys(environment)
    .filter((given) => !(given in settings))
    .flatMap((given) => {
      // Short names are near to too many others, as HOST to HOSTS.
      const name = unset.find((setting) => setting.length > 5 && isOneSlip(given, setting));
      return name ? [{ name, problem: 'misspelled', why: `is not set, but ${given} is: did you mean ${name}?` }] : [];
    });
}

function readKeys(value: unknown, problems: SettingProblem[]): Buffer[] {
  if (typeof value !== 'string') {
    return [];
  }
  const keys = value.split(',').map((part) => Buffer.from(part.trim(), 'base64'));
  if (keys.some((key) => key.length !== 32)) {
    problems.push({ name: 'SCANDESK_SECRET', problem: 'invalid', why: 'each key must be 32 bytes as base64' });
  }
  return keys;
}

function requireSlackAccess(values: Record<string, unknown>, problems: SettingProblem[]): void {
  const addMissing = (name: SettingName, why: string): void => {
    if (!problems.some((known) => known.name === name)) {
      problems.push({ name, problem: 'missing', why });
    }
  };
  if (!values.SLACK_BOT_TOKEN && !values.SLACK_CLIENT_ID) {
    addMissing(
      'SLACK_BOT_TOKEN',
      'The bot token of one workspace. For several workspaces, set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET instead.',
    );
  }
  if (values.SLACK_CLIENT_ID && !values.SLACK_CLIENT_SECRET) {
    addMissing(
      'SLACK_CLIENT_SECRET',
      'SLACK_CLIENT_ID is set, so Scandesk needs its secret too (Basic Information, App Credentials). For one workspace, set SLACK_BOT_TOKEN instead.',
    );
  }
  if (!values.SLACK_SIGNING_SECRET && (!values.SLACK_APP_TOKEN || values.MCP)) {
    addMissing(
      'SLACK_SIGNING_SECRET',
      values.SLACK_APP_TOKEN
        ? 'With MCP=on it verifies Slackbot’s requests, which come over HTTP in Socket Mode too.'
        : settings.SLACK_SIGNING_SECRET.description,
    );
  }
}
