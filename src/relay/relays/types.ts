/** Types of the relays for the rest of Scandesk. These types are independent of Slack: a channel is an id. */
import type { Relay } from '../record/relay.js';

/** A relay to create; without settings it gets the defaults. */
export type NewRelay = Omit<Relay, 'id' | 'createdAt' | 'paused' | 'settings'> & Partial<Pick<Relay, 'settings'>>;

export type { Mutes, NewMute } from '../../watches/mutes.js';
export type { Mute, Muted, Viewer, Watch } from '../../watches/watch-and-mute-rows.js';
export type { Watches } from '../../watches/watches.js';
export type { DeliveredPost, IncidentChange, PostActions } from '../posts/acknowledge.js';
export type * from '../posts/post-types.js';
export type { BlockedChannel, RelaySecret } from '../record/records.js';
export type { Notable, ReceivedScan, Relay, RelayFields, RelayState, UncheckedReason } from '../record/relay.js';
