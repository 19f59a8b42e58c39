/**
 * Slackbot as an MCP client, without a model: it lists the app's tools, draws a form from a tool's schema, and shows
 * the answer's blocks. Only a button `tool:NAME` calls a tool: with its value (JSON), and its message's `input:ARG`.
 */
import { z } from 'zod';
import type { ActionRequest, ActionResult, Container } from './api.js';
import type { Sender } from './app/sender.js';
import { checkMessageBlocks, elementsOf } from './blocks/check.js';
import type { Core } from './core.js';
import { newBlockId } from './ids.js';
import { onAppUrl } from './manifest.js';
import { changeMessage, putMessage } from './messages.js';
import type { Actor } from './person/who.js';
import { SandboxRefusal } from './refusal.js';
import { type Block, type ChannelRecord, channelRecord, type MessageRecord } from './world/records.js';

export const slackbotUser = 'USLACKBOT';

const property = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
  description: z.string().optional(),
});
const tool = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: z.looseObject({
    properties: z.record(z.string(), property).default({}),
    required: z.array(z.string()).default([]),
  }),
});
type Tool = z.output<typeof tool>;

const answers = {
  list: z.object({ tools: z.array(tool) }),
  call: z.object({
    content: z.array(z.looseObject({ text: z.string().optional() })),
    _meta: z.looseObject({ slack: z.looseObject({ blocks: z.array(z.unknown()).optional() }).optional() }).optional(),
  }),
};

/** The types of blocks that Slackbot shows: Slack drops all blocks of an answer if one is of another type. */
const drawnTypes = [
  ...['context', 'divider', 'header', 'markdown', 'rich_text', 'section', 'file', 'image', 'video', 'actions'],
  ...['carousel', 'input', 'data_table', 'data_visualization', 'table', 'card', 'container'],
];
const toolTimeoutMs = 60_000;

type Json = Readonly<Record<string, unknown>>;

export interface Slackbot {
  /** Creates the person's conversation with Slackbot, where the app has an MCP server. */
  ensureConversation(actor: Actor): void;
  owns(container: Container): boolean;
  press(actor: Actor, request: Omit<ActionRequest, 'as'>): Promise<ActionResult>;
}

