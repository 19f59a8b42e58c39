/** Owns what a card's menu, and the windows that come of it, carry. Never a barcode: a menu's value holds 150 characters. */
import { z } from 'zod';
import { notes } from '../../bolt/ids.js';

const longestMenuValue = 150;

/** `card`: where it is kept. `database`: which one, where the choice says so. */
export const changeNotes = notes(
  z.object({ card: z.string(), to: z.enum(['edit', 'valid', 'invalid', 'add']), database: z.string().optional() }),
  longestMenuValue,
);

export type ChangeChoice = ReturnType<typeof changeNotes.read>;

/** The window of *Edit response*. `place`: where the card can be changed. `database`: the one that is edited. */
export const editNotes = notes(
  z.object({
    channel: z.string().optional(),
    card: z.string(),
    place: z.string().optional(),
    database: z.string(),
  }),
);

export type EditNotes = ReturnType<typeof editNotes.read>;

/** What goes with the form of *Add to database*, to be known once it was sent. */
export const addedNotes = notes(z.object({ card: z.string(), place: z.string().optional() }), 1000);
