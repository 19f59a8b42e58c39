/**
 * Owns the list of what happens when a form is sent: one line each.
 */
import { callbackIds } from '../bolt/ids.js';
import type { Registry } from '../bolt/routing/router.js';
import { listSearched } from '../browse/search-submit.js';
import { postCallbacks } from '../channel-posts/ids.js';
import { muteSubmitted } from '../channel-posts/watches/mute-submit.js';
import { accessSubmitted } from '../connection/access/access-submit.js';
import { connectSubmitted } from '../connection/connect-submit.js';
import { databasesSubmitted } from '../connection/databases/databases-submit.js';
import { disconnectSubmitted } from '../connection/disconnect-submit.js';
import { editSubmitted } from '../lookup/edit/edit-response-submit.js';
import { relaySharedAgreed, relaySubmitted } from '../relays/form-submit.js';

export function registerViews(registry: Registry): void {
  registry.view(callbackIds.connect, connectSubmitted);
  registry.view(callbackIds.databases, databasesSubmitted);
  registry.view(callbackIds.disconnect, disconnectSubmitted);
  registry.view(callbackIds.access, accessSubmitted);
  registry.view(callbackIds.lookupEdit, editSubmitted);
  registry.view(callbackIds.list, listSearched);
  registry.view(callbackIds.relayForm, relaySubmitted);
  registry.view(callbackIds.relayShared, relaySharedAgreed);
  registry.view(postCallbacks.mute, muteSubmitted);
}
