/** Handlers that choose and order the databases of lookups; nothing is saved before the form is submitted. */

import type { Database } from '../../../codereadr/types.js';
import { mostDatabases } from '../../../lookup/index.js';
import { unavailable } from '../../block-kit/view-state.js';
import { SlackError } from '../../bolt/errors.js';
import { databaseNotes } from '../../bolt/ids.js';
import type { Action } from '../../bolt/routing/context.js';
import { action, type Listener } from '../../bolt/routing/listeners.js';
import { accountOf } from '../connection.js';
import { databasesForm, searchedIds } from './databases-view.js';

/** From the databases searched now and the click to those searched next; undefined: every database. */
type Change = (asked: readonly string[], action: Action) => readonly string[] | undefined;

function redrawWith(id: string, change: Change): Listener {
  return action(id, {
    role: 'manager',
    async run({ deps, actor, inside, action }) {
      if (!inside) {
        throw new SlackError('slack.state', 'a click on the list of databases came from no window');
      }
      const before = databaseNotes.read(inside.view.private_metadata);
      const databases: readonly Database[] = await (await accountOf(deps, actor.owner)).names.databases();
      const ids = change(searchedIds(databases, before), action);
      await inside.show(databasesForm(databases, { ...before, ids: ids && [...ids] }));
    },
  });
}

export const databaseMove = redrawWith('connect.database.move', (asked, action) => {
  const chosen = action.type === 'overflow' ? action.selected_option.value : '';
  const [, move = '', id = ''] = /^(\w+):(.*)$/.exec(chosen) ?? [];
  const at = asked.indexOf(id);
  if (at < 0) {
    return asked;
  }
  const others = asked.filter((each) => each !== id);
  switch (move) {
    case 'first':
      return [id, ...others];
    case 'earlier':
      return others.toSpliced(Math.max(0, at - 1), 0, id);
    case 'later':
      return others.toSpliced(at + 1, 0, id);
    case 'leave':
      return others;
    default:
      return asked;
  }
});

export const databaseAdd = redrawWith('connect.database.add', (asked, action) => {
  const id = action.type === 'external_select' ? action.selected_option?.value : undefined;
  return id === undefined || id === unavailable || asked.includes(id) || asked.length >= mostDatabases
    ? asked
    : [...asked, id];
});

export const databaseAll = redrawWith('connect.database.all', () => undefined);
