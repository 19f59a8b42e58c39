/** The dialog that chooses and orders the databases of lookups: its button, clicks, options and submission. */

import { z } from 'zod';
import { mostDatabases } from '../../../lookup/index.js';
import { option } from '../../block-kit/elements.js';
import { code, settled, textElement } from '../../block-kit/text.js';
import { unavailable } from '../../block-kit/view-state.js';
import { record } from '../../bolt/audit.js';
import { savingView } from '../../bolt/problem/loading.js';
import { noticeView } from '../../bolt/problem/notice.js';
import { action, type DataSchema, type Listener, modal, type Output, options } from '../../bolt/routing/listeners.js';
import { accountOf } from '../account.js';
import { databaseMetadata, databasesForm, searchedIds } from './databases-view.js';

export const connectDatabases = action('connect.databases', {
  role: 'manager',
  run: async (context) => {
    const { deps, actor, modal } = context;
    await modal.fill('Choose databases', async () => {
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

/** From the databases searched now and the choice to those searched next; undefined: every database. */
type Change<D extends DataSchema> = (searched: readonly string[], data: Output<D>) => readonly string[] | undefined;

function redrawWith<D extends DataSchema>(id: string, data: D, change: Change<D>): Listener {
  return action(id, {
    role: 'manager',
    data,
    metadata: databaseMetadata,
    async run({ deps, actor, data: chosen, metadata, modal }) {
      const databases = await (await accountOf(deps, actor.owner)).names.databases();
      const ids = change(searchedIds(databases, metadata), chosen);
      await modal.show(databasesForm(databases, { ...metadata, ids: ids && [...ids] }));
    },
  });
}

export const databaseMove = redrawWith('connect.database.move', z.string(), (searched, chosen) => {
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

export const databaseAdd = redrawWith('connect.database.add', z.string(), (searched, id) =>
  id === unavailable || searched.includes(id) || searched.length >= mostDatabases ? searched : [...searched, id],
);

export const databaseAll = redrawWith('connect.database.all', undefined, () => undefined);

export const databaseOptions = options('connect.database.add', {
  role: 'manager',
  metadata: databaseMetadata,
  async offer({ deps, actor, metadata, typed }) {
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
  metadata: databaseMetadata,

  fields: ({ metadata }) =>
    metadata.ids?.length === 0
      ? { errors: { 'database.add': 'Choose at least one database.' } }
      : { show: savingView('Choose databases'), input: undefined },

  async run(context) {
    const { deps, actor, metadata, modal } = context;
    const { ids } = metadata;
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
