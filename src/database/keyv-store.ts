/**
 * Keyv's storage adapter on Scandesk's database: namespace and expiry are columns. Expiry follows the store's clock,
 * not the machine's; expired-records.ts deletes expired entries.
 */
import { EventEmitter } from 'node:events';
import { Keyv, type KeyvStoreAdapter, type StoredData } from 'keyv';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { chunksOf } from './chunks.js';
import { StoreError } from './errors.js';
import type { Schema } from './schema.js';
import { readJson } from './stored-json.js';
import type { StoreKind } from './types.js';

/** The limit of namespace and key together, in UTF-8 bytes: PostgreSQL cannot index much more in one entry. */
const keyBytes = 2_000;
const iteratorPage = 100;
/** The most keys in one statement: far below both databases' limits of parameters. */
const keysAtOnce = 500;

export interface KeyvDeps {
  readonly db: Kysely<Schema>;
  readonly kind: StoreKind;
  readonly clock: Clock;
}

/** The JSON in the column, which leaves `undefined` out. */
const storedSchema = z.object({ value: z.unknown().optional() });

export type OpenKeyv = <T>(namespace: string, options?: { ttlMs?: number }) => Keyv<T>;

/** Keyv instances over one database. Values are JSON; failures are thrown as StoreErrors, not swallowed. */
export function createKeyvs(deps: KeyvDeps): OpenKeyv {
  return (namespace, options = {}) =>
    new Keyv({
      store: new DatabaseKeyv(deps, { namespace }),
      namespace,
      // Keyv's prefixing confuses the key `a:b` in namespace `a` with the key `b`; a column cannot.
      useKeyPrefix: false,
      throwOnErrors: true,
      emitErrors: false,
      ...(options.ttlMs === undefined ? {} : { ttl: options.ttlMs }),
      // Keyv writes an expiry by the machine's clock into the value; the adapter's column follows the store's clock.
      serialize: ({ value }) => JSON.stringify({ value }),
      deserialize: (text) => ({ value: readJson(storedSchema, text, `${namespace} entry`).value as never }),
    });
}

/** The storage adapter that Keyv 5 calls, on the table `keyv`. */
export class DatabaseKeyv extends EventEmitter implements KeyvStoreAdapter {
  /** The field from which Keyv learns that the adapter can iterate. */
  readonly opts: { readonly dialect: StoreKind; readonly url: string };
  /** The namespace, which Keyv sets. */
  namespace: string | undefined;
  readonly #db: Kysely<Schema>;
  readonly #clock: Clock;

  constructor(deps: KeyvDeps, options: { namespace?: string } = {}) {
    super();
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.namespace = options.namespace;
    this.opts = { dialect: deps.kind, url: '' };
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    const row = await this.#alive().where('key', '=', key).select('value').executeTakeFirst();
    return row?.value as StoredData<Value> | undefined;
  }

  async getMany<Value>(keys: string[]): Promise<StoredData<Value | undefined>[]> {
    const found = await this.#valuesOf(keys);
    return keys.map((key) => found.get(key) as StoredData<Value | undefined>);
  }

  async set(key: string, value: unknown, ttl?: number): Promise<boolean> {
    await this.#write(this.#db, [{ key, value, ttl }]);
    return true;
  }

  /** Writes all entries or none. Keyv returns this result as its own. */
  async setMany(entries: { key: string; value: unknown; ttl?: number }[]): Promise<void> {
    // One statement cannot touch a row twice, so the last of several entries for a key wins. The entries are sorted, so
    // that two writers of the same keys never deadlock.
    const lastEntries = [...new Map(entries.map((entry) => [entry.key, entry])).values()].sort((a, b) =>
      a.key < b.key ? -1 : 1,
    );
    await this.#allOrNone(lastEntries, (db, chunk) => this.#write(db, chunk));
    return entries.map(() => true) as unknown as undefined;
  }

  async delete(key: string): Promise<boolean> {
    return this.deleteMany([key]);
  }

