/**
 * The log: one JSON object per line, or lines for people. API keys, Slack tokens, secrets in the paths of relays and
 * pages, and URLs below hooks.slack.com are redacted before writing.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const hiddenText = '[hidden]';

/** Names of fields that hold a secret: redacted in a logged object and in two levels of objects below it. */
const secretFields = ['apiKey', 'api_key', 'token', 'botToken', 'userToken', 'signingSecret', 'clientSecret', 'secret'];

/** The forms of secrets inside free text: a library's error, a URL, a form body. */
const secretPatterns: readonly [RegExp, string][] = [
  [/\bxox[a-z]-[A-Za-z0-9-]+/g, hiddenText],
  [/\bxapp-[A-Za-z0-9-]+/g, hiddenText],
  [/(api_key(?:"|%22|\\")?\s*(?:=|:|%3D)\s*(?:\\?")?)[^&\s"'\\<,}]+/gi, `$1${hiddenText}`],
  [/(<api_key>)[^<]*/gi, `$1${hiddenText}`],
  [/(\/(?:relay|pages)\/[A-Za-z0-9_-]+\/)[A-Za-z0-9_-]+/g, `$1${hiddenText}`],
  [/(hooks\.slack\.com\/|\/response\/)[A-Za-z0-9_/-]+/g, `$1${hiddenText}`],
  [/(Bearer\s+)[A-Za-z0-9._-]+/g, `$1${hiddenText}`],
];

/** Free text in which everything that looks like a secret is redacted. */
function scrub(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of secretPatterns) {
    clean = clean.replace(pattern, replacement);
  }
  return clean;
}

export function createLog(options: { level: LogLevel; destination?: DestinationStream }): Log {
  const paths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino(
    {
      level: options.level,
      redact: { paths, censor: hiddenText },
      hooks: { streamWrite: scrub },
    },
    ...(options.destination ? [options.destination] : []),
  );
}

/** Lines for people, without colors: a file or a service may show them instead of a terminal. */
export function prettyDestination(): DestinationStream {
  return PinoPretty({ colorize: false, translateTime: 'SYS:yyyy-mm-dd HH:MM:ss', ignore: 'pid,hostname' });
}

export const silentLog: Log = pino({ level: 'silent' });
