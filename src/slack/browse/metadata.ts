/** Owns what the windows of lists, their menus and buttons carry. */
import { z } from 'zod';
import { notes } from '../bolt/ids.js';

export const listKinds = ['services', 'users', 'devices', 'databases', 'questions', 'scans', 'uploads'] as const;

export type ListKind = (typeof listKinds)[number];

/** Longer searches find nothing, and would not fit the notes of a window. */
export const longestQuery = 200;

const kind = z.enum(listKinds);

const end = z.object({ position: z.number().int().min(0), last: z.array(z.string()).max(10) });

export const listNotes = notes(
  z.object({
    channel: z.string().optional(),
    list: kind,
    /** Of scans: a piece of a barcode, exactly. */
    query: z.string().max(longestQuery).optional(),
    /** Only what belongs to one thing: scans of a service. */
    of: z.object({ kind, id: z.string(), name: z.string() }).optional(),
    /** From 0; of lists that are known as a whole. */
    page: z.number().int().min(0).optional(),
    /** Where the page before ended; of lists that are asked page by page. */
    end: end.optional(),
  }),
);

export type ListNotes = ReturnType<typeof listNotes.read>;

/** A choice in an item's menu. Slack takes 150 characters. `more`: what the menu has no room for. */
export const deedNotes = notes(z.object({ list: kind, id: z.string(), deed: z.string() }), 150);

/** Stands for the deeds that a menu has no room for. */
export const moreDeeds = 'more';

/** A button to another page. */
export const pageNotes = notes(z.object({ page: z.number().int().min(0).optional(), end: end.optional() }), 2000);

/** The window of what a menu has no room for; `view`: the list below it. */
export const moreNotes = notes(
  z.object({ channel: z.string().optional(), view: z.string(), below: z.string(), name: z.string() }),
);

/** What goes with a form that is opened from a list, so that the list is drawn again. */
export const listedNotes = notes(z.object({ view: z.string(), notes: z.string() }), 1000);
