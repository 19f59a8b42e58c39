/**
 * The logger of Slack's libraries. It writes to Scandesk's log, which scrubs secrets. Debug lines are dropped: they
 * print whole requests, including a form with an API key.
 */
import { format } from 'node:util';
import { type Logger, LogLevel } from '@slack/bolt';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';

export function createSlackLogger(log: Log): Logger {
  const child = log.child({ component: 'slack' });
  const line = (parts: readonly unknown[]) => format(...parts.map(described));
  return {
    debug: () => {},
    info: (...parts) => child.debug(line(parts)),
    // A request that failed rejects as well, and whoever sent it logs why.
    warn: (...parts) => child[parts[0] === 'http request failed' ? 'debug' : 'warn'](line(parts)),
    error: (...parts) => child.error(line(parts)),
    setLevel: () => {},
    // Bolt compares the level with its default and would set it; the log's level comes from the configuration.
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

/** An error's own fields can hold a whole request; its message and code are enough. */
function described(part: unknown): unknown {
  return part instanceof Error ? `${part.message} (${codeOf(part)})` : part;
}
