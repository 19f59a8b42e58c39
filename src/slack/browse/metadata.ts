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

/** Longer searches find nothing, and would not fit a modal's metadata. */
export const longestQuery = 200;

const kind = z.enum(listKinds);

export const listMetadata = z.object({
  ...origin,
  list: kind,
  /** For scans and values: a literal part of a barcode. */
  query: z.string().max(longestQuery).optional(),
  /** No barcode of the values contains the query: these are the ones whose response does. */
  inResponses: z.boolean().optional(),
  /** Only what belongs to one item: scans of a service, values of a database. */
  of: z.object({ kind, id: z.string(), name: z.string() }).optional(),
  /** From 0; for lists loaded whole. */
  page: z.number().int().min(0).optional(),
  /** This list took the place of a form: the list that the form was opened in, still below. */
  below: z.string().optional(),
  /** Where the previous page ended; for lists loaded page by page. */
  end: z.object({ position: z.number().int().min(0), last: z.array(z.string()).max(10) }).optional(),
});

export type ListMetadata = z.output<typeof listMetadata>;

/** The same list from its beginning. */
export function firstPage({ page: _, end: __, inResponses: ___, ...metadata }: ListMetadata): ListMetadata {
  return metadata;
}

/** A button to another page. */
export const pageData = listMetadata.pick({ page: true, end: true, inResponses: true });

/** A choice in an item's menu, or a button. `deed`: the key of an action. */
export const itemActionData = z.object({ list: kind, id: z.string(), deed: z.string() });

/** The option for actions that do not fit the menu. */
export const moreActions = 'more';

/** The modal of actions that do not fit the menu. `view`: the list below it, with its metadata in `below`. */
export const moreMetadata = z.object({ ...origin, view: z.string(), below: z.string(), name: z.string() });
