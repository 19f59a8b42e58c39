/** `/scandesk inside [LIST]` and `/scans inside`: how many are inside now, for the person alone. */
import type { PlaceList } from '../../places/index.js';
import { actions, type Button, button, divider, type Message, message } from '../block-kit/elements.js';
import { bold, escaped, richText } from '../block-kit/text.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import { unquoted } from '../bolt/quotes.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { figureLines, headText } from './figures-lines.js';
import { gateNames } from './gates.js';
import { type ListedPlaces, listedPlaces } from './listed.js';
import { maySeeInside } from './roll-call.js';
import { rollCallTitle } from './roll-call-view.js';

/** The most lists in a message, which holds 50 blocks. */
const listsShown = 10;

export const insideCommand: Subcommand = {
  name: 'inside',
  usage: 'inside [LIST]',
  description: 'Show how many are inside now, by gate, with today’s peak',
  role: 'everyone',
  run: async (context) => {
    const { deps, actor, text } = context;
    await context.respond(await insideMessage(context, await listedPlaces(deps, actor.owner), text));
  },
};

type Context = Pick<BaseContext, 'deps' | 'actor' | 'client'>;

/** The figures of lists. `text`: the name of a list; empty: all lists. */
export async function insideMessage(context: Context, lists: readonly ListedPlaces[], text: string): Promise<Message> {
  const { deps, actor, client } = context;
  const role = await deps.permissions.highestRole(client, actor);
  const manage = role === 'everyone' ? [] : [button('Manage lists', 'places.lists')];
  const newList = button('New list', 'places.new', { style: 'primary' });
  if (lists.length === 0) {
    return message('No list counts who is inside yet.', [
      richText(
        [bold('No list counts who is inside yet.')],
        role === 'everyone'
          ? 'People who can change settings create one.'
          : 'Create one: it says which scans mean in, and which mean out.',
      ),
      ...(role === 'everyone'
        ? []
        : [actions([newList, ...((await deps.places.lists(actor.owner)).length > 0 ? manage : [])])]),
    ]);
  }
  const named = listsNamed(lists, text);
  return named.length === 0
    ? noSuchList(unquoted(text), lists)
    : await figuresMessage(context, named, { manage, role });
}

/** The lists, or records with a list, of this name; for an empty text all of them. */
export function listsNamed<Listed extends { readonly list: PlaceList }>(
  lists: readonly Listed[],
  text: string,
): Listed[] {
  const wanted = unquoted(text).toLowerCase();
  return lists.filter(({ list: { name } }) => wanted === '' || name.toLowerCase() === wanted);
}

async function figuresMessage(
  { deps, actor }: Context,
  lists: readonly ListedPlaces[],
  { manage, role }: { readonly manage: Button[]; readonly role: RequiredRole },
) {
  const nameOf = await gateNames(deps, actor.owner);
  const shownLists = lists.slice(0, listsShown);
  // Below several lists, a button beside those of the last list would seem to be that list's.
  const isAlone = shownLists.length === 1;
  return message(escaped(shownLists.map(({ list, figures }) => headText(list.name, figures)).join('; ')), [
    ...shownLists.flatMap(({ list, figures }, index) => [
      ...(index === 0 ? [] : [divider]),
      richText(...figureLines(list.name, figures, nameOf, list.settings)),
      actions(
        [
          button('Export', 'export.inside', { value: list.id }),
          ...(maySeeInside(list, { userId: actor.userId, role })
            ? [button(rollCallTitle, 'places.roll', { value: list.id })]
            : []),
          ...(isAlone ? manage : []),
        ],
        `export.${list.id}`,
      ),
    ]),
    ...(isAlone || manage.length === 0 ? [] : [actions(manage)]),
  ]);
}

function noSuchList(wanted: string, lists: readonly ListedPlaces[]): Message {
  const names = lists.map(({ list: { name } }) => name).join(', ');
  return message('There is no such list.', [richText(`There is no list “${wanted}”. There are: ${names}.`)]);
}
