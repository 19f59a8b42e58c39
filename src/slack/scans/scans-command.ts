/** `/scans`: alone, the search form; with text, the results of that search, for the person alone. */
import { parseQuery, savedSearches } from '../../search/index.js';
import type { CommandTable, Otherwise, Subcommand } from '../bolt/routing/commands.js';
import { globalShortcut } from '../bolt/routing/listeners.js';
import { help } from '../help/help-command.js';
import { noSuchSearchMessage, problemMessage } from './describe-query.js';
import { searchModal } from './load-search-form.js';
import { firstPage, sendResults } from './run-search.js';
import { searchTitle } from './search-form.js';

const form: Subcommand = {
  name: 'form',
  usage: '',
  description: 'Search scans by barcode, time, result, service, user or device',
  role: 'everyone',
  modalTitle: searchTitle,
  run: async (context) => {
    await context.modal.fill(searchTitle, () => searchModal(context, { when: 'today' }));
  },
};

const search: Otherwise = {
  usage: 'TEXT',
  description: 'Search scans: /scans today invalid service:"Gate A" 0123*',
  role: 'everyone',
  run: async (context) => {
    const { deps, actor, person, text, respond } = context;
    const read = parseQuery(text, deps.clock.now(), person.zone ?? 'Etc/UTC');
    if ('problem' in read) {
      await respond(problemMessage(text, read.problem));
      return;
    }
    const { query, saved: name } = read;
    const saved = name === undefined ? undefined : await savedSearches.named(deps, actor.owner, actor, name);
    if (name !== undefined && !saved) {
      const others = await savedSearches.list(deps, actor.owner, actor);
      await respond(
        noSuchSearchMessage(
          name,
          others.map((each) => each.name),
        ),
      );
      return;
    }
    // What is typed beside the name changes the search.
    const asSaved = saved && Object.keys(query).length === 0 ? { saved: saved.name } : {};
    await sendResults(await firstPage(context, { ...saved?.query, ...query }, asSaved), (message) => respond(message));
  },
};

/** `/scandesk scans`: the same search. */
export const scansSubcommand: Subcommand = {
  ...form,
  name: 'scans',
  usage: 'scans [TEXT]',
  description: 'Search scans, as /scans does',
  modalTitle: undefined,
  run: (context) => (context.text === '' ? form : search).run(context),
};

/** The same form from anywhere; its results stay in the modal. */
export const scansShortcut = globalShortcut('scans.search', {
  role: 'everyone',
  modalTitle: searchTitle,
  run: async (context) => {
    await context.modal.fill(searchTitle, () => searchModal(context, { when: 'today' }));
  },
});

export const scansCommand: CommandTable = {
  command: '/scans',
  alone: 'form',
  subcommands: [form, help],
  otherwise: search,
};
