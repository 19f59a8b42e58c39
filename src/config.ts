/**
 * The settings, read from the environment. Each has a description, an example and, unless required, a default. A test
 * compares the table in docs/operating.md with `settings`.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { ScandeskError } from './errors.js';

const truth = z.enum(['1', '0', 'true', 'false']).transform((v) => v === '1' || v === 'true');
const url = z.url({ protocol: /^https?$/ });
const list = z.string().transform((v) =>
  v
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const endpoint = url.refine((value) => new URL(value).pathname.endsWith('/api/'), { error: 'it must end in /api/' });
const networks = list.refine((items) => items.every(isNetwork), {
  error: 'each must be an address or a network like 10.0.0.0/8',
});
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

interface Setting {
  readonly means: string;
  readonly example: string;
  readonly fallback?: string;
  readonly secret?: boolean;
  readonly schema: z.ZodType;
}

/** Every setting, in the order of docs/operating.md. */
export const settings = {
  PUBLIC_URL: {
    means: 'Where scanners and browsers reach this server, without a path. Relay URLs begin with it.',
    example: 'https://scandesk.example.com',
    schema: z
      .url({ protocol: /^https?$/, error: 'it must be a URL that begins with https:// (or http://)' })
      .refine((value) => URL.canParse(value) && new URL(value).pathname === '/' && !/[?#]/.test(value), {
        error: 'it must have no path',
      })
      .transform((value) => new URL(value).origin),
  },
  SCANDESK_SECRET: {
    means:
      'Seals API keys and Slack tokens in the store: 32 bytes as base64. To change it, put the new one first, a comma, then the old one.',
    example: 'the output of: openssl rand -base64 32',
    secret: true,
    schema: z.string(),
  },
  SLACK_SIGNING_SECRET: {
    means: 'Proves that a request comes from Slack (Basic Information, App Credentials). Not needed in Socket Mode.',
    example: '0f1e2d3c…',
    fallback: '',
    secret: true,
    schema: z.string(),
  },
  SLACK_BOT_TOKEN: {
    means: 'One workspace: its bot token. Leave it out to install into any number of workspaces.',
    example: 'xoxb-…',
    fallback: '',
    secret: true,
    schema: z.string(),
  },
  SLACK_CLIENT_ID: {
    means: 'Any number of workspaces: the app’s client id. The install page is PUBLIC_URL/slack/install.',
    example: '123.456',
    fallback: '',
    schema: z.string(),
  },
  SLACK_CLIENT_SECRET: {
    means: 'Goes with SLACK_CLIENT_ID.',
    example: '9a8b7c…',
    fallback: '',
    secret: true,
    schema: z.string(),
  },
  SLACK_APP_TOKEN: {
    means: 'Set it (xapp-…) to receive Slack’s requests over Socket Mode instead of HTTP.',
    example: 'xapp-…',
    fallback: '',
    secret: true,
    schema: z.string(),
  },
  SLACK_API_URL: {
    means: 'Where Slack’s Web API is.',
    example: 'https://slack.com/api/',
    fallback: 'https://slack.com/api/',
    schema: url,
  },
  SLACK_AUTHORIZE_URL: {
    means: 'Where a person grants the app access when it is installed.',
    example: 'https://slack.com/oauth/v2/authorize',
    fallback: 'https://slack.com/oauth/v2/authorize',
    schema: url,
  },
  ACCOUNT_API_URL: {
    means: 'The scanning account service’s endpoint. It ends in /api/.',
    example: 'https://api.codereadr.com/api/',
    fallback: 'https://api.codereadr.com/api/',
    schema: endpoint,
  },
  BARCODE_API_URL: {
    means: 'The barcode generator’s endpoint. It ends in /api/.',
    example: 'https://barcode.codereadr.com/api/',
    fallback: 'https://barcode.codereadr.com/api/',
    schema: endpoint,
  },
  DATABASE_URL: {
    means: 'Where everything is kept: a SQLite file (file:PATH) or PostgreSQL (postgres://…).',
    example: 'file:./data/scandesk.db',
    fallback: 'file:./data/scandesk.db',
    secret: true,
    schema: z.string().regex(/^(file:|postgres(ql)?:\/\/)/, 'must begin with file: or postgres://'),
  },
  PORT: {
    means: 'The port to listen on; 0 takes a free one.',
    example: '3000',
    fallback: '3000',
    schema: whole(0, 65535),
  },
  HOST: { means: 'The address to listen on.', example: '0.0.0.0', fallback: '0.0.0.0', schema: z.string().min(1) },
  DRAIN_SECONDS: {
    means:
      'How many seconds requests are still taken after SIGTERM while /readyz answers 503, so that a load balancer sends the next ones elsewhere.',
    example: '10',
    fallback: '0',
    schema: whole(0, 600),
  },
  TRUSTED_PROXIES: {
    means: 'Addresses or networks of proxies whose X-Forwarded-For is believed, comma between them.',
    example: '10.0.0.0/8, 192.168.1.4',
    fallback: '',
    schema: networks,
  },
  LOG_LEVEL: {
    means: 'How much is logged: debug, info, warn, error or silent.',
    example: 'info',
    fallback: 'info',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  },
  METRICS: {
    means: 'Serve Prometheus figures at /metrics (1) or not (0). They hold no names and no barcodes.',
    example: '1',
    fallback: '0',
    schema: truth,
  },
  POST_INTERVAL_MS: {
    means: 'The least time between two posts into one channel. Slack allows about one a second.',
    example: '1000',
    fallback: '1000',
    schema: whole(0, 60_000),
  },
  ACCOUNT_CALLS_PER_MINUTE: {
    means: 'How many calls a minute the account’s plan allows, until the account has told us itself.',
    example: '30',
    fallback: '30',
    schema: whole(1, 10_000),
  },
  AUDIT_DAYS: {
    means: 'How many days the record of who changed what is kept.',
    example: '400',
    fallback: '400',
    schema: whole(1, 36_500),
  },
  SCAN_DAYS: {
    means:
      'How many days received scans are kept, with their posts in the store; 0 keeps them for ever. One stays longer while a post of it has yet to go out. A relay that counts values, as one that refuses duplicates does, goes on knowing those whose scans went.',
    example: '90',
    fallback: '0',
    schema: whole(0, 36_500),
  },
} as const satisfies Record<string, Setting>;

