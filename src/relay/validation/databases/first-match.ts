/** First match among several databases in their order. After an unknown one, a later one cannot decide. Pure. */
import type { DatabaseValue } from '../../../codereadr/types.js';
import type { UncheckedReason } from '../../record/relay.js';

export type DatabaseResult =
  | ({ readonly kind: 'found' } & DatabaseValue)
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: UncheckedReason };

/**
 * The answer of a mirror about a value. `unsure`: there is no complete mirror, or it cannot decide for such a value.
 */
export type MirrorResult = Exclude<DatabaseResult, { kind: 'unknown' }> | { readonly kind: 'unsure' };

export interface Match {
  readonly answer: Exclude<DatabaseResult, { kind: 'absent' }>;
  /** The index of the database that gave the answer. */
  readonly at: number;
  /** Whether the database has an equal reading of the value. */
  readonly isReading?: boolean;
}

/**
 * The first database that has the value, or does not know; undefined: none has it. `askDatabase` is called at once for
 * all if no mirror has the value, since it may be new in any; otherwise for those before the holder whose mirrors are
 * unsure.
 */
export async function firstMatch(
  mirrors: readonly MirrorResult[],
  askDatabase: (at: number, byMirror: MirrorResult) => Promise<DatabaseResult>,
): Promise<Match | undefined> {
  const holder = mirrors.findIndex(({ kind }) => kind === 'found');
  const speaking = holder === -1 ? mirrors : mirrors.slice(0, holder + 1);
  const answers = speaking.map((byMirror, at) =>
    byMirror.kind === 'unsure' || holder === -1 ? askDatabase(at, byMirror) : Promise.resolve(byMirror),
  );
  for (const [at, one] of answers.entries()) {
    const said = await one;
    if (said.kind !== 'absent') {
      return { answer: said, at };
    }
  }
  return undefined;
}
