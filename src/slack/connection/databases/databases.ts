/** The dialog that chooses and orders the databases of lookups: its button, clicks, options and submission. */

import { z } from 'zod';
import type { Database } from '../../../codereadr/types.js';
import { mostDatabases } from '../../../lookup/index.js';
import { option } from '../../block-kit/elements.js';
import { code, settled, textElement } from '../../block-kit/text.js';
import { unavailable } from '../../block-kit/view-state.js';
import { record } from '../../bolt/audit.js';
import { SlackError } from '../../bolt/errors.js';
import { type DatabaseMetadata, databaseMetadata } from '../../bolt/ids.js';
import { savingView } from '../../bolt/problem/loading.js';
import { noticeView } from '../../bolt/problem/notice.js';
import type { Acknowledged, Action } from '../../bolt/routing/context.js';
import { action, type Listener, modal, options } from '../../bolt/routing/listeners.js';
import { modalOf, withOrigin } from '../../bolt/routing/origin.js';
import { accountOf } from '../connection.js';
import { databasesForm, searchedIds } from './databases-view.js';

export const connectDatabases = action('connect.databases', {
  role: 'manager',
  run: async (context) => {
    const { deps, actor } = withOrigin(context);
    await modalOf(context).fill('Choose databases', async () => {
      const account = await accountOf(deps, actor.owner);
      const [databases, settings] = await Promise.all([
        account.names.databases(),
        deps.store.workspaces.settings(actor.owner),
      ]);
      const ids = settings.lookupDatabases && [...settings.lookupDatabases];
      return databasesForm(databases, { channel: actor.channelId, ids });
    });
  },
});

/** From the databases searched now and the click to those searched next; undefined: every database. */
type Change = (searched: readonly string[], action: Action) => readonly string[] | undefined;

function redrawWith(id: string, change: Change): Listener {
  return action(id, {
    role: 'manager',
    async run({ deps, actor, inside, action }) {
      if (!inside) {
        throw new SlackError('slack.state', `${id} was clicked outside its modal`);
      }
      const before = databaseMetadata.read(inside.view.private_metadata);
      const databases: readonly Database[] = await (await accountOf(deps, actor.owner)).names.databases();
      const ids = change(searchedIds(databases, before), action);
      await inside.show(databasesForm(databases, { ...before, ids: ids && [...ids] }));
    },
  });
}

export const databaseMove = redrawWith('connect.database.move', (searched, action) => {
  const chosen = action.type === 'overflow' ? action.selected_option.value : '';
  const [, move = '', id = ''] = /^(\w+):(.*)$/.exec(chosen) ?? [];
  const at = searched.indexOf(id);
  if (at < 0) {
    return searched;
  }
  const others = searched.filter((each) => each !== id);
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
      return searched;
  }
});

export const databaseAdd = redrawWith('connect.database.add', (searched, action) => {
  const id = action.type === 'external_select' ? action.selected_option?.value : undefined;
  return id === undefined || id === unavailable || searched.includes(id) || searched.length >= mostDatabases
    ? searched
    : [...searched, id];
});

export const databaseAll = redrawWith('connect.database.all', () => undefined);

const optionsBody = z.object({ view: z.object({ private_metadata: z.string() }) });

export const databaseOptions = options('connect.database.add', {
  role: 'manager',
  async offer({ deps, actor, typed, body }) {
    const metadata = databaseMetadata.read(optionsBody.parse(body).view.private_metadata);
    const databases = await (await accountOf(deps, actor.owner)).names.databases();
    const already = searchedIds(databases, metadata);
    return databases
      .filter((database) => !already.includes(database.id))
      .filter((database) => database.name.toLowerCase().includes(typed.toLowerCase()))
      .map((database) => option(settled(database.name), database.id));
  },
});

export const databasesSubmitted = modal('connect.databases', {
  role: 'manager',

  fields({ view }): Acknowledged<DatabaseMetadata> {
    const chosen = databaseMetadata.read(view.private_metadata);
    if (chosen.ids?.length === 0) {
      return { errors: { 'database.add': 'Choose at least one database.' } };
    }
    return { show: savingView('Choose databases'), input: chosen };
  },

  async run(context, { ids }) {
    const { deps, actor, modal } = context;
    await deps.store.workspaces.change(actor.owner, { lookupDatabases: ids });
    await record(context, { what: 'workspace/databases', detail: { databases: ids ?? 'all' } });
    await modal.show(
      noticeView('Saved', ids ? 'Lookups now search these databases.' : 'Lookups now search every database.', [
        textElement('Try '),
        code('/barcode'),
        textElement(' with one of your barcodes.'),
      ]),
    );
    await context.deps.connectionChanged(context);
  },
});
