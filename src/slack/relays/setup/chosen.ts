/**
 * Owns what is known of the service that was chosen: where it sends its scans now, as far as the account tells. Pure.
 */
import type { Service } from '../../../codereadr/types.js';
import { shownAddress } from './urls.js';

/** What is known of the service that was chosen. */
export type Chosen =
  | { readonly kind: 'none' }
  /** `to`: what it sends its scans to now, in words. */
  | {
      readonly kind: 'known';
      readonly service: Service;
      readonly sends: 'nowhere' | 'here' | 'elsewhere';
      readonly to?: string | undefined;
    }
  /** The account did not tell in time. */
  | { readonly kind: 'untold'; readonly service: Service };

/** What the form says of where a service sends its scans. */
export function chosenOf(service: Service, told: boolean, isHere: boolean, relayName?: string): Chosen {
  const { postbackUrl } = service;
  if (!told) {
    return { kind: 'untold', service };
  }
  if (!postbackUrl) {
    return { kind: 'known', service, sends: 'nowhere' };
  }
  return isHere
    ? { kind: 'known', service, sends: 'here' }
    : { kind: 'known', service, sends: 'elsewhere', to: relayName ?? shownAddress(postbackUrl) };
}
