/**
 * A workspace's account, and the check that a message or form comes from it: its ids name other resources in another
 * account. `connectedAt` stands for the account; data without it is older than this check.
 */
import type { Account } from '../../codereadr/types.js';
import type { Owner } from '../../ownership.js';
import type { RecordStore } from '../../workspaces/record-store.js';
import { SlackError } from '../bolt/errors.js';
import type { SlackDeps } from '../bolt/routing/deps.js';

type Deps = Pick<SlackDeps, 'store' | 'accounts'>;

/** The workspace's account. @throws SlackError `slack.not_connected` */
export async function accountOf(deps: Pick<SlackDeps, 'store' | 'accounts'>, owner: Owner): Promise<Account> {
  const apiKey = await deps.store.workspaces.apiKey(owner);
  if (apiKey === undefined) {
    throw new SlackError('slack.not_connected', `no API key is stored for ${owner.team}`);
  }
  return deps.accounts.open(apiKey);
}

/**
 * The time of the connection, stored with records made from the account. It is read before the account is called, so
 * that it is never too new.
 */
export async function connectedSince(deps: Pick<Deps, 'store'>, owner: Owner): Promise<number | undefined> {
  return (await deps.store.workspaces.connection(owner))?.connectedAt;
}

export function isOtherAccount(error: unknown): boolean {
  return error instanceof SlackError && error.code === 'slack.other_account';
}

/** Refuses what was made from another account. @throws SlackError `slack.other_account`, `slack.not_connected` */
export async function assertSameAccount(
  deps: Pick<Deps, 'store'>,
  owner: Owner,
  connectedAt: number | undefined,
): Promise<void> {
  const since = connectedAt === undefined ? undefined : await connectedSince(deps, owner);
  if (since !== connectedAt) {
    throw since === undefined
      ? new SlackError('slack.not_connected', `made for the connection of ${connectedAt}, which was ended`)
      : new SlackError('slack.other_account', `made for the connection of ${connectedAt}, which was replaced`);
  }
}

/**
 * A stored record of what the account said, to act on. Undefined if the record expired.
 * @throws SlackError `slack.other_account`, `slack.not_connected`
 */
export async function findOfAccount<Item extends { readonly connectedAt?: number | undefined }>(
  deps: Pick<Deps, 'store'>,
  owner: Owner,
  records: Pick<RecordStore<Item>, 'find'>,
  id: string,
): Promise<Item | undefined> {
  const found = await records.find(deps, owner, id);
  await assertSameAccount(deps, owner, found?.connectedAt);
  return found;
}

/** @throws SlackError `slack.other_account`, `slack.not_connected` */
export async function accountSince(deps: Deps, owner: Owner, connectedAt: number | undefined): Promise<Account> {
  const account = await accountOf(deps, owner);
  // The account is checked after the key was read, so that a key entered in between is noticed.
  await assertSameAccount(deps, owner, connectedAt);
  return account;
}