export function createSlackbot(core: Core, sender: Sender): Slackbot {
  const { manifest, world } = core;
  const [server] = Object.values(manifest.mcp_servers ?? {});
  const isInstalled = server !== undefined && manifest.oauth_config.scopes.bot.includes('mcp:connect');

  async function rpc<Result>(actor: Actor, schema: z.ZodType<Result>, method: string, params: Json): Promise<Result> {
    const appUrl = core.appUrl();
    const organisation = core.organisation ? { enterprise_id: core.organisation.id } : {};
    const slack = { user_id: actor.person.id, team_id: actor.person.home_team, ...organisation };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { slack } } };
    const reply = await sender.post({
      url: onAppUrl(server!.url, appUrl ?? 'http://localhost'),
      contentType: 'application/json',
      body: JSON.stringify(message),
      headers: { accept: 'application/json, text/event-stream' },
      timeoutMs: toolTimeoutMs,
    });
    if (!reply.ok) {
      throw new SandboxRefusal(502, reply.error, 'Slackbot got no answer from the app’s MCP server');
    }
    const data = reply.contentType.startsWith('text/event-stream') ? /^data: (.*)$/m.exec(reply.body)?.[1] : reply.body;
    const { result, error } = JSON.parse(data ?? '{}') as { result?: unknown; error?: { message?: string } };
    const parsed = schema.safeParse(result);
    if (!parsed.success) {
      throw new SandboxRefusal(502, 'mcp_error', error?.message ?? 'the app’s MCP server sent no result');
    }
    return parsed.data;
  }

  const postAs = (channel: ChannelRecord, user: string, text: string, blocks?: readonly Json[]): MessageRecord =>
    putMessage(core, { channel: channel.id, user, text, ...(blocks ? { blocks: withBlockIds(blocks) } : {}) });

  const withBlockIds = (blocks: readonly Json[]) =>
    blocks.map((block) => ({ ...block, block_id: newBlockId(core.random) })) as unknown as Block[];

  async function call(actor: Actor, name: string, input: Json): Promise<{ text: string; blocks?: Block[] }> {
    const { content, _meta } = await rpc(actor, answers.call, 'tools/call', { name, arguments: input });
    const text = content.map((each) => each.text ?? '').join('\n');
    const blocks = _meta?.slack?.blocks ?? [];
    const isDrawn = blocks.every((block) => drawnTypes.includes(String((block as Json).type)));
    const checked = isDrawn && blocks.length > 0 ? checkMessageBlocks(blocks, core.random) : undefined;
    return checked?.ok ? { text, blocks: checked.value.map((block) => ({ ...block })) } : { text };
  }

  const listBlocks = (tools: readonly Tool[]): Json[] => [
    section('Scandesk answers with these. *Ask* opens a form; the real Slackbot fills it in from your words.'),
    ...tools.map(({ name, title, description }) => ({
      ...section(`*${title ?? name}*\n${description}`),
      accessory: button('Ask', `form:${name}`),
    })),
  ];

  return {
    ensureConversation({ person, team }) {
      const id = `D0SLACKBOT${person.id}`;
      if (!isInstalled || world.channel(id)) {
        return;
      }
      const channel = channelRecord({
        id,
        team: team.id,
        name: 'Slackbot',
        creator: person.id,
        is_private: true,
        is_im: true,
        created: Math.floor(core.clock.now() / 1_000),
      });
      world.saveChannel(channel);
      world.addMember(id, person.id);
      world.addMember(id, slackbotUser);
      postAs(channel, slackbotUser, 'What can I do for you?', [
        section('I can ask apps that bring an MCP server.'),
        { type: 'actions', elements: [button('What can Scandesk answer?', 'tools')] },
      ]);
    },

    owns: (container) => container.type === 'message' && container.channel.startsWith('D0SLACKBOT'),

    async press(actor, { container, block_id: blockId, action_id: actionId, values = {} }) {
      const { channel: id, ts } = container as Extract<Container, { type: 'message' }>;
      const channel = world.channel(id);
      const message = world.message(id, ts);
      const block = message?.blocks?.find((each) => each.block_id === blockId);
      const element = block && elementsOf(block).find((each) => each.action_id === actionId);
      if (!channel || !message || !element || !world.isMember(id, actor.person.id)) {
        throw new SandboxRefusal(404, 'no_such_element', `no element ${actionId} in a block ${blockId}`);
      }
      const [kind, toolName = ''] = actionId.split(':');
      if (kind === 'tools' || kind === 'form') {
        const { tools } = await rpc(actor, answers.list, 'tools/list', {});
        const wanted = tools.find((each) => each.name === toolName);
        postAs(channel, slackbotUser, 'Tools', wanted ? formBlocks(wanted) : listBlocks(tools));
      } else if (kind === 'tool') {
        const isForm = message.blocks?.some(({ type }) => type === 'input') === true;
        const input = { ...(JSON.parse(String(element.value)) as Json), ...inputsOf(message, values) };
        const answer = await call(actor, toolName, input);
        if (isForm) {
          postAs(channel, actor.person.id, `${toolName} ${JSON.stringify(input)}`);
          putMessage(core, { channel: id, user: slackbotUser, ...answer });
        } else {
          changeMessage(core, { ...message, ...answer });
        }
      }
      return { ok: true };
    },
  };
}

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = (text: string, action_id: string) => ({ type: 'button', text: plainText(text), action_id, value: '{}' });

/** A field for each argument that a person can type or choose. */
function formBlocks({ name, title, description, inputSchema: { properties, required } }: Tool): Json[] {
  const fields = Object.entries(properties).filter(([, { type }]) => type === 'string' || type === 'array');
  return [
    section(`*${title ?? name}*\n${description}`),
    ...fields.map(([argument, { type, enum: choices, items, description: hint }]) => {
      const choiceValues = choices ?? items?.enum;
      const options = choiceValues?.map((value) => ({ text: plainText(value.replaceAll('_', ' ')), value }));
      return {
        type: 'input',
        label: plainText(argument.replaceAll('_', ' ')),
        optional: !required.includes(argument),
        ...(hint ? { hint: plainText(hint) } : {}),
        element: {
          action_id: `input:${argument}`,
          ...(options
            ? { type: choices ? 'static_select' : 'multi_static_select', options }
            : { type: 'plain_text_input', multiline: type === 'array' }),
        },
      };
    }),
    { type: 'actions', elements: [button('Ask', `tool:${name}`)] },
  ];
}

/** The entered values, by argument. A field with several lines is a list. */
function inputsOf({ blocks = [] }: MessageRecord, values: NonNullable<ActionRequest['values']>): Json {
  const enteredPairs = blocks.flatMap((block) => {
    const element = block.element as Json | undefined;
    const id = String(element?.action_id ?? '');
    const givenState = values[block.block_id]?.[id] as Json | null | undefined;
    const option = givenState?.selected_option as { value?: string } | null | undefined;
    const selectedValues = (givenState?.selected_options as { value: string }[] | undefined)?.map(({ value }) => value);
    const enteredText = givenState?.value as string | null | undefined;
    const lines = element?.multiline ? enteredText?.split('\n').filter((line) => line !== '') : enteredText;
    const value = option?.value ?? selectedValues ?? lines;
    return id.startsWith('input:') && value && value.length > 0 ? [[id.slice('input:'.length), value]] : [];
  });
  return Object.fromEntries(enteredPairs) as Json;
}
