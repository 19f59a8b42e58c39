import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ListenerKind } from '../../../src/slack/bolt/routing/listeners.js';
import { botScopes, optionalScopes } from '../../../src/slack/bolt/scopes.js';
import { listeners, tables } from '../../../src/slack/features.js';
import { eventsPath } from '../../../src/slack/index.js';
import { redirectPath } from '../../../src/slack/install/install.js';

const shape = z.object({
  display_information: z.object({ name: z.string(), description: z.string(), long_description: z.string() }),
  features: z.object({
    app_home: z.object({ home_tab_enabled: z.boolean(), messages_tab_enabled: z.boolean() }),
    bot_user: z.object({ display_name: z.string() }),
    slash_commands: z.array(
      z.object({
        command: z.string(),
        url: z.url(),
        description: z.string(),
        usage_hint: z.string(),
        should_escape: z.boolean(),
      }),
    ),
    shortcuts: z.array(z.object({ callback_id: z.string(), type: z.enum(['message', 'global']) })).default([]),
  }),
  oauth_config: z.object({
    redirect_urls: z.array(z.url()),
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }),
  }),
  settings: z.object({
    event_subscriptions: z.object({ request_url: z.url(), bot_events: z.array(z.string()) }),
    interactivity: z.object({ is_enabled: z.boolean(), request_url: z.url(), message_menu_options_url: z.url() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
});

const sorted = (items: Iterable<string>) => [...items].sort();

const idsOf = (wanted: ListenerKind) => listeners.flatMap(({ kind, ids }) => (kind === wanted ? ids : []));

describe('the manifest', () => {
  let manifest: z.output<typeof shape>;
  let text: string;

  beforeAll(async () => {
    text = await readFile(new URL('../../../manifest.yml', import.meta.url), 'utf8');
    manifest = shape.parse(parse(text));
  });

  test('the manifest names every command that has a listener, and no other', () => {
    expect(sorted(manifest.features.slash_commands.map((command) => command.command))).toEqual(
      sorted(idsOf('command')),
    );
  });

  test('the manifest’s hint for /scandesk names six subcommands, help last', () => {
    const hint = manifest.features.slash_commands.find((command) => command.command === '/scandesk')!.usage_hint;
    const table = tables().find((each) => each.command === '/scandesk')!;
    const hinted = hint.split(' | ');
    expect(hinted).toHaveLength(6);
    expect(hinted.at(-1)).toBe('help');
    expect(table.subcommands.map(({ name }) => name)).toEqual(expect.arrayContaining(hinted));
  });

  test('the manifest subscribes to every event with a listener but message_metadata_posted, which operators may add', () => {
    const listened = [...idsOf('event'), ...idsOf('conversation')].filter(
      (event) => event !== 'message_metadata_posted',
    );
    expect(sorted(manifest.settings.event_subscriptions.bot_events)).toEqual(sorted(listened));
  });

  test('the manifest has the shortcuts with listeners, and no other', () => {
    const offered = (type: string) =>
      manifest.features.shortcuts.flatMap((shortcut) => (shortcut.type === type ? shortcut.callback_id : []));
    expect(sorted(offered('message'))).toEqual(sorted(idsOf('shortcut')));
    expect(sorted(offered('global'))).toEqual(sorted(idsOf('global_shortcut')));
  });

  test('the manifest requests the scopes of the install page', () => {
    expect(sorted(manifest.oauth_config.scopes.bot)).toEqual(sorted(botScopes));
    expect(sorted(manifest.oauth_config.scopes.bot_optional)).toEqual(sorted(optionalScopes));
    // Slack refuses an optional scope that is not listed among the others too.
    expect(manifest.oauth_config.scopes.bot).toEqual(expect.arrayContaining(manifest.oauth_config.scopes.bot_optional));
  });

  test('the manifest sends commands, events and interactions to the events path, all URLs at one origin', () => {
    const urls = [
      ...manifest.features.slash_commands.map((command) => command.url),
      manifest.settings.event_subscriptions.request_url,
      manifest.settings.interactivity.request_url,
      manifest.settings.interactivity.message_menu_options_url,
    ];
    expect(new Set(urls.map((url) => new URL(url).pathname))).toEqual(new Set([eventsPath]));
    expect(manifest.oauth_config.redirect_urls.map((url) => new URL(url).pathname)).toEqual([redirectPath]);
    expect(new Set([...urls, ...manifest.oauth_config.redirect_urls].map((url) => new URL(url).origin)).size).toBe(1);
  });

  test('the manifest’s texts have lengths that Slack takes', () => {
    expect(manifest.display_information.name.length).toBeLessThanOrEqual(35);
    expect(manifest.display_information.description.length).toBeLessThanOrEqual(140);
    expect(manifest.display_information.long_description.length).toBeGreaterThanOrEqual(174);
    expect(manifest.display_information.long_description.length).toBeLessThanOrEqual(4000);
  });

  test('the manifest turns on options of pickers, App Home, org-wide installs, and commands sent as typed', () => {
    expect(manifest.settings.interactivity.is_enabled).toBe(true);
    expect(idsOf('options').length).toBeGreaterThan(0);
    expect(manifest.features.app_home).toMatchObject({ home_tab_enabled: true, messages_tab_enabled: true });
    expect(manifest.settings).toMatchObject({
      org_deploy_enabled: true,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    });
    expect(manifest.features.slash_commands.every((command) => !command.should_escape)).toBe(true);
  });

  test('every button and every form has a listener', async () => {
    const texts = await sources(new URL('../../../src/slack/', import.meta.url));
    const drawn = (pattern: RegExp) =>
      sorted(new Set(texts.flatMap((each) => [...each.matchAll(pattern)].map(([, id]) => id!))));
    const heard = new Set([...idsOf('action'), ...idsOf('options')]);
    const buttons = drawn(/\bbutton\(\s*[^()]*?,\s*'([a-z_]+\.[a-z_.]+)'/g);
    expect(buttons.length).toBeGreaterThan(30);
    expect(buttons.filter((id) => !heard.has(id))).toEqual([]);
    /** The callback ids of modals that have nothing to submit. */
    const silent: readonly string[] = [
      'loading',
      'problem',
      'connection',
      'notice',
      'audit',
      'lookup.scans',
      'lookup.answer',
      'scans.results',
      'scans.saved.list',
      'list.more',
      'form.result',
      'relay.list',
      'reports.list',
      'reports.none',
      'places.list',
      'places.roll',
      'relay.one',
      'relay.url',
      'relay.answers',
      'relay.rules',
      'relay.rule.saved',
      'relay.service.result',
      'relay.pages',
    ];
    const views = drawn(/\bcallback_id: '([a-z_.]+)'/g).filter((id) => !silent.includes(id));
    expect(views.length).toBeGreaterThan(10);
    expect(views.filter((id) => !idsOf('view').includes(id))).toEqual([]);
  });
});

async function sources(folder: URL): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  return Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
}
