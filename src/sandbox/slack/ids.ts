/** Slack's ids and timestamps. A `ts` identifies a message in its channel, so it is never issued twice. */
import type { Clock, Random } from '../../clock.js';

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new id: `C08K…`, the letter or letters of the kind, a 0, then nine of 32 characters. */
export function newId(random: Random, kind: string): string {
  return `${kind}0${[...random.bytes(9)].map((byte) => letters[byte % 32]).join('')}`;
}

/** An id for a block or action to which the app gave none. */
export function newBlockId(random: Random): string {
  return random.bytes(4).toString('base64url').slice(0, 5);
}

/** Issues `1700000000.000100`, strictly increasing; `last`: the newest one in the file. */
export function createStamps(clock: Clock, last: string | undefined): () => string {
  let previous = last === undefined ? 0n : BigInt(last.replace('.', ''));
  return () => {
    const now = BigInt(Math.floor(clock.now())) * 1000n;
    previous = now > previous ? now : previous + 1n;
    const digits = previous.toString().padStart(16, '0');
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  };
}
