/**
 * The list after a form changed an item. Slack cannot close the form, so the list takes its place, with a notice of the
 * change; the list below is refreshed too.
 */
import { z } from 'zod';
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { decode, encode } from '../bolt/metadata.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { openedModal } from '../bolt/routing/modal.js';
import { listView } from './list-view.js';
import { loadList } from './load-list.js';
import { type ListMetadata, listMetadata } from './metadata.js';

/** The list's modal and its metadata, carried by the form. */
const listBelowSchema = z.object({ view: z.string(), notes: z.string() });

/** Undefined when a long search does not fit the form's metadata: the list then stays as drawn. */
export function afterChange(view: string, { below: _, ...metadata }: ListMetadata): string | undefined {
  const value = encode(listBelowSchema, { view, notes: encode(listMetadata, metadata) }, Number.POSITIVE_INFINITY);
  return value.length <= 1_000 ? value : undefined;
}

export const listChanged = async (
  context: Pick<BaseContext, 'deps' | 'actor' | 'client'>,
  { notice }: { readonly notice: ViewNotice },
  carried: string,
): Promise<ModalView> => {
  const { view, notes } = decode(listBelowSchema, carried, 'list.changed');
  const fresh = await loadList(context, decode(listMetadata, notes, 'list.changed'));
  // The list's modal may have been closed meanwhile.
  await openedModal({ client: context.client, deps: context.deps }, view).showOutcome(listView(fresh));
  return listView({ ...fresh, metadata: { ...fresh.metadata, below: view }, notice });
};
