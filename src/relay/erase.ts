/** Relay hooks for the transaction that erases an installation, or one team of it. */
import type { Clock } from '../clock.js';
import type { EraseHook } from '../workspaces/types.js';
import { eraseRelays } from './relays/erase.js';
import { eraseMirrors } from './validation/databases/mirror-table.js';

export function eraseHooks(clock: Clock): readonly EraseHook[] {
  return [eraseMirrors, eraseRelays(() => clock.now())];
}
