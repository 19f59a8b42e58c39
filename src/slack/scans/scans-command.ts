/** `/scans`: alone, the search form; with text, the results of that search, for the person alone. */
import { resourceName } from '../../codereadr/names.js';
import type { Account } from '../../codereadr/types.js';
import {
  countIn,
  type KnownName,
  type ParsedQuery,
  parseQuery,
  type ScanQuery,
  savedSearches,
} from '../../search/index.js';
import type { CommandTable, Otherwise, Subcommand } from '../bolt/routing/commands.js';
import type { ActorContext, CommandContext } from '../bolt/routing/context.js';
import { globalShortcut, opens } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { help } from '../help/help-command.js';
import { insideCommand } from '../places/inside-command.js';
import { noSuchSearchMessage } from './describe-query.js';
import { searchModal } from './load-search-form.js';
import { problemMessage } from './problem-message.js';
import { firstPage, keepUnderstood, sendResults, utc } from './run-search.js';
import { searchTitle } from './search-form.js';

/** The search form, with today's scans to begin with. */
const opensForm = opens(searchTitle, (context: ActorContext) => searchModal(context, { when: 'today' }));

const form: Subcommand = {
  name: 'form',
  usage: '',
  description: 'Search scans by barcode, time, result, service, user or device',
  role: 'everyone',
  ...opensForm,
};

const search: Otherwise = {
  usage: 'TEXT',
  description: 'Search scans: /scans today not valid Gate A 0123*',
  role: 'everyone',
  run: async (context) => {
    const { deps, actor, text, respond } = context;
    const { query, problem, saved: savedName } = await readQuery(context);
    if (problem) {
      const search = await keepUnderstood(context, query);
      await respond(problemMessage(text, problem, query, search));
      return;
    }
    const saved = savedName === undefined ? undefined : await savedSearches.named(deps, actor.owner, actor, savedName);
    if (savedName !== undefined && !saved) {
      const others = await savedSearches.list(deps, actor.owner, actor);
      await respond(
        noSuchSearchMessage(
          savedName,
          others.map((each) => each.name),
        ),
      );
      return;
    }
    // Other text beside a saved search's name changes the search.
    const asSaved = saved && Object.keys(query).length === 0 ? { saved: saved.name } : {};
    await sendResults(await foundPage(context, { ...saved?.query, ...query }, asSaved), (message) => respond(message));
  },
};

/** The page of a search; where no scan has the typed text, that of scans with the barcode in another form. */
async function foundPage(context: CommandContext, query: ScanQuery, fields: Parameters<typeof firstPage>[2]) {
  const page = await firstPage(context, query, fields);
  const { barcode } = query;
  if (barcode?.match !== 'contains' || countIn(page.answer.totals) > 0 || page.answer.searchedTo) {
    return page;
  }
  const alike = await firstPage(context, { ...query, barcode: { ...barcode, match: 'alike' } });
  return countIn(alike.answer.totals) > 0 ? alike : page;
}

/** Names are loaded only where a word was taken for a barcode or a name, or not understood. */
async function readQuery({ deps, actor, person, text }: CommandContext): Promise<ParsedQuery> {
  const read = (known: readonly KnownName[] = []) => parseQuery(text, deps.clock.now(), person.zone ?? utc, known);
  const plainly = read();
  const word = plainly.problem?.typed ?? plainly.query.barcode?.text ?? '';
  return plainly.guessed || /\p{L}/u.test(word) ? read(await knownNames(await accountOf(deps, actor.owner))) : plainly;
}

async function knownNames({ names }: Account): Promise<readonly KnownName[]> {
  const kinds = ['services', 'users', 'devices'] as const;
  await names.findNames(kinds);
  const lists = await Promise.all(
    kinds.map(async (kind) => ((await names.cached(kind)) ?? []).map((each) => ({ kind, name: resourceName(each) }))),
  );
  return lists.flat();
}

/** `/scandesk scans`: does the same as `/scans`. */
export const scansSubcommand: Subcommand = {
  ...form,
  name: 'scans',
  usage: 'scans [TEXT]',
  description: 'Search scans, as /scans does',
  modalTitle: undefined,
  run: (context) => (context.text === '' ? form : search).run(context),
};

/** Opens the search form from anywhere in Slack; its results stay in the modal. */
export const scansShortcut = globalShortcut('scans.search', { role: 'everyone', ...opensForm });

export const scansCommand: CommandTable = {
  command: '/scans',
  forEmptyText: 'form',
  subcommands: [form, insideCommand, help],
  otherwise: search,
};
