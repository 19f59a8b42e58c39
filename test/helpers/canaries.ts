/**
 * A scan for leaked secrets: in the log, in the database's bytes, in requests to Slack. Every test that starts the
 * whole app ends with it, so that the whole suite checks its own keys, tokens and URLs.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { RecordedCall } from '../../src/sandbox/slack/api.js';

export interface Evidence {
  /** Secrets by name: API keys, bot tokens, signing and client secrets. Empty ones are skipped. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly log: string;
  /** The SQLite file; its write-ahead log is read too. */
  readonly databaseFile: string;
  readonly calls: readonly RecordedCall[];
  /** Bodies of requests to the account: services receive URLs that no modal shows. */
  readonly asked?: readonly string[];
}

/** The patterns of secrets in URLs: 32 bytes in base64url. */
const addresses = {
  'a relay secret': /\/relay\/[\w-]+\/([\w-]{43})(?![\w-])/g,
  'the secret of a history page': /\/pages\/[\w-]+\/([\w-]{43})\/history/g,
  'the secret of a lookup page': /\/pages\/[\w-]+\/([\w-]{43})\/lookup/g,
} as const;

/** Every secret in these texts, by its kind. */
function secretsIn(texts: readonly string[]): readonly (readonly [name: string, secret: string])[] {
  return Object.entries(addresses).flatMap(([name, pattern]) => {
    const found = texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!));
    return [...new Set(found)].map((secret) => [name, secret] as const);
  });
}

export function expectNoSecrets({ secrets, log, databaseFile, calls, asked = [] }: Evidence): void {
  const sentBodies = calls.map(({ method, ok, body }) => ({
    window: method.startsWith('views.'),
    ok,
    text: JSON.stringify(body),
  }));
  const windows = sentBodies.filter(({ window }) => window).map(({ text }) => text);
  const bytes = [databaseFile, `${databaseFile}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString('latin1'))
    .join('\n');
  const places: Record<string, string> = {
    'the log': log,
    'the database': bytes,
    'a window': windows.join('\n'),
    'a message': sentBodies.map(({ window, text }) => (window ? '' : text)).join('\n'),
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
  // These texts are searched for all relay and page URLs, also those that no test saw being issued.
  const everywhere = [...windows, ...asked.map(decoded), ...elsewhere.map((place) => places[place] ?? '')];
  for (const [name, secret] of secretsIn(everywhere)) {
    look(name, secret, elsewhere);
    // A URL is shown once, in a modal, to the person who created it, and nowhere else. Nobody saw a modal that Slack
    // rejected.
    if (sentBodies.filter(({ window, ok, text }) => window && ok && text.includes(secret)).length > 1) {
      found.push(`${name} in a window after the one that handed it out`);
    }
  }
  // Tokens issued by the OAuth page are not known here by name, but all of them look alike.
  look('a bot token', 'xoxb-', elsewhere);
  expect(found, found.join(', ')).toEqual([]);
}

/** Decodes a form body as far as it is one. */
function decoded(body: string): string {
  return [...new URLSearchParams(body).values()].join('\n');
}
