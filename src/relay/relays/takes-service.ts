/** Service filter of a relay. Pure. */

/** A scan that does not tell its service is posted: whoever has the URL was given it for one of these. */
export function takes(relay: { readonly serviceIds: readonly string[] }, sid: string | undefined): boolean {
  return relay.serviceIds.length === 0 || sid === undefined || relay.serviceIds.includes(sid);
}
