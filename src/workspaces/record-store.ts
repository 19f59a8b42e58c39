/**
 * Records with a life span, by owner and id. A workspace can read only its own; a record of another version's shape
 * counts as expired.
 */
import type { z } from 'zod';
import type { Random } from '../clock.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { Store } from './types.js';

const day = 24 * 60 * 60_000;

export interface RecordDeps {
  readonly store: Pick<Store, 'keyv'>;
  readonly random: Random;
}

export interface RecordStore<Item> {
  /** Resolves to the id it is stored under. */
  save(deps: RecordDeps, owner: Owner, item: Item, id?: string): Promise<string>;
  /** Undefined if it expired, or belongs to another owner. */
  find(deps: Pick<RecordDeps, 'store'>, owner: Owner, id: string): Promise<Item | undefined>;
}

/** @param namespace of keyv; stored records are found by it */
export function recordStore<Item>(namespace: string, shape: z.ZodType<Item>, ttlMs = day): RecordStore<Item> {
  return {
    async save({ store, random }, owner, item, id = newRecordId(random)) {
      await store.keyv<unknown>(namespace, { ttlMs }).set(recordKey(owner, id), item);
      return id;
    },
    async find({ store }, owner, id) {
      return shape.safeParse(await store.keyv<unknown>(namespace, { ttlMs }).get(recordKey(owner, id))).data;
    },
  };
}

export function newRecordId(random: Random): string {
  return random.bytes(12).toString('base64url');
}

/** The owner comes first: erasing an installation deletes by key prefix. */
export function recordKey(owner: Owner, id: string): string {
  return `${ownerKey(owner)}:${id}`;
}
