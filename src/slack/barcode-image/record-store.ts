/** The store of barcode images for 24 hours, so that a button acts on the image the person saw. */
import { z } from 'zod';
import type { Picture } from '../../codereadr/operations/operation.js';
import type { Owner } from '../../ownership.js';
import { recordStore } from '../../workspaces/record-store.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { type OperationContext, picturedFile } from '../operations/index.js';
import { madeMessage } from './message.js';

const madeImageSchema = z
  .object({
    value: z.string(),
    file: z.string(),
    /** The generator's input, to prefill the form; without files. */
    look: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  })
  .readonly();

export type Made = z.output<typeof madeImageSchema>;

export const madeRecords = recordStore('made-barcode', madeImageSchema);

/** @throws SlackError `slack.card_old` once the record has expired */
export async function findMade(deps: Pick<SlackDeps, 'store'>, owner: Owner, id: string): Promise<Made> {
  const found = await madeRecords.find(deps, owner, id);
  if (!found) {
    throw new SlackError('slack.card_old', `barcode image not found: ${id}`, { command: '/barcode make' });
  }
  return found;
}

/** Uploads the image and builds its message. @throws what Slack answers when the upload fails */
export async function showMade(
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
  const barcode: Made = {
    value: String(value),
    file: await picturedFile(client, picture, 'barcode', deps.clock),
    look,
  };
  return madeMessage(barcode, { buttonValue: await madeRecords.save(deps, actor.owner, barcode) });
}
