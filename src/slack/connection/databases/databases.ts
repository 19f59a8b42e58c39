/** The dialog that chooses and orders the databases of lookups: its button, clicks, options and submission. */
import { z } from 'zod';
import { mostDatabases } from '../../../lookup/index.js';
import { mirrorSettings } from '../../../mirror/index.js';
import type { WorkspaceSettings } from '../../../workspaces/types.js';
import { option, unavailable } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { record } from '../../bolt/audit.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import type { SlackDeps } from '../../bolt/routing/deps.js';
import {
  action,
  type DataSchema,
  type Listener,
  modal,
  type Output,
  opener,
  options,
} from '../../bolt/routing/listeners.js';
import { type Errors, formStateIn } from '../../forms/view-state.js';
import { accountOf } from '../account.js';
import { connectionModal } from '../connect-command.js';
import {
  type DatabaseMetadata,
  databaseMetadata,
  databasesForm,
  databasesTitle,
  scanDays,
  scanDaysFrame,
  searchedIds,
} from './databases-view.js';

const connectDatabases = opener('connect.databases', {
  role: 'manager',
  modalTitle: 'Choose databases',
  async view({ deps, actor }) {
    const account = await accountOf(deps, actor.owner);
    const [databases, settings] = await Promise.all([
      account.names.databases(),
      deps.store.workspaces.settings(actor.owner),
    ]);
    const ids = settings.lookupDatabases && [...settings.lookupDatabases];
    return databasesForm(databases, { channel: actor.channelId, ids, ...mirrorOf(deps, settings) });
  },
});

/** A change of the choice, from the databases searched now to those searched next; undefined: every database. */
type Change<D extends DataSchema> = (searched: readonly string[], data: Output<D>) => readonly string[] | undefined;

function redrawWith<D extends DataSchema>(id: string, data: D, change: Change<D>): Listener {
  return action(id, {
    role: 'manager',
    data,
    metadata: databaseMetadata,
    async run({ deps, actor, data: menuChoice, metadata, modal }) {
      const databases = await (await accountOf(deps, actor.owner)).names.databases();
      const searched = searchedIds(databases, metadata);
      const ids = change(searched, menuChoice);
      // Where the list is unchanged, nothing was chosen anew.
      const next = ids === searched ? metadata : { ...metadata, ids: ids && [...ids] };
      await modal.show(databasesForm(databases, withCopy(next, menuChoice)));
    },
  });
}

/** The metadata after *Copy* or *Don’t copy* in a row's menu; unchanged after other choices. */
function withCopy(metadata: DatabaseMetadata, menuChoice: unknown): DatabaseMetadata {
  const id = typeof menuChoice === 'string' ? /^copy:(.*)$/.exec(menuChoice)?.[1] : undefined;
  const { mirror } = metadata;
  if (id === undefined || !mirror) {
    return metadata;
  }
  const others = mirror.without.filter((one) => one !== id);
  const without = others.length < mirror.without.length ? others : [...others, id];
  return { ...metadata, mirror: { ...mirror, without } };
}

/** The mirror's settings, for the form; none where the mirror is switched off. */
export function mirrorOf(
  { mirror }: Pick<SlackDeps, 'mirror'>,
  settings: WorkspaceSettings,
): Pick<DatabaseMetadata, 'mirror'> {
  const { scanDays, without } = mirrorSettings(settings);
  return mirror ? { mirror: { scanDays, without: [...without] } } : {};
}

const databaseMove = redrawWith('connect.database.move', z.string(), (searchedIdList, chosenValue) => {
  const [, move = '', id = ''] = /^(\w+):(.*)$/.exec(chosenValue) ?? [];
  const index = searchedIdList.indexOf(id);
  if (index < 0) {
    return searchedIdList;
  }
  const otherIds = searchedIdList.filter((each) => each !== id);
  switch (move) {
    case 'first':
      return [id, ...otherIds];
    case 'earlier':
      return otherIds.toSpliced(Math.max(0, index - 1), 0, id);
    case 'later':
      return otherIds.toSpliced(index + 1, 0, id);
    case 'leave':
      return otherIds;
    default:
      return searchedIdList;
  }
});

const databaseAdd = redrawWith('connect.database.add', z.string(), (searched, id) =>
  id === unavailable || searched.includes(id) || searched.length >= mostDatabases ? searched : [...searched, id],
);

const databaseAll = redrawWith('connect.database.all', undefined, () => undefined);

const databaseOptions = options('connect.database.add', {
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

const databasesSubmitted = modal('connect.databases', {
  role: 'manager',
  metadata: databaseMetadata,

  fields({ view, metadata }): Acknowledged<number | undefined> {
    if (metadata.ids?.length === 0) {
      return { errors: { 'database.add': 'Choose at least one database.' } };
    }
    const errors: Errors = {};
    const days = metadata.mirror && scanDays.read(formStateIn(view), scanDaysFrame.name, errors);
    return scanDaysFrame.name in errors ? { errors } : { show: savingView(databasesTitle(metadata)), input: days };
  },

  async run(context, scanDays) {
    const { deps, actor, metadata, modal } = context;
    const { ids } = metadata;
    const mirror = metadata.mirror && { ...metadata.mirror, scanDays: scanDays ?? metadata.mirror.scanDays };
    await deps.store.workspaces.change(actor.owner, { lookupDatabases: ids, ...(mirror ? { mirror } : {}) });
    const copied = mirror ? { scanDays, notCopied: mirror.without } : {};
    await record(context, { what: 'workspace/databases', detail: { databases: ids ?? 'all', ...copied } });
    deps.mirror?.wake();
    const notice = { done: 'Saved.' };
    await modal.show(await connectionModal(context, { notice, fresh: metadata.first === true }));
    await context.deps.connectionChanged(context);
  },
});

export const databaseListeners: readonly Listener[] = [
  ...[connectDatabases, databaseMove, databaseAdd, databaseAll],
  ...[databasesSubmitted, databaseOptions],
];
