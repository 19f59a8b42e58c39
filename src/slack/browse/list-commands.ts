/**
 * The list commands (`/scandesk services`, `users`, `devices`, `databases`, `questions`, `scans`, `uploads`). Each
 * opens a list modal; text after the subcommand is the search query.
 */

import type { Subcommand } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { tooLongMessage } from '../lookup/card/barcode-hints.js';
import { listTitles } from './list-view.js';
import { listWindow } from './load-list.js';
import type { ListKind, ListNotes } from './metadata.js';
import { queryIn } from './query.js';

function list(kind: ListKind, describes: string, usage: string = kind): Subcommand {
  return {
    name: kind,
    usage,
    description: describes,
    role: 'everyone',
    modalTitle: listTitles[kind],
    async run(context) {
      const query = queryIn(kind, context.text);
      if (query === 'too_long') {
        return context.respond(tooLongMessage([...context.text.trim()].length));
      }
      await open(context, { channel: context.channelId, list: kind, query });
    },
  };
}

async function open(context: CommandContext, notes: ListNotes): Promise<void> {
  await context.modal.fill(listTitles[notes.list], () => listWindow(context, notes));
}

export const lists: readonly Subcommand[] = [
  list('services', 'lists services; what can be done with each is in its menu', 'services [TEXT]'),
  list('users', 'lists who scans', 'users [TEXT]'),
  list('devices', 'lists the devices', 'devices [TEXT]'),
  list('databases', 'lists databases; each one’s menu adds values, uploads a file, empties it', 'databases [TEXT]'),
  list('questions', 'lists what devices ask', 'questions [TEXT]'),
  list('scans', 'lists scans, newest first, of barcodes that hold a piece', 'scans [PIECE]'),
  list('uploads', 'lists what devices have sent in'),
];
