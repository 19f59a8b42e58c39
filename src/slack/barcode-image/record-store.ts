/** The store of barcode images for 24 hours, so that a button acts on the image the person saw. */
import { z } from 'zod';
import type { Picture } from '../../codereadr/operations/operation.js';
import type { Owner } from '../../ownership.js';
import { recordStore } from '../../workspaces/record-store.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { type OperationContext, picturedFile } from '../operations/index.js';
import { drawImage } from './message.js';

const storedImageSchema = z
  .object({
    value: z.string(),
    file: z.string(),
    /** The generator's input, to prefill the form; without files. */
    look: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  })
  .readonly();

export type StoredImage = z.output<typeof storedImageSchema>;

export const imageRecords = recordStore('made-barcode', storedImageSchema);

/** @throws SlackError `slack.card_old` once the record has expired */
export async function findImage(deps: Pick<SlackDeps, 'store'>, owner: Owner, id: string): Promise<StoredImage> {
  const found = await imageRecords.find(deps, owner, id);
  if (!found) {
    throw new SlackError('slack.card_old', `barcode image not found: ${id}`, { command: '/barcode make' });
  }
  return found;
}

/** Uploads and stores the image; resolves to its message. @throws Slack's error when the upload fails */
export async function storeImage(
  { deps, actor, client }: Pick<OperationContext, 'deps' | 'actor' | 'client'>,
  picture: Picture,
  input: Readonly<Record<string, unknown>>,
): Promise<Message> {
  const { value, ...otherInput } = input;
  const look = Object.fromEntries(
    Object.entries(otherInput).filter((entry): entry is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );
  const barcode: StoredImage = {
    value: String(value),
    file: await picturedFile(client, picture, 'barcode', deps.clock),
    look,
  };
  return drawImage(barcode, { buttonValue: await imageRecords.save(deps, actor.owner, barcode) });
}
