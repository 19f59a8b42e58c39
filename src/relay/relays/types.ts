/**
 * Owns the words in which the rest of Scandesk speaks of relays: what one is, how the slack room makes and changes one,
 * what a poster answers. Knows nothing of Slack: a place to post is a `channel`, an id and no more.
 */
import type { Owner } from '../../ownership.js';
import type { Posted } from '../delivery/acknowledge.js';
import type { ScanRecord } from '../scans/table.js';
import type { RelayGate } from './gate.js';
import type { Mutes } from './mutes.js';
import type { Finding, RelaySettings } from './settings.js';
import type { Watches } from './watches.js';

/** Which scans are posted. More kinds come with the rules; stored as JSON, read through zod. */
export type Notable = 'all' | 'invalid';

export interface Relay {
  readonly id: string;
  readonly owner: Owner;
  /** The services whose scans it takes; empty: whichever posts here. */
  readonly serviceIds: readonly string[];
  /** For people, as it was when the relay was made. */
  readonly serviceName: string;
  readonly channel: string;
  readonly notable: Notable;
  readonly settings: RelaySettings;
  readonly createdBy: string;
  readonly createdAt: number;
  /** A paused relay still stores and answers; it posts nothing until it is resumed. */
  readonly paused?: { readonly at: number; readonly why: 'person' | 'channel_gone' | 'token_revoked' | 'uninstalled' };
}

/** What people set about a relay. */
export type RelayFields = Partial<Pick<Relay, 'serviceIds' | 'serviceName' | 'channel' | 'notable' | 'settings'>>;

/** Without settings it has those of a relay that takes everything. */
export type NewRelay = Omit<Relay, 'id' | 'createdAt' | 'paused' | 'settings'> & Partial<Pick<Relay, 'settings'>>;

export interface RelaySecret {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** What the slack room asks of the relays. */
export interface Relays {
  /** The secret in clear comes back once, here; the store keeps its hash. `path`: `/relay/<id>/<secret>`. */
  create(input: NewRelay): Promise<{ relay: Relay; path: string }>;
  list(owner: Owner): Promise<readonly RelayState[]>;
  get(owner: Owner, id: string): Promise<RelayState | undefined>;
  change(owner: Owner, id: string, fields: RelayFields): Promise<void>;
  /**
   * Changes a relay by how it stands: `work` is given the relay and answers what is to be other. Where somebody changed it
   * meanwhile, here or at another instance, `work` is asked again of how it stands then; what it throws is thrown. Answers
   * the relay as it was kept.
   */
  revise(owner: Owner, id: string, work: (relay: Relay) => RelayFields): Promise<Relay>;
  pause(owner: Owner, id: string): Promise<void>;
  resume(owner: Owner, id: string): Promise<void>;
  /** A new secret beside the old ones, which stay valid until `endSecret`. */
  rotate(owner: Owner, id: string): Promise<{ secret: RelaySecret; path: string }>;
  endSecret(owner: Owner, id: string, secretId: string): Promise<void>;
  /** Its URL answers 404 from now on; its scans stay. */
  remove(owner: Owner, id: string): Promise<void>;
  /**
   * The names of the scan properties by which senders prove themselves to the owner's relays, those removed included: whoever
   * shows the account's record of a scan leaves them out.
   */
  secretProperties(owner: Owner): Promise<readonly string[]>;
  /**
   * Those of the owner's relays that validate scans themselves, removed ones included. `values`: the spellings of a barcode, of
   * which each tells what it admitted by scans that are not kept.
   */
  gates(owner: Owner, values?: readonly string[]): Promise<readonly RelayGate[]>;
  /** Posts set aside go back to waiting; returns how many. */
  replay(owner: Owner, id: string): Promise<number>;
  /** What people do with the posts that are out. */
  readonly posted: Posted;
  readonly watches: Watches;
  readonly mutes: Mutes;
}

export interface RelayState {
  readonly relay: Relay;
  readonly secrets: readonly RelaySecret[];
  readonly waiting: number;
  readonly aside: number;
  readonly scans: number;
  readonly lastScanAt?: number;
}

/** One scan as the relay took it. Nothing in it was trimmed, parsed or changed. */
export interface ReceivedScan extends Omit<ScanRecord, 'finding' | 'why' | 'reply'> {
  /** Undefined of scans from before findings were kept. */
  readonly finding?: Finding;
  /** Why it could not be judged as it should: see `Why`. */
  readonly why?: Why;
}

/**
 * Why a scan was accepted or rejected unknown.
 * - `no_account`: no API key is stored.
 * - `calls`: the share of the account's calls that live questions may take is used up, or there are none left.
 * - `copy_only`: the kept copy does not tell, and the settings have the account itself asked nothing.
 * - `slow`: the account did not answer in time.
 * - `failed`: the account could not be asked, or answered with an error.
 */
export const whys = ['no_account', 'calls', 'copy_only', 'slow', 'failed'] as const;
export type Why = (typeof whys)[number];

export type { Posted, PostedThing } from '../delivery/acknowledge.js';
export type * from '../delivery/publisher.js';
export type { Mute, Muted, Mutes } from './mutes.js';
export type { Watch, Watches } from './watches.js';
export type { Onlooker } from './watches-and-mutes.js';
