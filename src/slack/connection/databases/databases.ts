/** The dialog that chooses and orders the databases of lookups: its button, clicks, options and submission. */
import { z } from 'zod';
import { mostDatabases } from '../../../lookup/index.js';
import { mirrorSettings } from '../../../mirror/index.js';
import type { WorkspaceSettings } from '../../../workspaces/types.js';
import { type ModalView, option, unavailable } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { record } from '../../bolt/audit.js';
import type { SlackDeps } from '../../bolt/routing/deps.js';
import { action, type DataSchema, type Listener, type Output, opener, options } from '../../bolt/routing/listeners.js';
import { assertUnchanged, type FormScope, settingsForm } from '../../forms/settings-form.js';
import { accountOf } from '../account.js';
import { connectionModal } from '../connect-command.js';
import {
  copyForm,
  type DatabaseMetadata,
  databaseBlocks,
  databaseMetadata,
  databasesTitle,
  searchedIds,
} from './databases-view.js';

/** What the form overwrites. */
const overwritten = (settings: WorkspaceSettings) => [settings.lookupDatabases ?? null, mirrorSettings(settings)];

const databasesWindow = settingsForm({
  id: 'connect.databases',
  title: databasesTitle,
  close: ({ first }) => (first ? 'Keep as is' : 'Cancel'),
  metadata: databaseMetadata,
  async load({ deps, actor }) {
    const account = await accountOf(deps, actor.owner);
    const [databases, settings] = await Promise.all([
      account.names.databases(),
      deps.store.workspaces.settings(actor.owner),
    ]);
    return { databases, settings };
  },
  form: () => copyForm,
  source: (_, keys) => keys,
  part: ({ settings }) => overwritten(settings),
  draw: (draft, { subject: { databases }, keys }) => databaseBlocks(databases, keys, draft),
  check(_, problem, { keys }) {
    if (keys.ids?.length === 0) {
      problem('database.add', 'Choose at least one database.');
    }
  },
  stays: () => true,
  async save(context, { 'mirror.days': scanDays }) {
    const { deps, actor, metadata } = context;
    const { ids, mirror: shown, first } = metadata;
    assertUnchanged(overwritten(await deps.store.workspaces.settings(actor.owner)), metadata.seen);
    const mirror = shown && { ...shown, scanDays: scanDays ?? shown.scanDays };
    await deps.store.workspaces.change(actor.owner, { lookupDatabases: ids, ...(mirror ? { mirror } : {}) });
    const copied = mirror ? { scanDays, notCopied: mirror.without } : {};
    await record(context, { what: 'workspace/databases', detail: { databases: ids ?? 'all', ...copied } });
    deps.mirror?.wake();
    const notice = { done: 'Saved.' };
    const [here] = await Promise.all([
      connectionModal(context, { notice, fresh: first === true }),
      deps.connectionChanged(context),
    ]);
    return { ...notice, here };
  },
});

/** The form on what is stored. `first`: it is the second half of connecting. */
export async function databasesModal(context: FormScope, first?: true): Promise<ModalView> {
  const { deps, actor } = context;
  const settings = await deps.store.workspaces.settings(actor.owner);
  const ids = settings.lookupDatabases && [...settings.lookupDatabases];
  return databasesWindow.open(context, { ids, mirror: mirrorOf(deps, settings), first });
}

const connectDatabases = opener('connect.databases', {
  role: 'manager',
  modalTitle: 'Choose databases',
  view: (context) => databasesModal(context),
});

/** A change of the choice, from the databases searched now to those searched next; undefined: every database. */
type Change<D extends DataSchema> = (searched: readonly string[], data: Output<D>) => readonly string[] | undefined;

function redrawWith<D extends DataSchema>(id: string, data: D, change: Change<D>): Listener {
  return action(id, {
    role: 'manager',
    data,
    metadata: databaseMetadata,
    run: (context) =>
      context.deps.rerenders.draw(context, async () => {
        const { deps, actor, data: menuChoice, metadata, inside } = context;
        const databases = await (await accountOf(deps, actor.owner)).names.databases();
        const searched = searchedIds(databases, metadata);
        const ids = change(searched, menuChoice);
        // Where the list is unchanged, nothing was chosen anew.
        const next = ids === searched ? metadata : { ...metadata, ids: ids && [...ids] };
        return databasesWindow.redrawn({ ...context, view: inside.view, metadata: withCopy(next, menuChoice) });
      }),
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

/** The mirror's settings, for the form; undefined where the mirror is switched off. */
function mirrorOf({ mirror }: Pick<SlackDeps, 'mirror'>, settings: WorkspaceSettings): DatabaseMetadata['mirror'] {
  const { scanDays, without } = mirrorSettings(settings);
  return mirror && { scanDays, without: [...without] };
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

export const databaseListeners: readonly Listener[] = [
  ...[connectDatabases, databaseMove, databaseAdd, databaseAll],
  ...[databasesWindow.submitted, databaseOptions],
];
