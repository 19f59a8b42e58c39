/** SQL on the stored scans of one value at one relay, for statements that join `input`, `relays` and `scans`. */

/**
 * Uses the index on values, which begins with the owner and holds the beginning of a long value. Without `||` a
 * database may choose to walk all of the relay's scans.
 */
export const ofValue = `scans.installation = relays.installation and scans.team = relays.team
  and substr(scans.tid, 1, 200) = substr(input.tid, 1, 200) and scans.tid = input.tid
  and scans.relay_id || '' = relays.id`;

/** When a scan counts. */
export const moment = 'coalesce(scans.made_at, scans.received_at)';