  /** Deletes all keys or none. Returns true when at least one key existed. */
  async deleteMany(keys: string[]): Promise<boolean> {
    const now = this.#clock.now();
    const namespace = this.#namespace();
    let alive = 0;
    await this.#allOrNone(keys, async (db, chunk) => {
      const deleted = await db
        .deleteFrom('keyv')
        .where('namespace', '=', namespace)
        .where('key', 'in', chunk)
        .returning('expires_at')
        .execute();
      alive += deleted.filter((row) => row.expires_at === null || row.expires_at > now).length;
    });
    return alive > 0;
  }

  async clear(): Promise<void> {
    await this.#db.deleteFrom('keyv').where('namespace', '=', this.#namespace()).execute();
  }

  async has(key: string): Promise<boolean> {
    const row = await this.#alive().where('key', '=', key).select(sql<number>`1`.as('there')).executeTakeFirst();
    return row !== undefined;
  }

  async hasMany(keys: string[]): Promise<boolean[]> {
    const found = new Set<string>();
    for (const chunk of chunksOf(keys, keysAtOnce)) {
      const rows = await this.#alive().where('key', 'in', chunk).select('key').execute();
      for (const row of rows) {
        found.add(row.key);
      }
    }
    return keys.map((key) => found.has(key));
  }

  async *iterator<Value>(
    namespace = this.namespace,
  ): AsyncGenerator<(string | Awaited<Value> | undefined)[], void, unknown> {
    let lastKey: string | undefined;
    for (;;) {
      let page = this.#alive(namespace ?? '')
        .select(['key', 'value'])
        .orderBy('key')
        .limit(iteratorPage);
      if (lastKey !== undefined) {
        page = page.where('key', '>', lastKey);
      }
      const rows = await page.execute();
      for (const row of rows) {
        yield [row.key, row.value];
      }
      if (rows.length < iteratorPage) {
        return;
      }
      lastKey = rows.at(-1)?.key;
    }
  }

  /** Does nothing: the store closes the database. */
  async disconnect(): Promise<void> {}

  #alive(namespace = this.#namespace()) {
    return this.#db
      .selectFrom('keyv')
      .where('namespace', '=', namespace)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', this.#clock.now())]));
  }

  async #valuesOf(keys: string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const chunk of chunksOf(keys, keysAtOnce)) {
      const rows = await this.#alive().where('key', 'in', chunk).select(['key', 'value']).execute();
      for (const row of rows) {
        found.set(row.key, row.value);
      }
    }
    return found;
  }

  async #write(db: Kysely<Schema>, entries: readonly { key: string; value: unknown; ttl?: number | undefined }[]) {
    const now = this.#clock.now();
    const namespace = this.#namespace();
    await db
      .insertInto('keyv')
      .values(
        entries.map(({ key, value, ttl }) => ({
          namespace,
          key: checkedKey(namespace, key),
          value: textOf(value),
          expires_at: ttl === undefined ? null : now + ttl,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['namespace', 'key']).doUpdateSet((eb) => ({
          value: eb.ref('excluded.value'),
          expires_at: eb.ref('excluded.expires_at'),
        })),
      )
      .execute();
  }

  /** Runs `putChunk` once where one statement is enough, else for each chunk in one transaction. */
  async #allOrNone<T>(items: readonly T[], putChunk: (db: Kysely<Schema>, chunk: T[]) => Promise<void>): Promise<void> {
    const [firstChunk, ...laterChunks] = chunksOf(items, keysAtOnce);
    if (firstChunk === undefined) {
      return;
    }
    if (laterChunks.length === 0) {
      await putChunk(this.#db, firstChunk);
      return;
    }
    await this.#db.transaction().execute(async (trx) => {
      for (const chunk of [firstChunk, ...laterChunks]) {
        await putChunk(trx, chunk);
      }
    });
  }

  #namespace(): string {
    return this.namespace ?? '';
  }
}

function checkedKey(namespace: string, key: string): string {
  if (Buffer.byteLength(namespace) + Buffer.byteLength(key) > keyBytes) {
    throw new StoreError('store.key_too_long', `namespace and key are longer than ${keyBytes} bytes`);
  }
  return key;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') {
    throw new StoreError('store.failed', 'Keyv must serialize its values to text');
  }
  return value;
}
