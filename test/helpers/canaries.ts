/**
 * Owns the look for secrets where none may be: in a log, in the database's bytes, in what Slack was told. Every test that
 * starts the whole app ends with it, so that the whole suite watches for its own keys, tokens, relay and page secrets.
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
  /** The bodies of what the account was asked: services are told addresses that no window shows. */
  readonly asked?: readonly string[];
}

/** 32 bytes in base64url, at their place in an address. */
const addresses = {
  'a relay secret': /\/relay\/[\w-]+\/([\w-]{43})(?![\w-])/g,
  'the secret of a history page': /\/pages\/[\w-]+\/([\w-]{43})\/history/g,
  'the secret of a lookup page': /\/pages\/[\w-]+\/([\w-]{43})\/lookup/g,
} as const;

/** Every secret in these texts, by what it is. */
function secretsIn(texts: readonly string[]): readonly (readonly [name: string, secret: string])[] {
  return Object.entries(addresses).flatMap(([name, pattern]) => {
    const found = texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!));
    return [...new Set(found)].map((secret) => [name, secret] as const);
  });
}

export function expectNoSecrets({ secrets, log, databaseFile, calls, asked = [] }: Evidence): void {
  const told = calls.map(({ method, ok, body }) => ({
    window: method.startsWith('views.'),
    ok,
    text: JSON.stringify(body),
  }));
  const windows = told.filter(({ window }) => window).map(({ text }) => text);
  const bytes = [databaseFile, `${databaseFile}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString('latin1'))
    .join('\n');
  const places: Record<string, string> = {
    'the log': log,
    'the database': bytes,
    'a window': windows.join('\n'),
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
  const elsewhere = ['the log', 'the database', 'a message'];
  // Whatever looks like an address, also one that nobody was seen to hand out.
  const everywhere = [...windows, ...asked.map(decoded), ...elsewhere.map((place) => places[place] ?? '')];
  for (const [name, secret] of secretsIn(everywhere)) {
    look(name, secret, elsewhere);
    // An address is shown once, in a window, to the person who made it: there and nowhere else. One that
    // Slack did not draw was seen by nobody.
    if (told.filter(({ window, ok, text }) => window && ok && text.includes(secret)).length > 1) {
      found.push(`${name} in a window after the one that handed it out`);
    }
  }
  // Tokens that the OAuth page gave out are not known here by name, but all of them look alike.
  look('a bot token', 'xoxb-', elsewhere);
  expect(found, found.join(', ')).toEqual([]);
}

/** A form's body, as far as it is one. */
function decoded(body: string): string {
  return [...new URLSearchParams(body).values()].join('\n');
}
