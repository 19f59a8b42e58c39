/**
 * Typed text that is refused at once, whatever command it follows: an API key is neither repeated nor looked up, and a
 * NUL can neither be stored nor sent.
 */
import { SlackError } from '../errors.js';
import type { BaseContext } from './context.js';

/** As the account makes keys: 32 hexadecimal digits, letters among them. In quotes, they are a barcode. */
const keyShape = /(?<![\w"“”„‟＂])(?=\d*[a-f])[\da-f]{32}(?!\w)/i;

/** Shorter text holds no key, and costs no reading of the connected one. */
const shortestKey = 16;

/** @throws SlackError `slack.typed_key`, `slack.typed_nul` */
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
