/**
 * Owns the words in which the rest of Scandesk speaks of the store. Times are milliseconds since the epoch.
 * Whatever belongs to a workspace is asked for by its owner; there is no way to ask for everybody's but for the workers.
 */
import type { Keyv } from 'keyv';
import type { Kysely } from 'kysely';
import type { Owner } from '../ownership.js';
import type { Schema } from './schema.js';

/** What a workspace has set. Stored as JSON and read through zod; unknown fields are kept out. */
export interface WorkspaceSettings {
  /** Database ids a lookup asks, in order; undefined: all, up to ten. */
  readonly lookupDatabases?: readonly string[];
  /** Slack user ids and user group ids that may do what admins may (writes; deletes with a confirmation). */
  readonly managers?: { readonly users: readonly string[]; readonly groups: readonly string[] };
}

export interface Connection {
  readonly connectedBy: string;
  readonly connectedAt: number;
}

export interface WorkspaceStore {
  settings(owner: Owner): Promise<WorkspaceSettings>;
  /** Replaces the fields given, keeps the others. */
  change(owner: Owner, fields: Partial<WorkspaceSettings>): Promise<WorkspaceSettings>;
  connection(owner: Owner): Promise<Connection | undefined>;
  /** The API key in clear, or undefined when none is stored. */
  apiKey(owner: Owner): Promise<string | undefined>;
  connect(owner: Owner, apiKey: string, connection: Connection): Promise<void>;
  /** Forgets key and connection; settings that speak of the account's ids go with them. True when there was a key. */
  disconnect(owner: Owner): Promise<boolean>;
}

/** What Slack handed over when the app was installed; tokens in clear, sealed in the store. JSON of Bolt's Installation. */
export interface InstallationStore {
  save(installationId: string, installation: unknown, installedAt: number): Promise<void>;
  find(installationId: string): Promise<{ installation: unknown; installedAt: number } | undefined>;
  delete(installationId: string): Promise<void>;
}

export interface AuditEntry {
  readonly at: number;
  /** Slack user id, or `system`. */
  readonly who: string;
  /** Channel id, or `home`, `modal`. */
  readonly where: string;
  /** `services/update`, `relay/create`, `workspace/connect`. */
  readonly what: string;
  /** Input with secrets left out. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** `ok` or an error code. */
  readonly outcome: string;
}

export interface AuditStore {
  add(owner: Owner, entry: AuditEntry): Promise<void>;
  /** Newest first. `before`: the `id` of the last one shown. */
  list(owner: Owner, page: { limit: number; before?: string }): Promise<readonly (AuditEntry & { id: string })[]>;
  /** Drops what is older; returns how many. */
  prune(before: number): Promise<number>;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  readonly db: Kysely<Schema>;
  /** A Keyv over this database; every namespace is its own world. */
  keyv<T>(namespace: string, options?: { ttlMs?: number }): Keyv<T>;
  readonly workspaces: WorkspaceStore;
  readonly installations: InstallationStore;
  readonly audit: AuditStore;
  readonly sealer: Sealer;
  /** Everything of an installation (and of all its teams): keys, tokens, settings, relays paused. After an uninstall. */
  eraseInstallation(installationId: string): Promise<void>;
  close(): Promise<void>;
}

/** What a sealed text is bound to: it opens only with the same three. */
export interface SealContext {
  /** `api-key`, `installation`, `response-url`. */
  readonly purpose: string;
  readonly installation: string;
  readonly record: string;
}

export interface Sealer {
  seal(plain: string, context: SealContext): string;
  /** @throws ScandeskError `store.seal_broken` when it was changed, moved, or sealed with a key nobody gave. */
  open(sealed: string, context: SealContext): string;
}
