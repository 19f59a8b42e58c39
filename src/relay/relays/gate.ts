/** Relay as a lookup sees it: the databases it validates against, and whether it admits a barcode only once. Pure. */

import type { ThrownAway } from '../scans/thrown-away-table.js';
import type { RelayRecord } from './records.js';
import { readSettings } from './relay.js';
import type { RelaySettings } from './settings.js';

/** A relay that validates scans itself, and not by what comes with them. */
export interface RelayGate {
  readonly id: string;
  readonly name: string;
  /** The services whose scans it accepts; empty: all. */
  readonly serviceIds: readonly string[];
  /** The databases it validates against, if any. */
  readonly databaseIds: readonly string[];
  /** It admits a barcode once, or once within so many minutes. */
  readonly once?: { readonly withinMinutes?: number };
  /** Set if it admitted the barcode by scans that were pruned, or may have. */
  readonly thrownAway?: ThrownAway;
}

/**
 * Undefined for a relay that accepts everything.
 * @param removed it admits nothing any more, but did
 */
export function toGate(
  { id, serviceName, serviceIds, settings }: RelayRecord,
  removed: boolean,
): RelayGate | undefined {
  const read = readSettings(settings);
  const { judging } = read;
  if (judging.kind === 'accept') {
    return undefined;
  }
  const once = removed ? undefined : onceOf(read);
  return {
    id,
    name: serviceName,
    serviceIds,
    databaseIds: judging.kind === 'database' ? judging.databaseIds : [],
    ...(once ? { once } : {}),
  };
}

/** The longer of two limits counts; without an end, for ever. */
function onceOf({ duplicates, atMost }: RelaySettings): RelayGate['once'] {
  const limits = [
    ...(duplicates ? [duplicates.withinMinutes] : []),
    ...(atMost?.n === 1 ? [atMost.withinMinutes] : []),
  ];
  if (limits.length === 0) {
    return undefined;
  }
  const ends = limits.filter((minutes) => minutes !== undefined);
  return ends.length < limits.length ? {} : { withinMinutes: Math.max(...ends) };
}
