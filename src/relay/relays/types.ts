/** Interface of the relays for the rest of Scandesk. Independent of Slack: a channel is an id. */
import type { Incident } from '../../incidents/incident.js';
import type { Owner } from '../../ownership.js';
import type { Mutes } from '../../watches/mutes.js';
import type { Watches } from '../../watches/watches.js';
import type { PostActions } from '../posts/acknowledge.js';
import type { RelaySecret } from '../record/records.js';
import type { Relay, RelayFields, RelayState } from '../record/relay.js';
import type { RelayValidator } from './validator.js';

/** A relay to create; without settings it gets the defaults. */
export type NewRelay = Omit<Relay, 'id' | 'createdAt' | 'paused' | 'settings'> & Partial<Pick<Relay, 'settings'>>;

export interface Relays {
  /** The plain secret is returned only here; the store keeps its hash. `path`: `/relay/<id>/<secret>`. */
  create(input: NewRelay): Promise<{ relay: Relay; path: string }>;
  list(owner: Owner): Promise<readonly RelayState[]>;
  get(owner: Owner, id: string): Promise<RelayState | undefined>;
  change(owner: Owner, id: string, fields: RelayFields): Promise<void>;
  /**
   * Changes a relay based on its current state: `work` gets the relay and returns the fields to change. After a
   * concurrent change, here or at another instance, `work` is called again. Its errors are thrown. Returns the stored
   * relay.
   */
  update(owner: Owner, id: string, work: (relay: Relay) => RelayFields): Promise<Relay>;
  pause(owner: Owner, id: string): Promise<void>;
  resume(owner: Owner, id: string): Promise<void>;
  /** A new secret beside the old ones, which stay valid until `endSecret`. */
  addSecret(owner: Owner, id: string): Promise<{ secret: RelaySecret; path: string }>;
  revokeSecret(owner: Owner, id: string, secretId: string): Promise<void>;
  /** Deletes a relay: its URL answers 404 from now on, its scans stay. */
  remove(owner: Owner, id: string): Promise<void>;
  /**
   * Names of the secret scan properties of the owner's relays, removed ones included: whoever shows the account's
   * record of a scan leaves them out.
   */
  secretProperties(owner: Owner): Promise<readonly string[]>;
  /**
   * Those of the owner's relays that validate scans themselves, removed ones included. `values`: the spellings of a
   * barcode, for which each validator includes admissions by pruned scans.
   */
  validators(owner: Owner, values?: readonly string[]): Promise<readonly RelayValidator[]>;
  /** Tries the relay's blocked channels now. */
  retryBlocked(owner: Owner, id: string): Promise<void>;
  /** Replays dead letters; returns how many. */
  replay(owner: Owner, id: string): Promise<number>;
  /** Actions on delivered posts. */
  readonly postActions: PostActions;
  /** The open alerts in a channel, newest first. */
  openIncidents(owner: Owner, channel: string): Promise<readonly Incident[]>;
  readonly watches: Watches;
  readonly mutes: Mutes;
}

export type { Mute, Muted, Mutes, NewMute } from '../../watches/mutes.js';
export type { Viewer } from '../../watches/table.js';
export type { Watch, Watches } from '../../watches/watches.js';
export type { DeliveredPost, IncidentChange, PostActions } from '../posts/acknowledge.js';
export type * from '../posts/publisher.js';
export type { BlockedChannel, RelaySecret } from '../record/records.js';
export type {
  Notable,
  ReceivedScan,
  Relay,
  RelayFields,
  RelayState,
  UncheckedReason,
} from '../record/relay.js';
