/** `/scans`: alone, the search form; with text, the results of that search, for the person alone. */
import { parseQuery } from '../../lookup/index.js';
import type { CommandTable, Otherwise, Subcommand } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { help } from '../help/help-command.js';
import { problemMessage } from './describe-query.js';
import { firstPage, sendResults } from './run-search.js';
import { searchTitle, searchView } from './search-form.js';

const form: Subcommand = {
  name: 'form',
  usage: '',
  description: 'Search scans by barcode, time, result, service, user or device',
  role: 'everyone',
  modalTitle: searchTitle,
  run: async ({ modal, channelId }) => {
    await modal.show(searchView({ when: 'today' }, channelId));
  },
};

const search: Otherwise = {
  usage: 'TEXT',
  description: 'Search scans: /scans today invalid service:"Gate A" 0123*',
  role: 'everyone',
  run: async (context) => {
    const { deps, person, text, respond } = context;
    const read = parseQuery(text, deps.clock.now(), person.zone ?? 'Etc/UTC');
    if ('problem' in read) {
      await respond(problemMessage(text, read.problem));
      return;
    }
    await answer(context, read.query);
  },
};

async function answer(context: CommandContext, query: Parameters<typeof firstPage>[1]): Promise<void> {
  await sendResults(await firstPage(context, query), (message) => context.respond(message));
}

export const scansCommand: CommandTable = {
  command: '/scans',
  alone: 'form',
  subcommands: [form, help],
  otherwise: search,
};
