/**
 * Owns the list of everything Slack can ask of Scandesk. A new listener is one file in its folder and one line in that
 * folder's index.
 */
import { registerForms } from '../forms/index.js';
import type { Registry } from '../registry.js';
import { registerRelayService } from '../relay-service/register.js';
import { registerRelaySettings } from '../relay-settings/register.js';
import { registerActions } from './actions/index.js';
import { afterwards } from './afterwards.js';
import { registerCommands } from './commands/index.js';
import { registerEvents } from './events/index.js';
import { registerOptions } from './options/index.js';
import { registerShortcuts } from './shortcuts/index.js';
import { registerViews } from './views/index.js';

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
