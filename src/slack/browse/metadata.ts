/** What list modals, their menus and buttons carry. */
import { z } from 'zod';
import { origin } from '../bolt/metadata.js';

export const listKinds = [
  'services',
  'users',
  'devices',
  'databases',
  'questions',
  'scans',
  'uploads',
  'values',
] as const;

export type ListKind = (typeof listKinds)[number];

/** The most characters of a query: longer ones find nothing, and would not fit a modal's metadata. */
export const longestQuery = 200;

const kind = z.enum(listKinds);

export const listMetadata = z.object({
  ...origin,
  list: kind,
  /** The search query. For scans and values it is a literal part of a barcode. */
  query: z.string().max(longestQuery).optional(),
  /** Whether the query is searched in the values' responses, since no barcode contains it. */
  inResponses: z.boolean().optional(),
  /** The item to which the listed records belong: the service of scans, the database of values. */
  of: z.object({ kind, id: z.string(), name: z.string() }).optional(),
  /** The page from 0, for lists that are loaded whole. */
  page: z.number().int().min(0).optional(),
  /** The view id of the list still below, where this list took the place of a form opened in it. */
  below: z.string().optional(),
  /** Where the previous page ended; for lists loaded page by page. */
  end: z.object({ position: z.number().int().min(0), last: z.array(z.string()).max(10) }).optional(),
});

export type ListMetadata = z.output<typeof listMetadata>;

/** The list's metadata for its first page. */
export function firstPage({ page: _, end: __, inResponses: ___, ...metadata }: ListMetadata): ListMetadata {
  return metadata;
}

/** The data of a button that leads to another page. */
export const pageData = listMetadata.pick({ page: true, end: true, inResponses: true });

/** The data of a choice in an item's menu, or of a button. `deed`: the key of an action. */
export const itemActionData = z.object({ list: kind, id: z.string(), deed: z.string() });

/** The option for actions that do not fit the menu. */
export const moreActions = 'more';

/** The modal of actions that do not fit the menu. `view`: the list below it, with its metadata in `below`. */
export const moreMetadata = z.object({ ...origin, view: z.string(), below: z.string(), name: z.string() });
