/**
 * Owns what the desk asks of whoever keeps the scans that the relay took. A direct scan is stored there and nowhere else,
 * so without it a lookup would say "never scanned" of a barcode that just went through the gate.
 */
import type { Owner } from '../../ownership.js';
import type { RelayGate } from '../../relay/index.js';

/** One scan as the relay took it. Ids are the account's. */
export interface ReceivedRecord {
  readonly relayId: string;
  readonly value: string;
  /** The account's scan id, where the account stored it too. */
  readonly scanId?: string;
  readonly serviceId?: string;
  readonly userId?: string;
  readonly udid?: string;
  /** As it was validated before it came, where it was: `1`, `0`, `-1`. */
  readonly givenStatus?: string;
  /** Milliseconds: when it was scanned where the device told, else when it came. */
  readonly at: number;
  readonly valid: boolean;
  /** What the device was answered. */
  readonly text: string;
  readonly answers: readonly { readonly questionId: string; readonly question?: string; readonly answer: string }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

export interface ReceivedScans {
  /** The owner's scans of exactly this value, newest first, at most `limit`. */
  receivedScans(owner: Owner, value: string, limit: number): Promise<readonly ReceivedRecord[]>;
  /** Scan properties that are secrets between a device and the relay: the account records them, and nobody is shown them. */
  secretProperties?(owner: Owner): Promise<readonly string[]>;
  /** The owner's relays that validate scans themselves, those removed included: they admit nobody any more, but did. `values`: a barcode’s spellings, see `thrownAway`. */
  relayGates?(owner: Owner, values?: readonly string[]): Promise<readonly RelayGate[]>;
}
