/**
 * Owns the names behind ids for pages that show ids: as far as they are kept, or asked for where somebody can wait a moment.
 * What is not known stays an id; a name is never worth an error.
 */
import type { ReferenceKind } from '../account/catalogue/operation.js';
import { type Account, AccountError, type CallOptions, type KnownThings } from '../account/types.js';

/** The name of a thing; undefined where it is not known. */
export type NameOf = (kind: ReferenceKind, id: string) => string | undefined;

export type NamedKind = keyof KnownThings;

export const noNames: NameOf = () => undefined;

const keptAs: Readonly<Partial<Record<ReferenceKind, NamedKind>>> = {
  service: 'services',
  user: 'users',
  device: 'devices',
  database: 'databases',
  question: 'questions',
};

const patienceMs = 1_500;

/** Under which the names of a kind are kept; undefined where they are not. */
export function namedKind(kind: ReferenceKind): NamedKind | undefined {
  return keptAs[kind];
}

/** No call is spent. */
export function knownNames({ reference }: Pick<Account, 'reference'>, kinds: readonly NamedKind[]): Promise<NameOf> {
  return namesFrom(kinds, async (kind) => (await reference.known(kind)) ?? []);
}

/** One call at most for each kind that is not kept; behind everybody else's, and not for long. */
export function askedNames({ reference }: Pick<Account, 'reference'>, kinds: readonly NamedKind[]): Promise<NameOf> {
  const options: CallOptions = { priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(patienceMs) };
  return namesFrom(kinds, async (kind) => {
    try {
      return await reference[kind](options);
    } catch (error) {
      if (error instanceof AccountError) {
        return [];
      }
      throw error;
    }
  });
}

async function namesFrom(
  kinds: readonly NamedKind[],
  list: (kind: NamedKind) => Promise<readonly KnownThings[NamedKind][]>,
): Promise<NameOf> {
  const names = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const things = await list(kind);
        return [kind, new Map(things.map((thing) => [thing.id, nameOf(thing)]))] as const;
      }),
    ),
  );
  return (kind, id) => {
    const kept = keptAs[kind];
    return kept && names.get(kept)?.get(id);
  };
}

function nameOf(thing: KnownThings[NamedKind]): string {
  if ('username' in thing) {
    return thing.username;
  }
  if ('text' in thing) {
    return thing.text;
  }
  return 'udid' in thing ? thing.name || thing.udid : thing.name;
}
