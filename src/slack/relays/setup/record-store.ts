/**
 * Stored service setups, so that each can be undone: each has the former postback URL, sealed as it may hold a secret,
 * and the entered barcode types.
 */
import { z } from 'zod';
import { StoreError } from '../../../database/errors.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import type { SealedKind } from '../../../workspaces/rotate-keys.js';
import type { SealContext, Store } from '../../../workspaces/types.js';

const setUpSchema = z.object({
  id: z.string(),
  /** What the setup did. `made`: it created a new service for direct scans. */
  kind: z.enum(['changed', 'made']),
  serviceId: z.string(),
  serviceName: z.string(),
  by: z.string(),
  at: z.number(),
  /** The former postback URL, sealed; undefined: the service had none, or was created. */
  before: z.string().optional(),
  /** The former postback URL as shown: its host, and parts of its path that cannot be secret. */
  beforeShown: z.string().optional(),
  symbologies: z.array(z.string()),
  /** `connectedAt` of the connection whose account has the service. */
  connectedAt: z.number().optional(),
});
type SetUpRecord = z.output<typeof setUpSchema>;

export interface SetUp extends Omit<SetUpRecord, 'before'> {
  /** The former postback URL. */
  readonly before?: string | undefined;
  /** The sealed `before` when it cannot be opened: its key is gone. */
  readonly beforeLost?: string | undefined;
}

const namespace = 'relay-services';
const maxRecords = 50;
const listShape = z.array(setUpSchema);

function sealContext(owner: Owner, relay: string, id: string): SealContext {
  return { purpose: 'service-url', installation: owner.installation, record: `${owner.team}:${relay}:${id}` };
}

/** The kind of sealed record, for key rotation: a setup can be undone months later. */
export const sealedSetUps: SealedKind = {
  namespace,
  reseal(key, record, again) {
    const [installation = '', team = '', relay = ''] = key.split(':');
    return listShape
      .parse(record)
      .map((setUp) =>
        setUp.before === undefined
          ? setUp
          : { ...setUp, before: again(setUp.before, sealContext({ installation, team }, relay, setUp.id)) },
      );
  },
};

export function createSetUps({ store }: { readonly store: Pick<Store, 'keyv' | 'revise' | 'sealer'> }) {
  const records = store.keyv<SetUpRecord[]>(namespace);
  const keyOf = (owner: Owner, relay: string) => `${ownerKey(owner)}:${relay}`;
  const parsed = (stored: unknown) => listShape.parse(stored ?? []);
  const readSetUps = async (owner: Owner, relay: string) => parsed(await records.get(keyOf(owner, relay)));

  /** Opens a sealed URL. A record that cannot be opened does not hide the other records. */
  function openSealed(sealed: string, context: SealContext): Pick<SetUp, 'before' | 'beforeLost'> {
    try {
      return { before: store.sealer.open(sealed, context) };
    } catch (error) {
      if (error instanceof StoreError && error.code === 'store.seal_broken') {
        return { beforeLost: sealed };
      }
      throw error;
    }
  }

  return {
    /** A relay's setups, newest first. */
    async list(owner: Owner, relay: string): Promise<readonly SetUp[]> {
      return (await readSetUps(owner, relay)).map(({ before, ...record }) => ({
        ...record,
        ...(before === undefined ? {} : openSealed(before, sealContext(owner, relay, record.id))),
      }));
    },
    /** Stores a setup, in place of an earlier one with its id. Only a relay's 50 newest setups are kept. */
    async add(owner: Owner, relay: string, { before, beforeLost, ...setUp }: SetUp): Promise<void> {
      const sealed =
        before === undefined
          ? { before: beforeLost }
          : { before: store.sealer.seal(before, sealContext(owner, relay, setUp.id)) };
      await store.revise(namespace, keyOf(owner, relay), (before) => {
        const others = parsed(before).filter(({ id }) => id !== setUp.id);
        return [{ ...setUp, ...sealed }, ...others].slice(0, maxRecords);
      });
    },
    async remove(owner: Owner, relay: string, id: string): Promise<void> {
      await store.revise(namespace, keyOf(owner, relay), (before) => {
        const others = parsed(before).filter((record) => record.id !== id);
        return others.length > 0 ? others : undefined;
      });
    },
  };
}
