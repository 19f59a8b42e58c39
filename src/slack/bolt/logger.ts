/**
 * Owns the way Slack's libraries log: through our log, one line each, scrubbed there. Refuses their debug lines: they
 * print whole requests, and the form in which somebody enters an API key is one.
 */
import { format } from 'node:util';
import { type Logger, LogLevel } from '@slack/bolt';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';

export function createSlackLogger(log: Log): Logger {
  const child = log.child({ room: 'slack' });
  const line = (parts: readonly unknown[]) => format(...parts.map(described));
  return {
    debug: () => {},
    info: (...parts) => child.debug(line(parts)),
    warn: (...parts) => child.warn(line(parts)),
    error: (...parts) => child.error(line(parts)),
    setLevel: () => {},
    // Bolt compares it with its own default and would otherwise ask to set it; ours is set by the configuration.
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

/** An error's own fields can carry a whole request; its message and code are enough to read. */
function described(part: unknown): unknown {
  return part instanceof Error ? `${part.message} (${codeOf(part)})` : part;
}
