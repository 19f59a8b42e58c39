/**
 * All features: their commands, and the steps by which features go on after an operation:
 * `operations` calls such a step by its name, and imports none of these features.
 */
import { auditLog } from './audit-log/index.js';
import { showGenerated } from './barcode-image/after-generate.js';
import { barcodeImage } from './barcode-image/index.js';
import type { CommandTable } from './bolt/routing/commands.js';
import type { Feature } from './bolt/routing/feature.js';
import { command, type Listener } from './bolt/routing/listeners.js';
import { browse } from './browse/index.js';
import { listChanged } from './browse/list-changed.js';
import { channelPosts } from './channel-posts/index.js';
import { connection } from './connection/index.js';
import { exporting } from './export/index.js';
import { forget } from './forget/index.js';
import { help, unknownSubcommand } from './help/help-command.js';
import { helpFeature } from './help/index.js';
import { home } from './home/index.js';
import { install } from './install/index.js';
import { lent } from './lent/index.js';
import { barcodeCommand } from './lookup/barcode-command.js';
import { cardAdded } from './lookup/edit/value-added.js';
import { lookup } from './lookup/index.js';
import { members } from './members/index.js';
import { messages } from './messages/index.js';
import { type Afterwards, operations } from './operations/index.js';
import { places } from './places/index.js';
import { posts } from './posts/index.js';
import { relays } from './relays/index.js';
import { reports } from './reports/index.js';
import { scans } from './scans/index.js';
import { scansCommand } from './scans/scans-command.js';

const afterSteps: Afterwards = {
  'lookup.added': cardAdded,
  'barcode.made': showGenerated,
  'list.changed': listChanged,
};

const features: readonly Feature[] = [
  install,
  helpFeature,
  home,
  connection,
  lookup,
  barcodeImage,
  browse,
  operations(afterSteps),
  channelPosts,
  posts,
  relays,
  places,
  lent,
  scans,
  exporting,
  reports,
  forget,
  auditLog,
  messages,
  members(listChanged),
];

function subcommandsOf(command: '/barcode' | '/scandesk'): CommandTable['subcommands'] {
  return [...features.flatMap(({ commands }) => commands?.[command] ?? []), help];
}

export function tables(): readonly CommandTable[] {
  return [barcode, scansCommand, scandesk];
}

const barcode: CommandTable = {
  command: '/barcode',
  forEmptyText: '',
  subcommands: subcommandsOf('/barcode'),
  otherwise: barcodeCommand,
};

const scandesk: CommandTable = {
  command: '/scandesk',
  forEmptyText: 'help',
  subcommands: subcommandsOf('/scandesk'),
  otherwise: unknownSubcommand,
};

export const listeners: readonly Listener[] = [
  ...tables().map(command),
  ...features.flatMap((feature) => feature.listeners),
];
