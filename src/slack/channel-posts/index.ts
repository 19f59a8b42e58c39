/** The channel-posts feature: relay posts, watches and mutes. */

import type { Feature } from '../bolt/routing/feature.js';
import { noteSubmitted, postAcknowledge, postAcknowledgeWithNote, postNote } from './acknowledge-action.js';
import { postLookup } from './lookup-action.js';
import { postMenu } from './menu-action.js';
import { muteStop, muteSubmitted, postMute, watchStop } from './watches/mute-actions.js';
import { mute } from './watches/mute-command.js';
import { watch } from './watches/watch-command.js';

const listeners = [
  postLookup,
  postAcknowledge,
  postAcknowledgeWithNote,
  postNote,
  noteSubmitted,
  postMute,
  watchStop,
  muteStop,
  muteSubmitted,
];

export const channelPosts: Feature = {
  commands: { '/scandesk': [watch, mute] },
  listeners: [...listeners, postMenu(listeners)],
};
