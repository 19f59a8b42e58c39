/** Relay, its state and its received scans, parsed from their records. Settings that do not fit are rejected. */
import { StoreError } from '../../database/errors.js';
import { codeOf } from '../../errors.js';
import type { ScanRecord } from '../../scans/received/received-scan-rows.js';
import type { RelayOverview, RelayRecord } from './records.js';
import type { ResultCode } from './settings.js';
import {
  defaultSettings,
  type RelaySettings,
  type Rule,
  relaySettingsSchema,
  resultCodes,
  storedRule,
} from './settings.js';

export type Notable = RelayRecord['notable'];

export interface Relay extends Omit<RelayRecord, 'settings' | 'counting'> {
  readonly settings: RelaySettings;
}

/** The fields of a relay that people change. */
export type RelayFields = Partial<Pick<Relay, 'serviceIds' | 'serviceName' | 'channel' | 'notable' | 'settings'>>;

/** `blocked`: the channels that the relay posts in, or has posts for, and that take none. */
export interface RelayState extends Omit<RelayOverview, 'relay'> {
  readonly relay: Relay;
}

/** A received scan. Its values are as the device sent them: never trimmed, and never changed in case. */
export interface ReceivedScan extends Omit<ScanRecord, 'finding' | 'why' | 'reply'> {
  /** The scan's result code; undefined for scans from before these were stored. */
  readonly finding?: ResultCode;
  /** Why the scan could not be validated as the settings say: see `uncheckedReasons`. */
  readonly why?: UncheckedReason;
}

/**
 * Why a scan was accepted or rejected as unknown.
 * - `no_account`: no API key is stored.
 * - `calls`: the share of the account's calls for live lookups is used up, or there are none left.
 * - `copy_only`: the mirror is not sure, and the settings allow no live lookup.
 * - `slow`: the mirror or the account did not answer in time.
 * - `failed`: the mirror could not be read, or the account was not reached or answered with an error.
 */
export const uncheckedReasons = ['no_account', 'calls', 'copy_only', 'slow', 'failed'] as const;
export type UncheckedReason = (typeof uncheckedReasons)[number];

/** Whether the relay posts in the channel by its current settings. `isOff`: also by a rule that is turned off. */
export function postsIn(
  { channel, settings }: Pick<Relay, 'channel' | 'settings'>,
  where: string,
  { isOff = false } = {},
): boolean {
  const rules = settings.rules.filter((rule) => rule.on || isOff);
  return channel === where || rules.some((rule) => rule.action === 'post' && rule.channel === where);
}

/** Whether the relay is for the scan's service. A scan without a service counts as one of the relay's services. */
export function acceptsService(relay: Pick<Relay, 'serviceIds'>, sid: string | undefined): boolean {
  return relay.serviceIds.length === 0 || sid === undefined || relay.serviceIds.includes(sid);
}

/** Parses stored settings. @throws StoreError `store.record_broken` */
export function readSettings(text: string): RelaySettings {
  if (text === '{}') {
    return defaultSettings;
  }
  try {
    return relaySettingsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new StoreError('store.record_broken', 'a relay’s settings do not match the schema', { cause });
  }
}

/** The rules in stored settings; none if the settings cannot be read, as those of a removed relay may be too old. */
export function rulesIn(text: string): readonly Rule[] {
  try {
    return readSettings(text).rules;
  } catch (error) {
    if (codeOf(error) !== 'store.record_broken') {
      throw error;
    }
    return [];
  }
}

/** The settings as JSON. Equal settings give equal text; defaults are left out, so that a later default applies. */
export function writeSettings(settings: RelaySettings): string {
  const defaults = defaultSettings as Readonly<Record<string, unknown>>;
  const parsed = relaySettingsSchema.parse(settings);
  const changedSettings = Object.entries({ ...parsed, rules: parsed.rules.map(storedRule) }).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return JSON.stringify(Object.fromEntries(changedSettings));
}

/** A relay from its record. @throws StoreError `store.record_broken` */
export function toRelay({ settings, counting: _, ...record }: RelayRecord): Relay {
  return { ...record, settings: readSettings(settings) };
}

/** A relay's state from its record. @throws StoreError `store.record_broken` */
export function toRelayState({ relay: record, blocked, ...overview }: RelayOverview): RelayState {
  const relay = toRelay(record);
  return {
    ...overview,
    relay,
    blocked: blocked.filter(({ channel, waiting }) => waiting > 0 || postsIn(relay, channel)),
  };
}

export function toReceivedScan({ finding, why, reply: _, ...scan }: ScanRecord): ReceivedScan {
  return {
    ...scan,
    ...(isOneOf<ResultCode>(resultCodes, finding) ? { finding } : {}),
    ...(isOneOf<UncheckedReason>(uncheckedReasons, why) ? { why } : {}),
  };
}

function isOneOf<Word extends string>(codes: readonly Word[], code: string | undefined): code is Word {
  return (codes as readonly (string | undefined)[]).includes(code);
}
