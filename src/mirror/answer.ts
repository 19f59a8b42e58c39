/** The answer of a database's mirror about a value, from the values that share its key. Pure. */
import { isUnsureMatch } from '../codereadr/barcode-equality.js';
import type { DatabaseMirror } from './tables/databases.js';
import { isLostText, type StoredValue } from './tables/values.js';

/**
 * The answer of a database's mirror about a value.
 * - `found`: the database holds it. `value` is the database's spelling.
 * - `absent`: the database did not hold it at `at`.
 * - `unsure`: there is no complete mirror, or the mirror cannot decide for this value: others read alike, or the
 * database may mean another spelling. `last`: a value of the mirror that may have changed or be another one.
 */
export type MirrorAnswer =
  | {
      readonly kind: 'found';
      readonly valid: boolean;
      readonly response: string;
      readonly value: string;
      readonly at: number;
    }
  | { readonly kind: 'absent'; readonly at: number }
  | { readonly kind: 'unsure'; readonly last?: Extract<MirrorAnswer, { kind: 'found' }> };

/** The mirror's answer. @param storedValues the values that share the key */
export function answerFrom(storedValues: readonly StoredValue[], mirror: DatabaseMirror, value: string): MirrorAnswer {
  const isGone = mirror.lastCode === 'relay.database_gone';
  const fetchedAt = mirror.fetchedAt ?? 0;
  if (storedValues.length === 0) {
    return mirror.fetchedAt === undefined || mirror.searched === undefined || isGone
      ? { kind: 'unsure' }
      : { kind: 'absent', at: fetchedAt };
  }
  const findingOf = (one: StoredValue) =>
    ({ kind: 'found', valid: one.valid, response: one.response, at: fetchedAt, value: one.value }) as const;
  // A value that the last complete pass did not meet may be deleted. A text that is not sure may be what answers leave
  // of another value.
  const isMet = ({ round }: StoredValue) => round >= mirror.round;
  const isSure = (one: StoredValue) => isMet(one) && one.sureFrom <= mirror.round && !isLostText(one, mirror);
  const sameValues = storedValues.filter((one) => !isUnsureMatch(value, one.value));
  const exact = sameValues.filter((one) => one.value === value);
  const [candidates = storedValues] = [exact.filter(isMet), sameValues.filter(isMet), exact, sameValues].filter(
    ({ length }) => length > 0,
  );
  const [sure, ...otherCandidates] = sameValues.length === 0 || isGone ? [] : candidates.filter(isSure);
  if (sure && otherCandidates.length === 0) {
    return findingOf(sure);
  }
  // Such a text is shown as nobody's last answer: the other value may be the only one that ever had it.
  const read = candidates.filter(({ lostRound }) => lostRound === null);
  const last = read.find(({ valid }) => !valid) ?? read[0];
  return last ? { kind: 'unsure', last: findingOf(last) } : { kind: 'unsure' };
}
