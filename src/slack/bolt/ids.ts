/** Typed metadata of views and buttons. It holds no secrets: everyone who sees the view can read it. */
import { z } from 'zod';
import { SlackError } from './errors.js';

export interface Metadata<T> {
  write(value: T): string;
  /** @throws SlackError `slack.state` for text that `write` did not make */
  read(text: string | undefined): T;
}

/** Metadata of a view or a button's value: JSON checked by a schema. */
export function metadata<S extends z.ZodType>(schema: S, longest = 3000): Metadata<z.output<S>> {
  return {
    write: (value) => {
      const text = JSON.stringify(value);
      if (text.length > longest) {
        throw new SlackError('slack.state', `metadata of ${text.length} characters exceeds ${longest}`);
      }
      return text;
    },
    read: (text) => {
      const parsed = schema.safeParse(json(text));
      if (!parsed.success) {
        throw new SlackError('slack.state', 'metadata of a view or button has an unexpected shape', {
          cause: parsed.error,
        });
      }
      return parsed.data;
    },
  };
}

function json(text: string | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The channel a modal was opened from: the outcome is posted there if the modal was closed. */
export const originMetadata = metadata(z.object({ channel: z.string().optional() }));
