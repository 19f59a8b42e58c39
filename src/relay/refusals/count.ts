/**
 * The counting of refused scans, in memory, written every ten seconds while there are any: a flood of requests costs a
 * write each time, and a crash loses ten seconds of counts, never a scan.
 */
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Schema } from '../../database/schema.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { createPoller } from '../../poller.js';
import { addRefusals, othersSender, type RefusalCount } from './refusal-rows.js';

const writeEveryMs = 10_000;
/** The most counts in memory: requests to made-up relays must not fill it. */
const mostCounts = 2_000;

/**
 * @param code the intake's `RelayErrorCode`; `relay.secret` for a wrong secret in the URL, `relay.rate` for too many scans
 * @param sender the request's address, as far as it can be trusted
 */
export type CountRefusal = (relayId: string, code: string, sender: string | undefined) => void;

export function createRefusalCounts(deps: {
  readonly store: { readonly db: Kysely<Schema> };
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { clock, log } = deps;
  let counts = new Map<string, RefusalCount>();

  const add = (count: RefusalCount): void => {
    const key = `${count.relay_id}\n${count.code}\n${count.sender}`;
    const known = counts.get(key);
    if (known || counts.size < mostCounts) {
      const { first_at } = known ?? count;
      counts.set(key, { ...count, scans: count.scans + (known?.scans ?? 0), first_at });
    }
  };

  const write = async (): Promise<void> => {
    if (counts.size === 0) {
      return;
    }
    const writing = counts;
    counts = new Map();
    try {
      await addRefusals(deps.store.db, [...writing.values()], clock.now());
    } catch (error) {
      const later = counts;
      counts = writing;
      for (const count of later.values()) {
        add(count);
      }
      throw error;
    }
  };

  const onFailure = (error: unknown): void =>
    log.warn({ err: error, code: codeOf(error) }, 'refused scans could not be counted yet');
  const poller = createPoller({
    clock,
    everyMs: writeEveryMs,
    poll: write,
    onFailure,
    closing: () => write().catch(onFailure),
  });

  const count: CountRefusal = (relay_id, code, sender = othersSender) => {
    const now = clock.now();
    add({ relay_id, code, sender, scans: 1, first_at: now, last_at: now });
  };

  return { count, start: poller.start, stop: poller.stop };
}
