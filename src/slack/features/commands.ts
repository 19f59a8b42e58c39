/**
 * Owns the commands and their subcommands: one line each. What stands here is in the help.
 */

import { audit } from '../audit-log/audit-command.js';
import { make } from '../barcode-image/make-command.js';
import { type CommandTable, dispatchCommand } from '../bolt/routing/commands.js';
import type { Registry } from '../bolt/routing/router.js';
import { lists } from '../browse/list-commands.js';
import { mute } from '../channel-posts/watches/mute-command.js';
import { watch } from '../channel-posts/watches/watch-command.js';
import { access } from '../connection/access/access-command.js';
import { connect } from '../connection/connect-command.js';
import { disconnect } from '../connection/disconnect-command.js';
import { limits } from '../connection/limits-command.js';
import { status } from '../connection/status-command.js';
import { barcodeCommand } from '../lookup/barcode-command.js';
import { call } from '../operations/call-command.js';
import { relay } from '../relays/relay-command.js';
import { helpCommand, unknownWord } from './help-command.js';

export const tables = (): readonly CommandTable[] => [barcode, scandesk];

const help = helpCommand(tables);

const barcode: CommandTable = {
  command: '/barcode',
  alone: 'help',
  subcommands: [make, help],
  otherwise: barcodeCommand(tables),
};

const scandesk: CommandTable = {
  command: '/scandesk',
  alone: 'help',
  subcommands: [connect, ...lists, limits, relay, watch, mute, status, access, audit, call, disconnect, help],
  otherwise: unknownWord(tables),
};

export function registerCommands(registry: Registry): void {
  for (const table of tables()) {
    registry.command(table.command, (context) => dispatchCommand(table, context));
  }
}
