/** Relay as a lookup sees it: the databases it validates against, and whether it admits a barcode only once. Pure. */

import type { ThrownAway } from '../scans/thrown-away-table.js';
import type { RelayRecord } from './records.js';
import { readSettings } from './relay.js';
import type { RelaySettings } from './settings.js';

/** A relay that says itself which scans are valid, by something of its own and not by what comes with them. */
export interface RelayGate {
  readonly id: string;
  readonly name: string;
  /** The services whose scans it takes; empty: whichever posts there. */
  readonly serviceIds: readonly string[];
  /** The databases it goes by, where it goes by any. */
  readonly databaseIds: readonly string[];
  /** It admits a barcode once, or once within so many minutes. */
  readonly once?: { readonly withinMinutes?: number };
  /** It admitted the barcode by scans that are not kept, or may have. */
  readonly thrownAway?: ThrownAway;
}

/**
 * Undefined for a relay that takes everything.
 * @param removed it admits nobody any more, but did
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

/** Of two limits the longer one counts: for ever, where one has no end. */
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
