/**
 * The list commands (`/scandesk services`, `users`, `devices`, `databases`, `questions`, `uploads`). Each opens a list
 * modal; text after the subcommand is the search query, but for uploads, which have none.
 */
import type { Subcommand } from '../bolt/routing/commands.js';
import { tooLongMessage } from '../lookup/card/barcode-hints.js';
import { listTitle } from './list-view.js';
import { loadListView } from './load-list.js';
import type { ListKind } from './metadata.js';
import { queryIn } from './query.js';

function listCommand(kind: ListKind, describes: string, usage: string = kind): Subcommand {
  return {
    name: kind,
    usage,
    description: describes,
    role: 'everyone',
    modalTitle: listTitle(kind),
    async run(context) {
      const query = queryIn(kind, context.text);
      if (query === 'too_long') {
        return context.respond(tooLongMessage([...context.text.trim()].length));
      }
      const metadata = { channel: context.channelId, list: kind, query };
      await context.modal.fill(listTitle(kind), () => loadListView(context, metadata));
    },
  };
}

export const lists: readonly Subcommand[] = [
  listCommand('services', 'List services and manage each one from its menu', 'services [TEXT]'),
  listCommand('users', 'List users', 'users [TEXT]'),
  listCommand('devices', 'List devices', 'devices [TEXT]'),
  listCommand('databases', 'List databases; add values, upload a file, or empty one from its menu', 'databases [TEXT]'),
  listCommand('questions', 'List the questions that devices ask', 'questions [TEXT]'),
  listCommand('uploads', 'List uploads from devices'),
];
