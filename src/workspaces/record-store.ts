/**
 * Records with a life span, by owner and id. A workspace can read only its own records; a record of another version's
 * shape counts as expired.
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

/**
 * Makes a kind of record. @param namespace the namespace in keyv, by which stored records are found
 * @param ttlMs infinite: the records stay until they are deleted
 */
export function recordStore<Item>(namespace: string, schema: z.ZodType<Item>, ttlMs = day) {
  const life = Number.isFinite(ttlMs) ? { ttlMs } : {};
  const idsFrom = async ({ store }: { readonly store: Pick<Store, 'db'> }, owner: Owner, prefix: string) => {
    const from = recordKey(owner, prefix);
    const rows = await store.db
      .selectFrom('keyv')
      .select('key')
      .where('namespace', '=', namespace)
      .where('key', '>=', from)
      .where('key', '<', keyAfter(from))
      .orderBy('key')
      .execute();
    return rows.map(({ key }) => key.slice(recordKey(owner, '').length));
  };
  return {
    namespace,
    /** Stores a record; resolves to its id. */
    async save({ store, random }: RecordDeps, owner: Owner, item: Item, id = newRecordId(random)) {
      await store.keyv<unknown>(namespace, life).set(recordKey(owner, id), item);
      return id;
    },
    /** A record; undefined if it expired, or belongs to another owner. */
    async find({ store }: Pick<RecordDeps, 'store'>, owner: Owner, id: string): Promise<Item | undefined> {
      return schema.safeParse(await store.keyv<unknown>(namespace, life).get(recordKey(owner, id))).data;
    },
    /**
     * Updates a record from its current item; undefined stands for no record, before and after. `update` runs again
     * after a concurrent write: it must have no side effects. An update begins a new life span.
     */
    async update(
      { store }: { readonly store: Pick<Store, 'revise'> },
      owner: Owner,
      id: string,
      update: (before: Item | undefined) => Item | undefined,
    ) {
      const change = (before: unknown) => update(schema.safeParse(before).data);
      await store.revise(namespace, recordKey(owner, id), change, life);
    },
    ids: (deps: { readonly store: Pick<Store, 'db'> }, owner: Owner) => idsFrom(deps, owner, ''),
    /** The owner's records whose id begins with `prefix`, by id. */
    async list(deps: { readonly store: Pick<Store, 'db' | 'keyv'> }, owner: Owner, prefix: string) {
      const ids = await idsFrom(deps, owner, prefix);
      const keys = ids.map((id) => recordKey(owner, id));
      const items = keys.length === 0 ? [] : await deps.store.keyv<unknown>(namespace, life).getMany(keys);
      return ids.flatMap((id, at) => {
        const { data } = schema.safeParse(items[at]);
        return data === undefined ? [] : [[id, data] as const];
      });
    },
    async erase({ store }: { readonly store: Pick<Store, 'db'> }, owner: Owner) {
      const { from, to } = keysOf(owner);
      await store.db
        .deleteFrom('keyv')
        .where('namespace', '=', namespace)
        .where('key', '>=', from)
        .where('key', '<', to)
        .execute();
    },
  };
}

export type RecordStore<Item> = ReturnType<typeof recordStore<Item>>;

export function newRecordId(random: Random): string {
  return random.bytes(12).toString('base64url');
}

/** The key of a record. The owner comes first, so that an installation is erased by key prefix. */
export function recordKey(owner: Owner, id: string): string {
  return `${ownerKey(owner)}:${id}`;
}

/** The owner's keys, from `T1:T1:` to before `T1:T1;`: the semicolon is the next character after the colon. */
export function keysOf(owner: Owner): { readonly from: string; readonly to: string } {
  const from = recordKey(owner, '');
  return { from, to: keyAfter(from) };
}

/** The first key that no longer begins with the prefix, which ends in ASCII. */
function keyAfter(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
