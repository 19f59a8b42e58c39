/**
 * The store of barcode images for 24 hours, so that a button acts on the image the person saw.
 * Keys include the workspace, so no workspace can read another's.
 */
import { z } from 'zod';
import type { Picture } from '../../codereadr/operations/operation.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import { metadata } from '../bolt/ids.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { type OperationContext, picturedFile } from '../operations/index.js';
import { madeMessage } from './message.js';

const ttlMs = 24 * 60 * 60_000;

const made = z
  .object({
    value: z.string(),
    file: z.string(),
    /** The generator's input, to prefill the form; without files. */
    look: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    /** Channel ids where it was shared. */
    shared: z.array(z.string()),
  })
  .readonly();

export type Made = z.output<typeof made>;

type Deps = Pick<SlackDeps, 'store' | 'random'>;

/** What the generator's form passes on to the handler after it. */
export const madeMetadata = metadata(z.object({ place: z.string().optional() }), 1000);

const records = ({ store }: Pick<SlackDeps, 'store'>) => store.keyv<unknown>('made-barcode', { ttlMs: ttlMs });
const key = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;

/** @throws SlackError `slack.card_old` once the record has expired */
export async function findMade(deps: Deps, owner: Owner, id: string): Promise<Made> {
  const found = made.safeParse(await records(deps).get(key(owner, id)));
  if (!found.success) {
    throw new SlackError('slack.card_old', `barcode image not found: ${id}`);
  }
  return found.data;
}

export async function saveMade(deps: Deps, owner: Owner, barcode: Made, id?: string): Promise<string> {
  const own = id ?? deps.random.bytes(12).toString('base64url');
  await records(deps).set(key(owner, own), barcode);
  return own;
}

/** Uploads the image and builds its message. @throws what Slack answers when the upload fails */
export async function showMade(
  { deps, actor, client }: Pick<OperationContext, 'deps' | 'actor' | 'client'>,
  picture: Picture,
  input: Readonly<Record<string, unknown>>,
): Promise<Message> {
  const { value, ...rest } = input;
  const look = Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );
  const barcode: Made = {
    value: String(value),
    file: await picturedFile(client, picture, 'barcode', deps.clock),
    look,
    shared: [],
  };
  return madeMessage(barcode, { buttonValue: await saveMade(deps, actor.owner, barcode) });
}
