/** The connection feature (account, databases, access): what it adds to Slack. */
import type { Feature } from '../bolt/routing/feature.js';
import { access, accessOpen, accessSubmitted, userGroupPicker } from './access/access.js';
import { connect, connectOpen, connectReplace } from './connect-command.js';
import { connectSubmitted } from './connect-submit.js';
import { databaseListeners } from './databases/databases.js';
import { disconnect, disconnectOpen, disconnectSubmitted } from './disconnect.js';
import { limits } from './limits-command.js';
import { status, statusOpen } from './status-command.js';

export const connection: Feature = {
  commands: { '/scandesk': [connect, limits, status, access, disconnect] },
  listeners: [
    connectOpen,
    connectReplace,
    ...databaseListeners,
    disconnectOpen,
    statusOpen,
    accessOpen,
    connectSubmitted,
    disconnectSubmitted,
    accessSubmitted,
    userGroupPicker('access.groups', 'admin'),
  ],
};
