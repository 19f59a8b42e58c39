/**
 * Text that Slack keeps for Scandesk: a modal's private_metadata, the value of a button or an option. Everyone who sees
 * the element can read it, so it never holds a secret.
 */
import { z } from 'zod';
import { SlackError } from './errors.js';

/** The most characters of each kind of text: Slack refuses longer ones. */
export const longest = { metadata: 3000, button: 2000, option: 150 } as const;

/**
 * Encodes a value: a text stays unchanged, everything else becomes JSON; `decode` is the reverse.
 * @throws SlackError `slack.state` for a value that Slack would refuse
 */
export function encode<S extends z.ZodType>(_schema: S, value: z.output<S>, limit: number = longest.metadata): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length > limit) {
    throw new SlackError('slack.state', `${text.length} characters exceed Slack’s limit of ${limit}`);
  }
  return text;
}

/** @throws SlackError `slack.state` for a text of another shape. `id`: the action or modal it came with. */
export function decode<S extends z.ZodType>(schema: S, text: string | undefined, id: string): z.output<S> {
  const parsed = schema.safeParse(schema instanceof z.ZodString ? text : parseJson(text));
  if (!parsed.success) {
    throw new SlackError('slack.state', `unexpected data with ${id}`, { cause: parsed.error });
  }
  return parsed.data;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The origin in a modal's metadata: the channel where it was opened. A closed modal's outcome is posted there. */
export const origin = { channel: z.string().optional() };
export const originMetadata = z.object(origin);

export function originOf(privateMetadata: string | undefined): string | undefined {
  return originMetadata.safeParse(parseJson(privateMetadata)).data?.channel;
}
