/** Relay gates for a lookup, with the admissions of the barcode by scans that were pruned. */
import type { Owner } from '../../ownership.js';
import type { RelayGate } from '../relays/gate.js';
import type { RelayRecord } from '../relays/records.js';
import { readSettings } from '../relays/relay.js';
import type { RelayStatusStore } from '../relays/status-table.js';
import type { MirrorState } from '../validation/index.js';
import { sameAsBy } from './counts-now.js';

export interface GateOf {
  readonly relay: RelayRecord;
  readonly gate: RelayGate;
}

/** @param values the spellings of one barcode */
export async function withThrownAway(
  store: Pick<RelayStatusStore, 'thrownAway'>,
  copies: readonly MirrorState[],
  owner: Owner,
  values: readonly string[],
  gates: readonly GateOf[],
): Promise<readonly RelayGate[]> {
  return Promise.all(
    gates.map(async ({ relay, gate }) => {
      if (gate.databaseIds.length === 0) {
        return gate;
      }
      const judgedBy = copies.filter(({ databaseId }) => gate.databaseIds.includes(databaseId));
      const sameAs = sameAsBy(readSettings(relay.settings).judging, judgedBy);
      const scans = values.map((tid) => {
        const same = sameAs({ tid });
        return same === undefined ? { tid } : { tid, sameAs: same };
      });
      const thrownAway = await store.thrownAway(owner, relay.id, scans);
      return thrownAway ? { ...gate, thrownAway } : gate;
    }),
  );
}
