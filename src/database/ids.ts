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
  let spelt = '';
  let chance: number[] = [];
  let beginning = '';
  return () => {
    const now = clock.now();
    if (now > lastTime || !next(chance)) {
      lastTime = Math.max(now, lastTime + 1);
      spelt = spellTime(lastTime);
      chance = Array.from(random.bytes(16), (byte) => byte & 31);
      beginning = spelt + spell(chance, 0, 12);
    } else if (endsInZeros(chance)) {
      beginning = spelt + spell(chance, 0, 12);
    }
    return beginning + spell(chance, 12, 16);
  };
}

/** What stands before the last four has changed as well. */
function endsInZeros(digits: readonly number[]): boolean {
  return digits[12] === 0 && digits[13] === 0 && digits[14] === 0 && digits[15] === 0;
}

function spell(digits: readonly number[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) {
    text += alphabet[digits[at] as number];
  }
  return text;
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
