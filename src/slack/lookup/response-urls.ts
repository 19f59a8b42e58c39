/**
 * Stored response URLs, which update a card after a click on it opened a modal, and share an answer of the lookup form.
 * The URLs are sealed: anyone who has one can post in the channel.
 */
import { z } from 'zod';
import { codeOf } from '../../errors.js';
import type { Owner } from '../../ownership.js';
import { newRecordId, recordKey, recordStore } from '../../workspaces/record-store.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { postToResponseUrl } from '../bolt/routing/respond.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly responseUrls: ResponseUrls;
  }
}

/** Slack accepts a response_url for 30 minutes, and five messages at most. */
const records = recordStore('card-place', z.object({ sealed: z.string() }), 30 * 60_000);

export function createResponseUrls(deps: Pick<SlackDeps, 'store' | 'random' | 'log'>) {
  const sealContext = (owner: Owner, id: string) => ({
    purpose: 'response-url',
    installation: owner.installation,
    record: recordKey(owner, id),
  });

  async function find(owner: Owner, id: string): Promise<string | undefined> {
    const found = await records.find(deps, owner, id);
    return found && deps.store.sealer.open(found.sealed, sealContext(owner, id));
  }

  return {
    /** Stores a response URL; resolves to its id. */
    async save(owner: Owner, responseUrl: string): Promise<string> {
      const id = newRecordId(deps.random);
      const sealed = deps.store.sealer.seal(responseUrl, sealContext(owner, id));
      return records.save(deps, owner, { sealed }, id);
    },

    /** Replaces the card with the message. Resolves to false where Slack did not confirm it or the URL is gone. */
    async update(owner: Owner, id: string, message: Message): Promise<boolean> {
      try {
        const url = await find(owner, id);
        if (url === undefined) {
          return false;
        }
        await postToResponseUrl(url, { ...message, response_type: 'ephemeral', replace_original: true });
        return true;
      } catch (error) {
        // The card may have been updated all the same: a second card is better than none.
        deps.log.info({ code: codeOf(error) }, 'could not update a card in place');
        return false;
      }
    },

    /** Posts the message for everybody in the channel. @throws SlackError `slack.card_old`, `slack.response_url` */
    async share(owner: Owner, id: string, message: Message): Promise<void> {
      const url = await find(owner, id);
      if (url === undefined) {
        throw new SlackError('slack.card_old', `response URL not found: ${id}`);
      }
      await postToResponseUrl(url, { ...message, response_type: 'in_channel', replace_original: false });
    },
  };
}

export type ResponseUrls = ReturnType<typeof createResponseUrls>;
