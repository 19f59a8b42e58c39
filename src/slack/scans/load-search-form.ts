/** The search form with the saved searches that the person may choose from. */
import { type ScanQuery, savedSearches } from '../../search/index.js';
import type { ModalView } from '../block-kit/elements.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { type SearchView, searchView } from './search-form.js';

export async function searchModal(
  { deps, actor }: ActorContext,
  query: ScanQuery,
  fields: Pick<SearchView, 'chosen' | 'problem'> = {},
): Promise<ModalView> {
  const saved = await savedSearches.list(deps, actor.owner, actor);
  return searchView(query, { channel: actor.channelId, saved, ...fields });
}
