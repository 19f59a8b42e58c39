/** Handlers of the connection's buttons: in App Home, in its modal, and beside errors. */

import { action } from '../bolt/routing/listeners.js';
import { modalOf, withOrigin } from '../bolt/routing/origin.js';
import { accessTitle, accessWindow } from './access/access-command.js';
import { connectionWindow, connectTitle } from './connect-command.js';
import { connectForm } from './connect-view.js';
import { accountOf, liveStatus } from './connection.js';
import { databasesForm } from './databases/databases-view.js';
import { disconnectTitle, disconnectWindow } from './disconnect-command.js';
import { statusView } from './status-view.js';

export const connectOpen = action('connect.open', {
  role: 'manager',
  modalTitle: connectTitle,
  run: async (context) => {
    await modalOf(context).fill(connectTitle, () => connectionWindow(withOrigin(context)));
  },
});

export const connectReplace = action('connect.replace', {
  role: 'manager',
  run: async (context) => {
    const { deps, actor } = withOrigin(context);
    const replaces = await deps.store.workspaces.connection(actor.owner);
    await modalOf(context).show(connectForm({ replaces, channel: actor.channelId }));
  },
});

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

export const disconnectOpen = action('disconnect.open', {
  role: 'manager',
  modalTitle: disconnectTitle,
  run: async (context) => {
    await modalOf(context).fill(disconnectTitle, () => disconnectWindow(withOrigin(context)));
  },
});

export const statusOpen = action('status.open', {
  role: 'everyone',
  modalTitle: 'Status',
  run: async (context) => {
    const { deps, actor } = context;
    await modalOf(context).fill('Status', async () =>
      statusView(await liveStatus(deps, actor.owner, { counters: true })),
    );
  },
});

export const accessOpen = action('access.open', {
  role: 'admin',
  modalTitle: accessTitle,
  run: async (context) => {
    await modalOf(context).fill(accessTitle, () => accessWindow(withOrigin(context)));
  },
});
