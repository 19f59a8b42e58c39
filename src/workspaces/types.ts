/**
 * What a workspace has: installation, API key, settings, audit. Times are milliseconds since the epoch. Whatever belongs to a
 * workspace is asked for by its owner; there is no way to ask for everybody's but for the workers.
 */
import type { Keyv } from 'keyv';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { Reads, Revise, SqliteFastPath, StoreKind } from '../database/types.js';
import type { Owner } from '../ownership.js';

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
  /** Replaces the fields given (`undefined` unsets one), keeps the others; two changes at once both count. */
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

export interface AuditPage {
  readonly limit: number;
  /** The `id` of the last one shown. */
  readonly before?: string | undefined;
  /** Only what this person did. */
  readonly who?: string | undefined;
  /** Only what begins with one of these words before the slash: `services`, `relay`. */
  readonly sections?: readonly string[] | undefined;
}

export interface AuditStore {
  add(owner: Owner, entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(owner: Owner, page: AuditPage): Promise<readonly (AuditEntry & { id: string })[]>;
  /** Drops what is older; returns how many. */
  prune(before: number): Promise<number>;
}

/** Erases a room's own part of an installation, or of one of its teams, in the same transaction as everything else of it. */
export type EraseHook = (installationId: string, trx: Transaction<Schema>, team?: string) => Promise<void>;

export interface Store {
  readonly kind: StoreKind;
  /** Do not use it inside one of its own transactions (use the `trx`): on SQLite it would wait for itself. */
  readonly db: Kysely<Schema>;
  /** There on SQLite only. */
  readonly sqlite?: SqliteFastPath;
  /** There on PostgreSQL only. */
  readonly reads?: Reads;
  /**
   * A Keyv over this database; every namespace is its own world. Values are JSON; failures are thrown as StoreErrors.
   * The key of whatever belongs to an installation is its id, or begins with it and a colon (`ownerKey`): so it is
   * found when the installation is erased. Secrets are sealed before they come here.
   */
  keyv<T>(namespace: string, options?: { ttlMs?: number }): Keyv<T>;
  readonly revise: Revise;
  readonly workspaces: WorkspaceStore;
  readonly installations: InstallationStore;
  readonly audit: AuditStore;
  readonly sealer: Sealer;
  /**
   * Everything of an installation (and of all its teams): tokens, API keys, settings, every keyv entry whose key is the
   * installation's id or begins with it and a colon, and what `onErase` hooks add; in one transaction. The audit stays.
   * @param eventAt when what led to it happened (Slack's `event_time`, in ms): an event older than the installation is
   * ignored. Slack tells whole seconds, so that one of the same second counts.
   * @returns false when the event was ignored.
   */
  eraseInstallation(installationId: string, eventAt?: number): Promise<boolean>;
  /** The same of one team of an organisation's installation, which stays. */
  eraseTeam(owner: Owner, eventAt?: number): Promise<boolean>;
  /** Registers what else is to be erased with an installation. */
  onErase(hook: EraseHook): void;
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
  /** False for what was sealed with an older key: seal it again, and that key can go. */
  isCurrent(sealed: string): boolean;
}
