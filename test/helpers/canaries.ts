/**
 * Owns the look for secrets where none may be: in a log, in the database's bytes, in what Slack was told. Every test that
 * starts the whole app ends with it, so that the whole suite watches for its own keys, tokens and relay secrets.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { RecordedCall } from '../../src/sandbox/slack/api.js';

export interface Evidence {
  /** By name: API keys, bot tokens, signing and client secrets. Empty ones are left out. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly log: string;
  /** The SQLite file; its write-ahead log is read too. */
  readonly databaseFile: string;
  readonly calls: readonly RecordedCall[];
}

/** A relay's address with the secret in it. */
const relayPath = /\/relay\/[\w-]+\/([\w-]{20,})/g;

export function expectNoSecrets({ secrets, log, databaseFile, calls }: Evidence): void {
  // An address is shown once, in a window, to the person who made the relay: there and nowhere else.
  const told = calls.map((call) => ({ window: call.method.startsWith('views.'), text: JSON.stringify(call.body) }));
  const relaySecrets = new Set(told.flatMap(({ text }) => [...text.matchAll(relayPath)].map((match) => match[1]!)));
  const bytes = [databaseFile, `${databaseFile}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString('latin1'))
    .join('\n');
  const places: Record<string, string> = {
    'the log': log,
    'the database': bytes,
    'a window': told.map(({ text }) => text).join('\n'),
    'a message': told.map(({ window, text }) => (window ? '' : text)).join('\n'),
  };
  const found: string[] = [];
  const look = (name: string, secret: string, where: readonly string[]): void => {
    found.push(...where.filter((place) => places[place]?.includes(secret)).map((place) => `${name} in ${place}`));
  };
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret) {
      look(name, secret, Object.keys(places));
    }
  }
  for (const secret of relaySecrets) {
    look('a relay secret', secret, ['the log', 'the database', 'a message']);
  }
  // Tokens that the OAuth page gave out are not known here by name, but all of them look alike.
  look('a bot token', 'xoxb-', ['the log', 'the database', 'a message']);
  expect(found).toEqual([]);
}
