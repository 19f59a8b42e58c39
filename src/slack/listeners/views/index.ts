/**
 * Owns the list of what happens when a form is sent: one line each.
 */
import { callbackIds } from '../../ids.js';
import { postCallbacks } from '../../post-ids.js';
import type { Registry } from '../../registry.js';
import { accessSubmitted } from './access.js';
import { connectSubmitted } from './connect.js';
import { databasesSubmitted } from './databases.js';
import { disconnectSubmitted } from './disconnect.js';
import { editSubmitted } from './edit-response.js';
import { listSearched } from './lists.js';
import { muteSubmitted } from './post-mute.js';
import { relaySharedAgreed, relaySubmitted } from './relay.js';

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
