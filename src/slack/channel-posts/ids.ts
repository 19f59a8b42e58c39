/**
 * Owns the ids of what can be clicked and chosen on a relay's posts, on watches and on mutes, and what their buttons carry:
 * which post, watch or mute it is, never a barcode, which may be longer than a button's value.
 */
import { z } from 'zod';
import { notes } from '../bolt/ids.js';

export const postActions = {
  lookup: 'post.lookup',
  acknowledge: 'post.acknowledge',
  mute: 'post.mute',
  muteWhat: 'post.mute.what',
  muteFor: 'post.mute.for',
  watchStop: 'watch.stop',
  muteStop: 'mute.stop',
} as const;

export const postCallbacks = { mute: 'post.mute' } as const;

export const postBlocks = { muteWhat: 'post.mute.what', muteFor: 'post.mute.for' } as const;

/** A button's value holds 2,000 characters. */
export const postNotes = notes(z.object({ post: z.string() }), 2000);
export const stopNotes = notes(z.object({ id: z.string() }), 2000);
/** Of the window in which somebody mutes: read by `originNotes`, too. */
export const muteNotes = notes(z.object({ channel: z.string().optional(), post: z.string() }));
