/** SQL on the stored scans of one value at one relay, for statements that join `input`, `relays` and `scans`. */

/** The condition on a value's scans. It uses the index on barcodes' keys, which `input` names too. */
export const ofValue = `scans.owner = relays.owner and scans.key = input.key and scans.tid = input.tid
  and scans.relay_id = relays.id`;

/** The moment at which a scan counts. */
export const moment = 'coalesce(scans.made_at, scans.received_at)';
