/**
 * Owns the list of everything Slack can ask of Scandesk. A new listener is one file in its folder and one line in that
 * folder's index.
 */

import type { Registry } from '../bolt/routing/router.js';
import { registerForms } from '../operations/index.js';
import { registerRelaySettings } from '../relays/settings/register.js';
import { registerRelayService } from '../relays/setup/register.js';
import { registerActions } from './actions.js';
import { afterwards } from './after-operation.js';
import { registerCommands } from './commands.js';
import { registerEvents } from './events.js';
import { registerOptions } from './options.js';
import { registerShortcuts } from './shortcuts.js';
import { registerViews } from './views.js';

export function registerListeners(registry: Registry): void {
  registerCommands(registry);
  registerActions(registry);
  registerViews(registry);
  registerOptions(registry);
  registerShortcuts(registry);
  registerEvents(registry);
  registerForms(registry, afterwards);
  registerRelaySettings(registry);
  registerRelayService(registry);
}
