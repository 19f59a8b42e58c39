/** Each person's last lookups, newest first, one entry a barcode. Lookups in another account are not shown. */
import { z } from 'zod';
import { failureShape, headlineKinds, headlineOf, type Lookup } from '../../lookup/index.js';
import type { Owner } from '../../ownership.js';
import { recordStore } from '../../workspaces/record-store.js';
import type { Actor, SlackDeps } from '../bolt/routing/deps.js';
import { connectedSince } from '../connection/account.js';

/** How many lookups are kept for a person, and for how long. */
export const mostRecent = 10;
const ttlMs = 30 * 24 * 60 * 60_000;

/**
 * `value`: exactly as looked up. `kind`: of the card's headline; `asOf`, `doubt`: the age and the doubt in its title.
 * `why`: what failed. `symbology`: see `Lookup`.
 */
const recentShape = z
  .object({
    value: z.string(),
    kind: z.enum(headlineKinds),
    at: z.number(),
    asOf: z.number().optional(),
    doubt: z.string().optional(),
    why: failureShape.optional(),
    symbology: z.string().optional(),
  })
  .readonly();

export type RecentLookup = z.output<typeof recentShape>;

/** `connectedAt`: the time of the connection that answered the lookups. */
const records = recordStore(
  'recent-lookups',
  z.object({ connectedAt: z.number().optional(), lookups: z.array(recentShape).readonly() }).readonly(),
  ttlMs,
);

type Deps = Pick<SlackDeps, 'store' | 'clock'>;
type Reader = Pick<Actor, 'owner' | 'userId'>;

/** The person's last lookups in the connected account, newest first. */
export async function recentLookups(deps: Deps, { owner, userId }: Reader): Promise<readonly RecentLookup[]> {
  const [connectedAt, found] = await Promise.all([connectedSince(deps, owner), records.find(deps, owner, userId)]);
  const oldest = deps.clock.now() - ttlMs;
  return found && found.connectedAt === connectedAt ? found.lookups.filter(({ at }) => at > oldest) : [];
}

/** Records lookups. @param connectedAt the connection that answered; stored lookups of another one are dropped */
export async function recordLookups(
  deps: Deps,
  { owner, userId }: Reader,
  found: readonly Lookup[],
  connectedAt: number | undefined,
): Promise<void> {
  const oldestAt = deps.clock.now() - ttlMs;
  const newEntries = found.map(
    (lookup): RecentLookup => ({
      value: lookup.value,
      ...outcomeOf(lookup),
      at: lookup.askedAt,
      symbology: lookup.symbology,
    }),
  );
  await records.update(deps, owner, userId, (before) => {
    const earlier = before && before.connectedAt === connectedAt ? before.lookups : [];
    const seen = new Set<string>();
    const lookups = [...newEntries, ...earlier].filter(({ value, at }) => {
      const isNew = at > oldestAt && !seen.has(value);
      seen.add(value);
      return isNew;
    });
    return { connectedAt, lookups: lookups.slice(0, mostRecent) };
  });
}

function outcomeOf(lookup: Lookup): Pick<RecentLookup, 'kind' | 'asOf' | 'doubt' | 'why'> {
  const { kind, dated, after, failure: why } = headlineOf(lookup);
  const age = { asOf: dated?.at, doubt: kind === 'not_confirmed' ? undefined : after || undefined };
  // The account's own text is left out: it has no limit of length.
  const { apiText: _, ...short } = why ?? {};
  return { kind, ...age, ...(why ? { why: { ...short, code: why.code } } : {}) };
}

/** Removes a value from everybody's lookups in the workspace; resolves to the number of people who had looked it up. */
export async function forgetRecentLookups(deps: Pick<Deps, 'store'>, owner: Owner, value: string): Promise<number> {
  let forgottenCount = 0;
  for (const userId of await records.ids(deps, owner)) {
    const hasValue = (await records.find(deps, owner, userId))?.lookups.some((each) => each.value === value);
    if (hasValue) {
      forgottenCount += 1;
      await records.update(deps, owner, userId, (before) => {
        const lookups = before?.lookups.filter((each) => each.value !== value) ?? [];
        return lookups.length > 0 ? { ...before, lookups } : undefined;
      });
    }
  }
  return forgottenCount;
}

/** Removes everybody's recent lookups in the workspace. */
export async function eraseRecentLookups(deps: Pick<Deps, 'store'>, owner: Owner): Promise<void> {
  await records.erase(deps, owner);
}
