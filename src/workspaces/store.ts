/** The store: it opens the database, exposes its parts, and closes it. */
import type { Clock, Random } from '../clock.js';
import { createIds } from '../database/ids.js';
import { createKeyvs } from '../database/keyv-store.js';
import { createRevise } from '../database/keyv-update.js';
import { type DatabaseOptions, openDatabase } from '../database/open.js';
import { createAudit } from './audit.js';
import { createErase } from './erase.js';
import { createInstallations } from './installations.js';
import { resealAll, type SealedKind } from './rotate-keys.js';
import { createSealer } from './sealing.js';
import { createWorkspaces } from './settings.js';
import type { EraseHook, Store } from './types.js';
import { sealProbe, verifyKey } from './verify-key.js';

export interface StoreOptions extends DatabaseOptions {
  /** The sealing keys, 32 bytes each. The first key seals. */
  readonly secretKeys: readonly Buffer[];
  readonly clock: Clock;
  readonly random: Random;
  /** Other kinds of long-lived sealed records in keyv, included in key rotation. */
  readonly sealed?: readonly SealedKind[];
}

/**
 * Opens the store and runs the migrations.
 * @throws StoreError as `openDatabase`, and `store.seal_key`: a key is missing, of the wrong size, or not the one that
 * this database was sealed with
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { clock, random, log } = options;
  const sealer = createSealer(options.secretKeys, random);
  const { db, kind, reads, close } = await openDatabase(options);
  try {
    await verifyKey(db, sealer);
    if (options.secretKeys.length > 1) {
      const kinds = [sealProbe, ...(options.sealed ?? [])];
      log.info(await resealAll({ db, sealer, log, kinds }), 'sealed records were resealed with the first key');
    }
  } catch (error) {
    await close();
    throw error;
  }
  const keyv = createKeyvs({ db, kind, clock });
  const hooks: EraseHook[] = [];
  return {
    kind,
    db,
    ...(reads ? { reads } : {}),
    keyv,
    revise: createRevise({ db, clock }),
    sealer,
    workspaces: createWorkspaces({ keyv, sealer }),
    installations: createInstallations({ keyv, sealer }),
    audit: createAudit({ db, kind, clock, makeId: createIds(clock, random) }),
    ...createErase({ db, kind, clock, hooks }),
    onErase: (hook) => {
      hooks.push(hook);
    },
    close,
  };
}