/** A mistyped network would make every scan appear to come from the proxy. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 && longest > 0 && (length === undefined || (/^\d+$/.test(length) && Number(length) <= longest))
  );
}

export type SettingName = keyof typeof settings;

type Values = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };

export interface Config extends Values {
  /** The keys that seal secrets, 32 bytes each. The first one seals. */
  readonly secretKeys: readonly Buffer[];
}

export interface SettingProblem {
  readonly name: SettingName;
  readonly problem: 'missing' | 'invalid';
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
    const raw = environment[name]?.trim() || setting.fallback;
    if (raw === undefined) {
      problems.push({ name, problem: 'missing', why: setting.means });
      continue;
    }
    const parsed = setting.schema.safeParse(raw);
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
  const missing = (name: SettingName, why: string) => problems.push({ name, problem: 'missing', why });
  if (!values.SLACK_BOT_TOKEN && !values.SLACK_CLIENT_ID) {
    missing(
      'SLACK_BOT_TOKEN',
      'The bot token of one workspace; or else SLACK_CLIENT_ID and SLACK_CLIENT_SECRET, for any number.',
    );
  }
  if (values.SLACK_CLIENT_ID && !values.SLACK_CLIENT_SECRET) {
    missing('SLACK_CLIENT_SECRET', settings.SLACK_CLIENT_SECRET.means);
  }
  if (!values.SLACK_SIGNING_SECRET && !values.SLACK_APP_TOKEN) {
    missing('SLACK_SIGNING_SECRET', settings.SLACK_SIGNING_SECRET.means);
  }
}
