/**
 * One account's mirror, as long as this process holds its lease: its state, its changes, and the account that it
 * copies. A change without the lease throws, so that two processes never keep one mirror.
 */
import type { Clock } from '../../clock.js';
import type { Account, Accounts } from '../../codereadr/types.js';
import { unclaimed } from '../../database/claims/claim.js';
import type { Store } from '../../workspaces/types.js';
import { LeaseLost } from '../errors.js';
import type { AccountMirror, AccountMirrors, MirrorFields } from '../tables/accounts.js';
import type { MirrorTimes } from '../times.js';

export interface LeaseDeps {
  readonly store: Pick<Store, 'workspaces'>;
  readonly accounts: Accounts;
  readonly mirrors: AccountMirrors;
  readonly clock: Clock;
  /** The id of this worker, unique among all processes that ever run on this store. */
  readonly worker: string;
  readonly times: MirrorTimes;
}

export function createLease(deps: LeaseDeps, accountMirror: AccountMirror) {
  const { store, accounts, mirrors, clock, worker, times } = deps;
  const { id, owner, connectedAt } = accountMirror;
  let mirror = accountMirror;
  return {
    /** The mirror as of the last change. */
    get mirror() {
      return mirror;
    },

    /** Changes the mirror, and renews the lease. @throws LeaseLost */
    async update(fields: MirrorFields): Promise<void> {
      const updated = await mirrors.update(worker, id, { ...fields, claimed_until: clock.now() + times.leaseMs });
      if (!updated) {
        throw new LeaseLost('another process keeps this mirror');
      }
      mirror = updated;
    },

    /** The account of the mirror. @throws LeaseLost if another account is connected by now, or none */
    async open(): Promise<Account> {
      const [apiKey, connection] = await Promise.all([
        store.workspaces.apiKey(owner),
        store.workspaces.connection(owner),
      ]);
      if (apiKey === undefined || connection?.connectedAt !== connectedAt) {
        throw new LeaseLost('the account is no longer connected');
      }
      return accounts.open(apiKey);
    },

    async release(): Promise<void> {
      await mirrors.update(worker, id, { ...unclaimed });
    },
  };
}

export type Lease = ReturnType<typeof createLease>;
