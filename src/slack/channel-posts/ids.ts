/**
 * Button metadata for relay posts, watches and mutes. Metadata names the post, watch or mute, never the
 * barcode, which can be longer than a button's value.
 */
import { z } from 'zod';
import { metadata } from '../bolt/ids.js';

/** A button's value holds 2,000 characters. */
export const postMetadata = metadata(z.object({ post: z.string() }), 2000);
export const stopMetadata = metadata(z.object({ id: z.string() }), 2000);
/** The metadata of the mute modal; `originNotes` reads it too. */
export const muteMetadata = metadata(z.object({ channel: z.string().optional(), post: z.string() }));
