/**
 * Typed text that is refused at once, in commands, messages and lookups: an API key is neither repeated nor looked
 * up, and a NUL can neither be stored nor sent.
 */
import { SlackError } from '../errors.js';
import type { BaseContext } from './context.js';

/** The shape of the account's API keys: 32 hexadecimal digits, letters among them. A text in quotes is a barcode. */
const keyShape = /(?<![\w"“”„‟＂])(?=\d*[a-f])[\da-f]{32}(?!\w)/i;

/** The length from which text is compared with the connected key: shorter text holds no key. */
const shortestKey = 16;

/** Refuses a typed API key or NUL. @throws SlackError `slack.typed_key`, `slack.typed_nul` */
export async function refuseTyped({ deps, actor }: Pick<BaseContext, 'deps' | 'actor'>, text: string): Promise<void> {
  if (text.includes('\0')) {
    throw new SlackError('slack.typed_nul', 'the text holds a NUL');
  }
  const isKey = keyShape.test(text) || (text.length >= shortestKey && (await holdsConnectedKey()));
  if (isKey) {
    throw new SlackError('slack.typed_key', 'the text holds what looks like an API key');
  }

  async function holdsConnectedKey(): Promise<boolean> {
    const key = await deps.store.workspaces.apiKey(actor.owner);
    return key !== undefined && key.length >= shortestKey && text.includes(key);
  }
}
