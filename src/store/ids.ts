/**
 * Owns ids that sort by the time they were made: ten characters of time, sixteen of chance (a ULID in lower case,
 * github.com/ulid/spec). Two of one process never sort against the order in which they were asked for, clock jumps included.
 */
import type { Clock, Random } from '../clock.js';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export type MakeId = () => string;

/** Each caller of `createIds` has an order of its own. */
export function createIds(clock: Clock, random: Random): MakeId {
  let lastTime = -1;
  let chance: number[] = [];
  return () => {
    const now = clock.now();
    if (now > lastTime || !next(chance)) {
      lastTime = Math.max(now, lastTime + 1);
      chance = Array.from(random.bytes(16), (byte) => byte & 31);
    }
    return spellTime(lastTime) + chance.map((digit) => alphabet[digit]).join('');
  };
}

/** The least id that can be made at a time: ids of before sort below it. */
export function leastId(time: number): string {
  return spellTime(time) + alphabet[0]?.repeat(16);
}

/** Adds one, in place; false when it was the last of its millisecond. */
function next(digits: number[]): boolean {
  for (let at = digits.length - 1; at >= 0; at--) {
    if (digits[at] !== 31) {
      digits[at] = (digits[at] as number) + 1;
      return true;
    }
    digits[at] = 0;
  }
  return false;
}

function spellTime(time: number): string {
  let rest = time;
  let text = '';
  for (let at = 0; at < 10; at++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
