/** Service filter of a relay. Pure. */

/** A scan without a service is posted: its sender got the URL for one of these. */
export function takes(relay: { readonly serviceIds: readonly string[] }, sid: string | undefined): boolean {
  return relay.serviceIds.length === 0 || sid === undefined || relay.serviceIds.includes(sid);
}
