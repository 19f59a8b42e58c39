/**
 * The app manifest as the workspace reads it: commands, shortcuts, scopes, events and URLs. A manifest that Slack could
 * not install is rejected.
 */
import { z } from 'zod';

const command = z.looseObject({
  command: z.string().regex(/^\/[a-z0-9_-]{1,31}$/),
  description: z.string().min(1).max(2000),
  usage_hint: z.string().max(1000).optional(),
  url: z.url().optional(),
  should_escape: z.boolean().optional(),
});

const shortcut = z.looseObject({
  name: z.string().min(1).max(24),
  type: z.enum(['global', 'message']),
  callback_id: z.string().min(1).max(255),
  description: z.string().min(1).max(150),
});

export const manifestSchema = z.looseObject({
  display_information: z.looseObject({ name: z.string().min(1).max(35) }),
  features: z.looseObject({
    bot_user: z.looseObject({ display_name: z.string().min(1).max(80) }),
    app_home: z
      .looseObject({
        home_tab_enabled: z.boolean().optional(),
        messages_tab_read_only_enabled: z.boolean().optional(),
      })
      .optional(),
    slash_commands: z.array(command).max(50).optional(),
    shortcuts: z.array(shortcut).max(10).optional(),
  }),
  oauth_config: z.looseObject({
    redirect_urls: z.array(z.url()).optional(),
    scopes: z
      .looseObject({ bot: z.array(z.string()).min(1), bot_optional: z.array(z.string()).optional() })
      .refine(({ bot, bot_optional: optional = [] }) => optional.every((scope) => bot.includes(scope)), {
        message: 'an optional scope is one of the scopes too',
      }),
  }),
  mcp_servers: z.record(z.string(), z.object({ url: z.url(), auth_type: z.literal('slack_identity_auth') })).optional(),
  settings: z.looseObject({
    event_subscriptions: z
      .looseObject({
        request_url: z.url().optional(),
        bot_events: z.array(z.string()).optional(),
        metadata_subscriptions: z.array(z.object({ app_id: z.string(), event_type: z.string() })).optional(),
      })
      .optional(),
    interactivity: z
      .looseObject({
        is_enabled: z.boolean(),
        request_url: z.url().optional(),
        message_menu_options_url: z.url().optional(),
      })
      .optional(),
  }),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestCommand = z.output<typeof command>;

/** The manifest with the additions of docs/slackbot.md. @throws ZodError if Slack could not read the manifest */
export function withSlackbot(json: unknown): Manifest {
  const manifest = manifestSchema.parse(json);
  const { oauth_config: oauth } = manifest;
  const bot = [...oauth.scopes.bot, 'mcp:connect'];
  return {
    ...manifest,
    oauth_config: { ...oauth, scopes: { ...oauth.scopes, bot } },
    mcp_servers: { scandesk: { url: 'https://scandesk.example.com/mcp', auth_type: 'slack_identity_auth' } },
  };
}

/** Moves a manifest URL to the app's current address: the manifest has the production address. */
export function onAppUrl(manifestUrl: string, appUrl: string): string {
  const { pathname, search } = new URL(manifestUrl);
  return new URL(`${pathname}${search}`, appUrl).toString();
}
