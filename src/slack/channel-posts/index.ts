/** The channel-posts feature: relay posts, watches and mutes. */
import type { Feature } from '../bolt/routing/feature.js';
import { noteSubmitted, postAcknowledge, postAcknowledgeWithNote, postNote } from './acknowledge-action.js';
import { appearanceListeners, posts } from './appearance/appearance-actions.js';
import { postDetailsOpen, postMore } from './details-action.js';
import { handOverSubmitted, postHandOver, postResolve, resolveSubmitted } from './incident-actions.js';
import { postLookup } from './lookup-action.js';
import { postMember } from './member-action.js';
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
  postHandOver,
  handOverSubmitted,
  postResolve,
  resolveSubmitted,
  postMute,
  postDetailsOpen,
  postMore,
  postMember,
  ...appearanceListeners,
  watchStop,
  muteStop,
  muteSubmitted,
];

export const channelPosts: Feature = {
  commands: { '/scandesk': [watch, mute, posts] },
  listeners: [...listeners, postMenu(listeners)],
};
