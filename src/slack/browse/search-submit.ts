/** The search field of a list modal: its submission, and Enter in it. */

import type { ViewOutput } from '@slack/bolt';
import { loadingView } from '../bolt/problem/loading.js';
import type { Acknowledged } from '../bolt/routing/context.js';
import { action, modal } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { listTitle, listView } from './list-view.js';
import { loadList, loadListView } from './load-list.js';
import { firstPage, type ListMetadata, listMetadata } from './metadata.js';
import { longestPart, queryIn } from './query.js';

export const listSearched = modal('list', {
  role: 'everyone',
  metadata: listMetadata,

  fields({ view, metadata }): Acknowledged<ListMetadata> {
    const { block, query } = searchIn(view, metadata);
    return query === 'too_long'
      ? { errors: { [block]: tooLong } }
      : { show: loadingView(listTitle(metadata.list), 'Searching…'), input: { ...firstPage(metadata), query } };
  },

  async run(context, metadata) {
    await context.modal.show(await loadListView(context, metadata));
  },
});

export const listEntered = action('list.query', {
  role: 'everyone',
  metadata: listMetadata,
  async run(context) {
    const { metadata, inside, modal: shownModal } = context;
    const { query } = searchIn(inside.view, metadata);
    await shownModal.fill(listTitle(metadata.list), async () =>
      query === 'too_long'
        ? listView({ ...(await loadList(context, metadata)), notice: { problem: tooLong } })
        : await loadListView(context, { ...firstPage(metadata), query }),
    );
  },
});

const tooLong = `Search by up to ${longestPart} characters of a barcode.`;

function searchIn(view: ViewOutput, { list }: ListMetadata) {
  const block = Object.keys(view.state.values).find((id) => id.startsWith('list.query.')) ?? '';
  return { block, query: queryIn(list, formStateIn(view).text(block)) };
}
