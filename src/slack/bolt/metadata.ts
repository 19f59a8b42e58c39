/**
 * JSON that Slack keeps for us: a modal's private_metadata, a button's or option's value. Everyone who sees the element
 * can read it, so it never holds a secret.
 */
import { z } from 'zod';
import { SlackError } from './errors.js';

/** The most that Slack keeps: in private_metadata, a button's value, an option's value. */
export const metadataLimits = { modal: 3000, button: 2000, option: 150 } as const;

/** @throws SlackError `slack.state` for more than `limit` characters */
export function encode(value: unknown, limit: number = metadataLimits.modal): string {
  const text = JSON.stringify(value);
  if (text.length > limit) {
    throw new SlackError('slack.state', `metadata of ${text.length} characters exceeds ${limit}`);
  }
  return text;
}

/** @throws SlackError `slack.state` for text of another shape. `where`: the id of the action or modal it came with. */
export function decode<S extends z.ZodType>(schema: S, text: string | undefined, where: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new SlackError('slack.state', `unexpected metadata: ${where}`, { cause: parsed.error });
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

/** Every modal's metadata may name the channel it was opened from: an outcome is posted there if the modal was closed. */
export const origin = { channel: z.string().optional() };
const originSchema = z.object(origin);

export function originOf(privateMetadata: string | undefined): string | undefined {
  const parsed = originSchema.safeParse(parseJson(privateMetadata));
  return parsed.success ? parsed.data.channel : undefined;
}
