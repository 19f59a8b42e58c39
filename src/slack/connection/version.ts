/**
 * Owns whether something that was made of an account is still about the one that is connected: ids of one name other things in
 * the next. `connectedAt` of the connection stands for the account; what carries none was made before any was written down.
 */
import type { Account } from '../../codereadr/types.js';
import type { Owner } from '../../ownership.js';
import { SlackError } from '../bolt/errors.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { accountOf } from './connection.js';

type Deps = Pick<SlackDeps, 'store' | 'accounts'>;

/** To be written beside what is made. Ask it before the account is asked: then it is never newer than what was told. */
export async function connectedSince(deps: Pick<Deps, 'store'>, owner: Owner): Promise<number | undefined> {
  return (await deps.store.workspaces.connection(owner))?.connectedAt;
}

export function isOtherAccount(error: unknown): boolean {
  return error instanceof SlackError && error.code === 'slack.other_account';
}

/** @throws SlackRoomError `slack.other_account` */
export async function demandSameAccount(
  deps: Pick<Deps, 'store'>,
  owner: Owner,
  connectedAt: number | undefined,
): Promise<void> {
  if (connectedAt !== undefined && (await connectedSince(deps, owner)) !== connectedAt) {
    throw new SlackError('slack.other_account', 'what is to be acted on belongs to an earlier connection');
  }
}

/** @throws SlackRoomError `slack.other_account`, `slack.not_connected` */
export async function accountSince(deps: Deps, owner: Owner, connectedAt: number | undefined): Promise<Account> {
  const account = await accountOf(deps, owner);
  // Asked after the key was read, so that a key that comes in between cannot pass for the earlier one.
  await demandSameAccount(deps, owner, connectedAt);
  return account;
}
