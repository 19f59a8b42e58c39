/**
 * Owns where a card can still be changed in place once its click is answered by a window: the click's response_url, kept on
 * the server for as long as Slack takes it. Refuses to keep it in clear: whoever has it can write in the channel.
 */
import { z } from 'zod';
import { codeOf } from '../../errors.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Message } from '../block-kit/elements.js';
import { postToResponseUrl } from '../bolt/response-url.js';
import type { SlackDeps } from '../bolt/routing/deps.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly places: ResponseUrls;
  }
}

/** Slack takes posts through a response_url for 30 minutes, five at most. */
const keepMs = 30 * 60_000;

const shape = z.object({ sealed: z.string() });

export interface ResponseUrls {
  /** Answers the id under which it is kept. */
  keep(owner: Owner, responseUrl: string): Promise<string>;
  /** Puts the message in the card's place. False where that cannot be done any more. */
  put(owner: Owner, id: string, message: Message): Promise<boolean>;
}

export function createResponseUrls(deps: Pick<SlackDeps, 'store' | 'random' | 'log'>): ResponseUrls {
  const kept = deps.store.keyv<unknown>('card-place', { ttlMs: keepMs });
  const key = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;
  const seal = (owner: Owner, id: string) => ({
    purpose: 'response-url',
    installation: owner.installation,
    record: key(owner, id),
  });

  return {
    async keep(owner, responseUrl) {
      const id = deps.random.bytes(12).toString('base64url');
      await kept.set(key(owner, id), { sealed: deps.store.sealer.seal(responseUrl, seal(owner, id)) });
      return id;
    },

    async put(owner, id, message) {
      const found = shape.safeParse(await kept.get(key(owner, id)));
      if (!found.success) {
        return false;
      }
      try {
        const url = deps.store.sealer.open(found.data.sealed, seal(owner, id));
        await postToResponseUrl(url, { ...message, response_type: 'ephemeral', replace_original: true });
        return true;
      } catch (error) {
        // Whether it arrived is not known: a card too many is better than none.
        deps.log.info({ code: codeOf(error) }, 'a card could not be changed in its place');
        return false;
      }
    },
  };
}
