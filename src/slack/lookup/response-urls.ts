/**
 * Stored response URLs, so that a card can be updated after its click opened a modal. They are sealed, because anyone
 * who has one can write in the channel.
 */
import { z } from 'zod';
import { codeOf } from '../../errors.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Message } from '../block-kit/elements.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { postToResponseUrl } from '../bolt/routing/respond.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly responseUrls: ResponseUrls;
  }
}

/** Slack accepts a response_url for 30 minutes, and five messages at most. */
const ttlMs = 30 * 60_000;

const shape = z.object({ sealed: z.string() });

export interface ResponseUrls {
  /** Resolves to the id it is stored under. */
  save(owner: Owner, responseUrl: string): Promise<string>;
  /** Replaces the card with the message. False if that is no longer possible. */
  update(owner: Owner, id: string, message: Message): Promise<boolean>;
}

export function createResponseUrls(deps: Pick<SlackDeps, 'store' | 'random' | 'log'>): ResponseUrls {
  const records = deps.store.keyv<unknown>('card-place', { ttlMs: ttlMs });
  const key = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;
  const seal = (owner: Owner, id: string) => ({
    purpose: 'response-url',
    installation: owner.installation,
    record: key(owner, id),
  });

  return {
    async save(owner, responseUrl) {
      const id = deps.random.bytes(12).toString('base64url');
      await records.set(key(owner, id), { sealed: deps.store.sealer.seal(responseUrl, seal(owner, id)) });
      return id;
    },

    async update(owner, id, message) {
      const found = shape.safeParse(await records.get(key(owner, id)));
      if (!found.success) {
        return false;
      }
      try {
        const url = deps.store.sealer.open(found.data.sealed, seal(owner, id));
        await postToResponseUrl(url, { ...message, response_type: 'ephemeral', replace_original: true });
        return true;
      } catch (error) {
        // It may have arrived: a duplicate card is better than none.
        deps.log.info({ code: codeOf(error) }, 'could not update a card in place');
        return false;
      }
    },
  };
}
