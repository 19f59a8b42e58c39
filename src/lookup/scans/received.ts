/**
 * The interface to the relays' scans. A direct scan is stored there and nowhere else: without it, a lookup would say
 * "never scanned" of a barcode that was just admitted.
 */
import type { Owner } from '../../ownership.js';
import type {
  ReceivedCount,
  ReceivedIdentity,
  ReceivedSlice,
  ReceivedWalk,
  RelayValidator,
} from '../../relay/index.js';

/** One scan as the relay received it. Ids are the account's. */
export interface ReceivedRecord {
  readonly relayId: string;
  readonly value: string;
  /** The account's scan id, where the account stored it too. */
  readonly scanId?: string;
  readonly serviceId?: string;
  readonly userId?: string;
  readonly udid?: string;
  /** The result of a validation before the relay, where there was one: `1`, `0`, `-1`. */
  readonly givenStatus?: string;
  /** Milliseconds: when it was scanned where the device said so, else when it arrived. */
  readonly at: number;
  /** The device said no time. */
  readonly undated?: boolean;
  /** When the relay received it. */
  readonly receivedAt?: number;
  readonly valid: boolean;
  /** The text the device was answered. */
  readonly text: string;
  readonly answers: readonly { readonly questionId: string; readonly question?: string; readonly answer: string }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

export interface ReceivedScans {
  /** The owner's scans by the time they were made: sequences, each newest first. */
  walk?(owner: Owner, walk: ReceivedWalk): readonly AsyncGenerator<ReceivedSlice, void>[];
  /** The owner's scans of exactly this value, newest first, at most `limit`. */
  receivedScans(owner: Owner, value: string, limit: number): Promise<readonly ReceivedRecord[]>;
  /** Spellings in mixed case under which the owner's scans of a value are filed, whatever the value's case. */
  spellings?(owner: Owner, value: string): Promise<readonly string[]>;
  /**
   * Scan properties that are secrets between a device and the relay: the account records them, but nobody may see them.
   */
  secretProperties?(owner: Owner): Promise<readonly string[]>;
  /**
   * The owner's relays that validate scans themselves, deleted ones included: they admit nobody now, but did. `values`:
   * a barcode’s spellings, see `thrownAway`.
   */
  relayValidators?(owner: Owner, values?: readonly string[]): Promise<readonly RelayValidator[]>;
  /** How many scans came from `from` until before `to`, by relay and result. */
  counts?(owner: Owner, from: number, to: number): Promise<readonly ReceivedCount[]>;
  /** What tells the scans of these values apart that came since. */
  identities?(owner: Owner, values: readonly string[], since: number): Promise<readonly ReceivedIdentity[]>;
}
