/**
 * Owns the commands and their subcommands: one line each. What stands here is in the help.
 */
import type { Registry } from '../../registry.js';
import { access } from './access.js';
import { audit } from './audit.js';
import { barcodeCommand } from './barcode.js';
import { call } from './call.js';
import { connect } from './connect.js';
import { disconnect } from './disconnect.js';
import { helpCommand, unknownWord } from './help.js';
import { limits } from './limits.js';
import { lists } from './lists.js';
import { make } from './make.js';
import { mute } from './mute.js';
import { relay } from './relay.js';
import { status } from './status.js';
import { type CommandTable, dispatchCommand } from './table.js';
import { watch } from './watch.js';

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
