/** Metadata schemas for list modals, their menus and buttons. */
import { z } from 'zod';
import { metadata } from '../bolt/ids.js';

export const listKinds = ['services', 'users', 'devices', 'databases', 'questions', 'scans', 'uploads'] as const;

export type ListKind = (typeof listKinds)[number];

/** Longer searches find nothing, and would not fit a modal's metadata. */
export const longestQuery = 200;

const kind = z.enum(listKinds);

const end = z.object({ position: z.number().int().min(0), last: z.array(z.string()).max(10) });

export const listMetadata = metadata(
  z.object({
    channel: z.string().optional(),
    list: kind,
    /** For scans: a literal part of a barcode. */
    query: z.string().max(longestQuery).optional(),
    /** Only what belongs to one item: scans of a service. */
    of: z.object({ kind, id: z.string(), name: z.string() }).optional(),
    /** From 0; for lists loaded whole. */
    page: z.number().int().min(0).optional(),
    /** Where the previous page ended; for lists loaded page by page. */
    end: end.optional(),
  }),
);

export type ListMetadata = ReturnType<typeof listMetadata.read>;

/** A choice in an item's menu. Slack takes 150 characters. `more`: opens the actions that do not fit. */
export const itemActionMetadata = metadata(z.object({ list: kind, id: z.string(), deed: z.string() }), 150);

/** The option for actions that do not fit the menu. */
export const moreActions = 'more';

/** A button to another page. */
export const pageMetadata = metadata(z.object({ page: z.number().int().min(0).optional(), end: end.optional() }), 2000);

/** The modal of actions that do not fit the menu. `view`: the list below it. */
export const moreMetadata = metadata(
  z.object({ channel: z.string().optional(), view: z.string(), below: z.string(), name: z.string() }),
);

/** Carried by a form that was opened from a list, to redraw the list. */
export const listChangedMetadata = metadata(z.object({ view: z.string(), notes: z.string() }), 1000);
