/** The context for showing scans: the names of received scans' ids, the relays that validated them, and secrets. */
import { attempt } from '../codereadr/attempt.js';
import { freshMs as namesFreshMs } from '../codereadr/name-cache.js';
import type { Account, CallOptions } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import type { Scan } from './scan.js';
import type { AccountNames, ScanContext } from './seen-scan.js';

/** The relays' knowledge of the scans they received. */
export interface ReceivingRelays {
  /** Scan properties that are secrets between a device and a relay: the account records them, but nobody may see them. */
  secretProperties(owner: Owner): Promise<readonly string[]>;
  /** The owner's relays that validate scans themselves, and deleted ones that did: their scans are stored. */
  validators(owner: Owner): Promise<readonly { readonly id: string }[]>;
}

/**
 * Reads once what is needed to show each slice of a walk. Without names, which may cost calls, ids are shown.
 * @param freshMs the greatest age of the list that names the account's services; undefined: each scan keeps the name
 * that its service had
 */
export async function openScanContext(
  relays: ReceivingRelays | undefined,
  { owner, account }: { readonly owner: Owner; readonly account: Account },
  options: CallOptions,
  freshMs?: number,
): Promise<(scans: readonly Scan[]) => Promise<ScanContext>> {
  const [validators = [], secret = []] = await Promise.all([
    relays?.validators(owner),
    relays?.secretProperties(owner),
  ]);
  return async (scans) => ({
    validators,
    secret,
    names: await namesFor(account, scans, options),
    services: freshMs === undefined ? undefined : await serviceNames(account, scans, { ...options, freshMs }),
  });
}

/** How long a list that is not fresh waits for the account's answer. */
const waitMs = 1_000;

/** The names of the account's services as they are now: the copy's scans have those of the pass that met them last. */
async function serviceNames(
  account: Account,
  scans: readonly Scan[],
  { freshMs, ...options }: CallOptions & { readonly freshMs: number },
): Promise<ScanContext['services']> {
  if (!scans.some(({ recorded }) => recorded)) {
    return undefined;
  }
  const read = await attempt(account.names.services({ ...options, list: { freshMs, waitMs } }));
  const named = read.ok ? read.value.filter(({ name }) => name !== '') : [];
  return new Map(named.map(({ id, name }) => [id, name]));
}

async function namesFor(account: Account, scans: readonly Scan[], options: CallOptions): Promise<AccountNames> {
  const ownScans = scans.flatMap(({ recorded, received }) => (recorded ? [] : received));
  const has = (field: 'sid' | 'userid' | 'udid') => ownScans.some((scan) => scan[field] !== undefined);
  const withOlder = { ...options, list: { freshMs: namesFreshMs, waitMs } };
  const [services, users, devices] = await Promise.all([
    has('sid') ? attempt(account.names.services(withOlder)) : undefined,
    has('userid') ? attempt(account.names.users(withOlder)) : undefined,
    has('udid') ? attempt(account.names.devices(withOlder)) : undefined,
  ]);
  return {
    services: services?.ok ? services.value : [],
    users: users?.ok ? users.value : [],
    devices: devices?.ok ? devices.value : [],
  };
}
