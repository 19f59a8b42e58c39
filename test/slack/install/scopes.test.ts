import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { botScopes, capabilities, lackingWith } from '../../../src/slack/bolt/scopes.js';
import { listeners } from '../../../src/slack/features.js';
import { expectTable } from '../../helpers/written-docs.js';
import { read } from '../block-kit/reading.js';
import { botToken, eventually, startTestApp, type TestApp } from '../test-app.js';

/** Events, with the scope without which Slack does not deliver them. */
const eventScopes: Readonly<Record<string, string>> = { app_mention: 'app_mentions:read', 'message.im': 'im:history' };

/** Scopes for group direct messages, and for direct messages beyond history and writing: Scandesk uses neither. */
const notOurs = /^(?:mpim:|im:(?!history$|write$))/;

/** The scopes that Scandesk needs of those that Slack accepts for a method: Slack decides by the kind of channel. */
const calledFor: Readonly<Record<string, readonly string[]>> = {
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.history': ['channels:history', 'groups:history'],
  'conversations.replies': ['channels:history', 'groups:history'],
};

describe('the table of scopes', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterEach(() => app.post('/sandbox/install', { scopes: botScopes }));
  afterAll(() => app?.stop());

  const without = (...scopes: string[]) =>
    app.post('/sandbox/install', { scopes: botScopes.filter((scope) => !scopes.includes(scope)) });

  async function acceptedBy(method: string): Promise<readonly string[]> {
    const answer = await fetch(`${app.slackUrl}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}` },
    });
    expect(((await answer.json()) as { error?: string }).error, method).not.toBe('unknown_method');
    return (answer.headers.get('x-accepted-oauth-scopes') ?? '').split(',').filter((scope) => scope !== '');
  }

  test('the table of scopes has exactly the scopes that calls, commands and events need', async () => {
    const methods = calledMethods();
    expect(methods.length).toBeGreaterThan(12);
    const needed = new Set(['commands']);
    for (const method of methods) {
      const accepted = await acceptedBy(method);
      const wanted = calledFor[method] ?? accepted;
      expect(accepted).toEqual(expect.arrayContaining([...wanted]));
      for (const scope of wanted) needed.add(scope);
    }
    for (const event of listeners.flatMap(({ kind, ids }) => (kind === 'conversation' ? ids : []))) {
      needed.add(eventScopes[event]!);
    }
    expect([...needed].filter((scope) => !notOurs.test(scope)).sort()).toEqual([...botScopes].sort());
  });

  test('docs/operating.md has the table of scopes', () => {
    const rows = capabilities.map(({ scopes, optional, purpose, without: lost }) => [
      `${scopes.map((scope) => `\`${scope}\``).join(', ')}${optional ? ' (optional)' : ''}`,
      ...[purpose, lost],
    ]);
    expectTable('docs/operating.md', 'scopes', ['scope', 'what for', 'without it'], rows);
  });

  test('the status mentions no scope where every scope is granted', async () => {
    expect(lackingWith(botScopes)).toEqual([]);
    expect(read((await app.person('U0ADA').command('/scandesk status')).blocks)).not.toMatch(/permission/i);
  });

  test('the status names each missing scope, what does not work without it, and how to add it', async () => {
    await without('usergroups:read', 'im:history', 'files:write');
    const status = await app.person('U0MIA').command('/scandesk status');
    const text = read(status.blocks);
    expect(text).toContain('Missing Slack permissions');
    expect(text).toContain('usergroups:read: only people named one by one have access');
    expect(text).toContain('direct messages go unanswered');
    expect(text).toContain('To add them, a workspace admin can install Scandesk again and allow them.');
    expect(text).not.toContain('app_mentions:read');
    expect(JSON.stringify(status.blocks)).toContain('https://api.slack.com/apps');
  });

  test('the status marks a missing scope as optional if Scandesk works without it', async () => {
    await without('im:write', 'im:history');
    const text = read((await app.person('U0MIA').command('/scandesk status')).blocks);
    expect(text).toContain('Optional Slack permissions that were not granted');
    expect(text).not.toContain('Missing');
  });

  test('an admin’s App Home names a missing scope, and a member’s App Home does not', async () => {
    await without('files:read');
    const home = (id: string, has: (text: string) => boolean) =>
      eventually(async () => {
        const person = app.person(id);
        await person.openHome();
        const text = read((await person.home())?.view.blocks ?? []);
        return has(text) ? text : undefined;
      }, `App Home of ${id}`);
    expect(await home('U0ADA', (text) => text.includes('files:read'))).toContain(
      'files:read: pictures are not read, and files can’t be uploaded',
    );
    expect(await home('U0MIA', (text) => text.includes('Commands'))).not.toContain('files:read');
  });

  test('the form of access names the missing scope for user groups', async () => {
    await without('usergroups:read');
    const ada = app.person('U0ADA');
    await ada.say('/scandesk access');
    const form = await ada.seesForm('access');
    expect(read(form.view.blocks)).toContain(
      'Scandesk can’t list user groups: it is missing the permission usergroups:read (to add it, a workspace admin can',
    );
    await ada.close(form);
  });
});

/** The Web API methods that `src/slack` calls, by `client.x.y(`. */
function calledMethods(): readonly string[] {
  const folder = new URL('../../../src/slack/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(/\bclient\s*\.([a-z]+(?:\s*\.[a-zA-Z]+)+)\(/g)]);
  return [...new Set(calls.map(([, name]) => name!.replace(/\s/g, '')))].sort();
}
