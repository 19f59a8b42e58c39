/** Submission handler for the search field of a list modal. */

import { textIn } from '../block-kit/view-state.js';
import { loadingView } from '../bolt/problem/loading.js';
import type { Acknowledged } from '../bolt/routing/context.js';
import { modal } from '../bolt/routing/listeners.js';
import { longestBarcode } from '../lookup/parse-barcode-text.js';
import { listTitles } from './list-view.js';
import { loadListView } from './load-list.js';
import { type ListMetadata, listMetadata } from './metadata.js';
import { queryIn } from './query.js';

export const listSearched = modal('list', {
  role: 'everyone',
  metadata: listMetadata,

  fields({ view, metadata: { page: _, end: __, ...metadata } }): Acknowledged<ListMetadata> {
    const block = Object.keys(view.state.values).find((id) => id.startsWith('list.query.')) ?? '';
    const query = queryIn(metadata.list, textIn(view, block, 'list.query'));
    if (query === 'too_long') {
      return { errors: { [block]: `A barcode can have up to ${longestBarcode} characters.` } };
    }
    return { show: loadingView(listTitles[metadata.list], 'Searching…'), input: { ...metadata, query } };
  },

  async run(context, metadata) {
    await context.modal.show(await loadListView(context, metadata));
  },
});
