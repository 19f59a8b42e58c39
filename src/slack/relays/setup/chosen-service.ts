/** The chosen service, and where it sends its scans now, if the account reports that. Pure. */
import type { Service } from '../../../codereadr/types.js';
import { shownAddress } from './urls.js';

export type Chosen =
  | { readonly kind: 'none' }
  /** The service sends its scans somewhere else. `to`: the URL as text. */
  | {
      readonly kind: 'known';
      readonly service: Service;
      readonly sends: 'nowhere' | 'here' | 'elsewhere';
      readonly to?: string | undefined;
    }
  /** The account did not answer in time, so nothing is known of the service's URL. */
  | { readonly kind: 'unknown'; readonly service: Service };

/** How the form describes the URL to which a service sends its scans. */
export function chosenOf(service: Service, isFetched: boolean, isHere: boolean, relayName?: string): Chosen {
  const { postbackUrl } = service;
  if (!isFetched) {
    return { kind: 'unknown', service };
  }
  if (!postbackUrl) {
    return { kind: 'known', service, sends: 'nowhere' };
  }
  return isHere
    ? { kind: 'known', service, sends: 'here' }
    : { kind: 'known', service, sends: 'elsewhere', to: relayName ?? shownAddress(postbackUrl) };
}
