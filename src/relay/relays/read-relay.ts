/**
 * Owns reading relays and scans from their records. Refuses settings that are not what this version can have written.
 */

import { StoreError } from '../../database/errors.js';
import type { ScanRecord } from '../scans/table.js';
import type { RelayOverview, RelayRecord } from './records.js';
import type { Finding } from './settings.js';
import { defaultSettings, findings, type RelaySettings, relaySettingsSchema } from './settings.js';
import { type ReceivedScan, type Relay, type RelayState, type Why, whys } from './types.js';

/** @throws StoreError `store.record_broken` */
export function readSettings(text: string): RelaySettings {
  if (text === '{}') {
    return defaultSettings;
  }
  try {
    return relaySettingsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new StoreError('store.record_broken', 'a relay’s settings are not what this version writes', { cause });
  }
}

/** The same text for the same settings; what is as it is by default is left out, so that a later default counts. */
export function writeSettings(settings: RelaySettings): string {
  const defaults = defaultSettings as Readonly<Record<string, unknown>>;
  const own = Object.entries(relaySettingsSchema.parse(settings)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return JSON.stringify(Object.fromEntries(own));
}

/** @throws StoreError `store.record_broken` */
export function toRelay({ settings, counting: _, ...record }: RelayRecord): Relay {
  return { ...record, settings: readSettings(settings) };
}

/** @throws StoreError `store.record_broken` */
export function toRelayState({ relay, ...overview }: RelayOverview): RelayState {
  return { ...overview, relay: toRelay(relay) };
}

export function toReceivedScan({ finding, why, reply: _, ...scan }: ScanRecord): ReceivedScan {
  return {
    ...scan,
    ...(isOneOf<Finding>(findings, finding) ? { finding } : {}),
    ...(isOneOf<Why>(whys, why) ? { why } : {}),
  };
}

function isOneOf<Word extends string>(words: readonly Word[], word: string | undefined): word is Word {
  return (words as readonly (string | undefined)[]).includes(word);
}
