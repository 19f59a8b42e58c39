/**
 * Metadata of a card's menu and of the modals it opens. It never holds a barcode: a menu's value takes 150 characters.
 */
import { z } from 'zod';
import { metadata } from '../../bolt/ids.js';

const longestMenuValue = 150;

/** `card`: the stored card's id. `database`: which one, if the choice names it. */
export const changeMetadata = metadata(
  z.object({ card: z.string(), to: z.enum(['edit', 'valid', 'invalid', 'add']), database: z.string().optional() }),
  longestMenuValue,
);

export type ChangeChoice = ReturnType<typeof changeMetadata.read>;

/** The *Edit response* modal. `place`: the id of the card's stored response URL. `database`: the one being edited. */
export const editMetadata = metadata(
  z.object({
    channel: z.string().optional(),
    card: z.string(),
    place: z.string().optional(),
    database: z.string(),
  }),
);

export type EditMetadata = ReturnType<typeof editMetadata.read>;

/** Carried by the *Add to database* form to its submission. */
export const addedMetadata = metadata(z.object({ card: z.string(), place: z.string().optional() }), 1000);
