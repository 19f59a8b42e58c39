/**
 * Access to a relay's device pages by a secret in the URL. A page's secret opens only that page and cannot post scans;
 * a relay's own secret opens no page. Only hashes are stored.
 */
import { z } from 'zod';
import type { Clock, Random } from '../clock.js';
import { type Owner, ownerKey } from '../ownership.js';
import { createRelaysById } from '../relay/record/by-id.js';
import { hashSecret, makeSecret, matchSecret } from '../relay/record/webhook-secret.js';
import type { Store } from '../workspaces/types.js';

export const pageKinds = ['history', 'lookup'] as const;
export type PageKind = (typeof pageKinds)[number];

/** The path of each page, with its secret: shown only once. */
export type PagePaths = Readonly<Record<PageKind, string>>;

const namespace = 'relay-pages';
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const recordSchema = z.array(z.object({ at: z.number(), history: hashSchema, lookup: hashSchema }));
type PageRecord = z.output<typeof recordSchema>;

/** The most live pairs of URLs: older pairs are dropped, as each request compares with all of them. */
const mostPairs = 10;

export function createPageAccess(deps: { store: Pick<Store, 'db' | 'keyv' | 'revise'>; clock: Clock; random: Random }) {
  const { clock, random } = deps;
  const relays = createRelaysById(deps.store.db);
  const { revise } = deps.store;
  const pageRecords = deps.store.keyv<PageRecord>(namespace);

  const keyOf = (owner: Owner, relayId: string): string => `${ownerKey(owner)}:${relayId}`;
  const parsed = (stored: unknown): PageRecord => recordSchema.parse(stored ?? []);
  const readRecord = async (owner: Owner, relayId: string): Promise<PageRecord> =>
    parsed(await pageRecords.get(keyOf(owner, relayId)));

  return {
    /** Makes a pair of URLs; others stay valid until `end`. The caller has checked that the relay is the owner's. */
    async make(owner: Owner, relayId: string): Promise<PagePaths> {
      const secrets = { history: makeSecret(random), lookup: makeSecret(random) };
      const entry = {
        at: clock.now(),
        history: hashSecret(secrets.history),
        lookup: hashSecret(secrets.lookup),
      };
      await revise(namespace, keyOf(owner, relayId), (before) => [entry, ...parsed(before)].slice(0, mostPairs));
      const path = (kind: PageKind) => `/pages/${relayId}/${secrets[kind]}/${kind}`;
      return { history: path('history'), lookup: path('lookup') };
    },

    /** When each live pair of URLs was made, newest first. */
    async madeAt(owner: Owner, relayId: string): Promise<readonly number[]> {
      return (await readRecord(owner, relayId)).map(({ at }) => at);
    },

    /** Revokes all URLs made so far; returns how many pairs. */
    async end(owner: Owner, relayId: string): Promise<number> {
      let ended = 0;
      await revise(namespace, keyOf(owner, relayId), (before) => {
        ended = parsed(before).length;
        return undefined;
      });
      return ended;
    },

    /** The access by a page's secret; undefined: no such relay, or the secret is not one of its pages'. */
    async enter(
      relayId: string,
      secret: string,
    ): Promise<{ readonly owner: Owner; readonly kind: PageKind } | undefined> {
      const access = await relays.access(relayId);
      const entries = access ? await readRecord(access.owner, relayId) : [];
      const hashes = entries.flatMap((entry) => pageKinds.map((id) => ({ id, hash: entry[id] })));
      const found = matchSecret(hashes, hashSecret(secret));
      const kind = pageKinds.find((each) => each === found);
      return access && kind ? { owner: access.owner, kind } : undefined;
    },
  };
}

export type PageAccess = ReturnType<typeof createPageAccess>;
