/**
 * The interfaces of a workspace's data: installation, API key, settings, audit. Times are milliseconds since the epoch.
 * All data is read by its owner; only background workers read across owners.
 */
import type { Keyv } from 'keyv';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { Reads, Revise, StoreKind } from '../database/types.js';
import type { Owner } from '../ownership.js';

/** A workspace's settings. They are stored as JSON and parsed by zod, which drops unknown fields. */
export interface WorkspaceSettings {
  /** Ids of the databases that a lookup searches, in order; undefined: all, up to ten. */
  readonly lookupDatabases?: readonly string[];
  /** Slack ids of people and user groups with access: they may do what needs the role of a manager. */
  readonly managers?: { readonly users: readonly string[]; readonly groups: readonly string[] };
  /** How many days back the account's scans are mirrored (0: not at all), and the databases that are not mirrored. */
  readonly mirror?: { readonly scanDays?: number | undefined; readonly without?: readonly string[] | undefined };
}

export interface Connection {
  readonly connectedBy: string;
  readonly connectedAt: number;
}

export interface WorkspaceStore {
  settings(owner: Owner): Promise<WorkspaceSettings>;
  /** Replaces the given fields (`undefined` unsets one) and keeps the others; concurrent changes both apply. */
  change(owner: Owner, fields: Partial<WorkspaceSettings>): Promise<WorkspaceSettings>;
  connection(owner: Owner): Promise<Connection | undefined>;
  /** The connections of all owners. */
  connections(): Promise<readonly { readonly owner: Owner; readonly connectedAt: number }[]>;
  /** The API key in clear text, or undefined when none is stored. */
  apiKey(owner: Owner): Promise<string | undefined>;
  connect(owner: Owner, apiKey: string, connection: Connection): Promise<void>;
  /** Deletes the connection, its key, links of members and settings with the account's ids. True if there was a key. */
  disconnect(owner: Owner): Promise<boolean>;
}

/** Slack installations: tokens in clear text here, sealed in the store. JSON of Bolt's Installation. */
export interface InstallationStore {
  save(installationId: string, installation: unknown, installedAt: number): Promise<void>;
  find(installationId: string): Promise<{ installation: unknown; installedAt: number } | undefined>;
  delete(installationId: string): Promise<void>;
}

export interface AuditEntry {
  readonly at: number;
  /** The Slack user id of the person, or `system`. */
  readonly who: string;
  /** The channel id, or `home` where there is none. */
  readonly where: string;
  /** The change: `services/update`, `relay/create`, `workspace/connect`. */
  readonly what: string;
  /** The input of the change without its secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The outcome: `ok` or an error code. */
  readonly outcome: string;
}

export interface AuditPage {
  readonly limit: number;
  /** The `id` of the last entry shown. */
  readonly before?: string | undefined;
  /** The Slack user id of the person whose changes alone are listed. */
  readonly who?: string | undefined;
  /** Only changes of these sections are listed: a section is the word before the slash in `what`. */
  readonly sections?: readonly string[] | undefined;
}

export interface AuditStore {
  /** Adds an entry. `trx`: the transaction in which it is added. */
  add(owner: Owner, entry: AuditEntry, trx?: Transaction<Schema>): Promise<void>;
  /** A page of entries, newest first. */
  list(owner: Owner, page: AuditPage): Promise<readonly (AuditEntry & { id: string })[]>;
  /** Takes a barcode out of the owner's entries, which stay; returns how many named it. */
  forget(owner: Owner, value: string, stop: AbortSignal): Promise<number>;
  erase(owner: Owner, stop: AbortSignal): Promise<void>;
  /** Deletes the entries of all owners that are older than `before`; returns their number. */
  prune(before: number): Promise<number>;
}

/**
 * Erases a feature's own part of an installation, or of one of its teams, in the same transaction as the rest. The
 * returned function deletes, after the commit, rows that are too many for a transaction and no longer read.
 */
export type EraseHook = (
  installationId: string,
  trx: Transaction<Schema>,
  team?: string,
) => Promise<void | ((db: Kysely<Schema>) => Promise<void>)>;

export interface Store {
  readonly kind: StoreKind;
  /** The database. Inside a transaction use the `trx`, never this: on SQLite it would wait for itself. */
  readonly db: Kysely<Schema>;
  /** Prepared lookups, on PostgreSQL only. */
  readonly reads?: Reads;
  /**
   * A Keyv over this database; namespaces are separate. Values are JSON; failures are thrown as StoreErrors. The key of
   * anything that belongs to an installation is its id, or begins with it and a colon (`ownerKey`), so that it is
   * erased with the installation. Seal secrets before storing them.
   */
  keyv<T>(namespace: string, options?: { ttlMs?: number }): Keyv<T>;
  readonly revise: Revise;
  readonly workspaces: WorkspaceStore;
  readonly installations: InstallationStore;
  readonly audit: AuditStore;
  readonly sealer: Sealer;
  /**
   * Erases an installation and all its teams in one transaction: tokens, API keys, settings, every keyv entry whose key
   * is the installation's id or begins with it and a colon, and the data that `onErase` hooks delete. The audit stays,
   * for some days: see uninstalled.ts.
   * @param eventAt when the cause happened (Slack's `event_time`, in ms): an event older than the installation is
   * ignored. Slack sends whole seconds, so an event of the same second counts.
   * @returns false when the event was ignored
   */
  eraseInstallation(installationId: string, eventAt?: number): Promise<boolean>;
  /** Like `eraseInstallation`, for one team of an organization's installation, which stays. */
  eraseTeam(owner: Owner, eventAt?: number): Promise<boolean>;
  /** Registers what else to erase with an installation. */
  onErase(hook: EraseHook): void;
  close(): Promise<void>;
}

/** The context to which a sealed text is bound: it opens only with the same three values. */
export interface SealContext {
  /** What the text is sealed for: `api-key`, `installation`, `response-url`. */
  readonly purpose: string;
  readonly installation: string;
  readonly record: string;
}

export interface Sealer {
  seal(plain: string, context: SealContext): string;
  /** @throws ScandeskError `store.seal_broken` when it was changed, moved, or sealed with an unknown key */
  open(sealed: string, context: SealContext): string;
  /** False for a text sealed with an older key: once all are sealed again, that key can be removed. */
  isCurrent(sealed: string): boolean;
}
