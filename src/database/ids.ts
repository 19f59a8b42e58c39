/**
 * Sortable ids: ten characters of time, sixteen random (a lower-case ULID, github.com/ulid/spec). The ids of one maker
 * sort in the order of creation, even when the clock jumps back.
 */
import type { Clock, Random } from '../clock.js';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export type MakeId = () => string;

/** Creates a maker of ids. Ids that two makers create within a millisecond are in no order. */
export function createIds(clock: Clock, random: Random): MakeId {
  let lastTime = -1;
  let timeText = '';
  let randomDigits: number[] = [];
  let prefix = '';
  return () => {
    const now = clock.now();
    if (now > lastTime || !incrementDigits(randomDigits)) {
      lastTime = Math.max(now, lastTime + 1);
      timeText = spellTime(lastTime);
      randomDigits = Array.from(random.bytes(16), (byte) => byte & 31);
      prefix = timeText + digitsToText(randomDigits, 0, 12);
    } else if (endsInZeros(randomDigits)) {
      prefix = timeText + digitsToText(randomDigits, 0, 12);
    }
    return prefix + digitsToText(randomDigits, 12, 16);
  };
}

/** Whether the last four digits are zero: a carry then reached the digits before. */
function endsInZeros(digits: readonly number[]): boolean {
  return digits[12] === 0 && digits[13] === 0 && digits[14] === 0 && digits[15] === 0;
}

function digitsToText(digits: readonly number[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) {
    text += alphabet[digits[at] as number];
  }
  return text;
}

/** The least id for a time: ids made before it sort below. */
export function leastId(time: number): string {
  return spellTime(time) + alphabet[0]?.repeat(16);
}

/** Increments the digits in place; false on overflow, after the last id of its millisecond. */
function incrementDigits(digits: number[]): boolean {
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
  let remainder = time;
  let text = '';
  for (let at = 0; at < 10; at++) {
    text = alphabet[remainder % 32] + text;
    remainder = Math.floor(remainder / 32);
  }
  return text;
}
