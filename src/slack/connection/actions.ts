/** Handlers of the connection's buttons: in App Home, in its modal, and beside errors. */

import type { ActionContext, Handler } from '../bolt/routing/context.js';
import { windowOf, withOrigin } from '../bolt/routing/origin.js';
import { accessTitle, accessWindow } from './access/access-command.js';
import { connectionWindow, connectTitle } from './connect-command.js';
import { connectForm } from './connect-view.js';
import { accountOf, askedFacts } from './connection.js';
import { databasesForm } from './databases/databases-view.js';
import { disconnectTitle, disconnectWindow } from './disconnect-command.js';
import { statusView } from './status-view.js';

export const connectOpen: Handler<ActionContext> = {
  who: 'manager',
  opens: connectTitle,
  run: async (context) => {
    await windowOf(context).fill(connectTitle, () => connectionWindow(withOrigin(context)));
  },
};

export const connectReplace: Handler<ActionContext> = {
  who: 'manager',
  run: async (context) => {
    const { deps, asker } = withOrigin(context);
    const replaces = await deps.store.workspaces.connection(asker.owner);
    await windowOf(context).show(connectForm({ replaces, channel: asker.channelId }));
  },
};

export const connectDatabases: Handler<ActionContext> = {
  who: 'manager',
  run: async (context) => {
    const { deps, asker } = withOrigin(context);
    await windowOf(context).fill('Databases to ask', async () => {
      const account = await accountOf(deps, asker.owner);
      const [databases, settings] = await Promise.all([
        account.reference.databases(),
        deps.store.workspaces.settings(asker.owner),
      ]);
      const ids = settings.lookupDatabases && [...settings.lookupDatabases];
      return databasesForm(databases, { channel: asker.channelId, ids });
    });
  },
};

export const disconnectOpen: Handler<ActionContext> = {
  who: 'manager',
  opens: disconnectTitle,
  run: async (context) => {
    await windowOf(context).fill(disconnectTitle, () => disconnectWindow(withOrigin(context)));
  },
};

export const statusOpen: Handler<ActionContext> = {
  who: 'everyone',
  opens: 'Status',
  run: async (context) => {
    const { deps, asker } = context;
    await windowOf(context).fill('Status', async () =>
      statusView(await askedFacts(deps, asker.owner, { counters: true })),
    );
  },
};

export const accessOpen: Handler<ActionContext> = {
  who: 'admin',
  opens: accessTitle,
  run: async (context) => {
    await windowOf(context).fill(accessTitle, () => accessWindow(withOrigin(context)));
  },
};
