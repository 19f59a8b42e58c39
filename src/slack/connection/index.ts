/** The connection feature (account, databases, access): what it adds to Slack. */

import type { Feature } from '../bolt/routing/feature.js';
import { access } from './access/access-command.js';
import { accessSubmitted } from './access/access-submit.js';
import { userGroupOptions } from './access/user-groups-options.js';
import { accessOpen, connectDatabases, connectOpen, connectReplace, disconnectOpen, statusOpen } from './actions.js';
import { connect } from './connect-command.js';
import { connectSubmitted } from './connect-submit.js';
import { databaseAdd, databaseAll, databaseMove } from './databases/databases-actions.js';
import { databaseOptions } from './databases/databases-options.js';
import { databasesSubmitted } from './databases/databases-submit.js';
import { disconnect } from './disconnect-command.js';
import { disconnectSubmitted } from './disconnect-submit.js';
import { limits } from './limits-command.js';
import { status } from './status-command.js';

export const connection: Feature = {
  commands: { '/scandesk': [connect, limits, status, access, disconnect] },
  listeners: [
    connectOpen,
    connectReplace,
    connectDatabases,
    databaseMove,
    databaseAdd,
    databaseAll,
    disconnectOpen,
    statusOpen,
    accessOpen,
    connectSubmitted,
    databasesSubmitted,
    disconnectSubmitted,
    accessSubmitted,
    databaseOptions,
    userGroupOptions,
  ],
};
