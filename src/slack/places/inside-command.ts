/** `/scandesk inside [LIST]` and `/scans inside`: how many are inside now, for the person alone. */
import { actions, button, divider, type Message, message } from '../block-kit/elements.js';
import { bold, escaped, richText, textElement } from '../block-kit/text.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { figureLines, insideText } from './figures-lines.js';
import { gateNames } from './gates.js';
import { listedPlaces } from './listed.js';
import type { ListedPlaces } from './views.js';

/** A message holds 50 blocks. */
const listsShown = 10;

export const insideCommand: Subcommand = {
  name: 'inside',
  usage: 'inside [LIST]',
  description: 'Show how many are inside now, by gate, with today’s peak',
  role: 'everyone',
  run: async (context) => context.respond(await insideMessage(context, context.text)),
};

async function insideMessage(context: BaseContext, text: string): Promise<Message> {
  const { deps, actor, client } = context;
  const [lists, role] = await Promise.all([
    listedPlaces(deps, actor.owner),
    deps.permissions.highestRole(client, actor),
  ]);
  const manage = role === 'everyone' ? [] : [actions([button('Manage lists', 'places.lists')])];
  if (lists.length === 0) {
    return message('No list counts who is inside yet.', [
      richText(
        [bold('No list counts who is inside yet.')],
        [
          textElement(
            role === 'everyone'
              ? 'People who can change settings create one.'
              : 'Create one: it says which scans mean in, and which mean out.',
          ),
        ],
      ),
      ...manage,
    ]);
  }
  const wanted = text.trim().replace(/^["“”]|["“”]$/g, '');
  const named = lists.filter(({ list: { name } }) => wanted === '' || name.toLowerCase() === wanted.toLowerCase());
  return named.length === 0 ? noSuchList(wanted, lists) : await figuresMessage(context, named, manage);
}

async function figuresMessage({ deps, actor }: BaseContext, lists: readonly ListedPlaces[], manage: Message['blocks']) {
  const nameOf = await gateNames(deps, actor.owner);
  const shown = lists.slice(0, listsShown);
  return message(shown.map(({ list, figures }) => `${escaped(list.name)}: ${insideText(figures)}`).join('; '), [
    ...shown.flatMap(({ list, figures }, at) => [
      ...(at === 0 ? [] : [divider]),
      richText(...figureLines(list.name, figures, nameOf, list.settings)),
    ]),
    ...manage,
  ]);
}

function noSuchList(wanted: string, lists: readonly ListedPlaces[]): Message {
  const names = lists.map(({ list: { name } }) => name).join(', ');
  return message('There is no such list.', [
    richText([textElement(`There is no list “${wanted}”. There are: ${names}.`)]),
  ]);
}
