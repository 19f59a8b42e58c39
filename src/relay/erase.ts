/** What an erased installation, or a team of one, means to the relays: hooks for the transaction that erases it. */
import type { Clock } from '../clock.js';
import type { EraseHook } from '../workspaces/types.js';
import { eraseRelays } from './relays/erase.js';
import { eraseCopies } from './validation/databases/mirror-table.js';

export function eraseHooks(clock: Clock): readonly EraseHook[] {
  return [eraseCopies, eraseRelays(() => clock.now())];
}
