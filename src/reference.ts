/** A reference: the name of one failure, which a person reads out and an operator finds in the log. */
import type { Random } from './clock.js';

/** The letters of a reference, which people read out on the phone: no I, L, O, U, 0 or 1, which look like others. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

export function newReference(random: Random): string {
  return Array.from(random.bytes(8), (byte) => letters[byte % letters.length]).join('');
}
