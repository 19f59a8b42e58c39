/**
 * The search form's submission, which shows results in its place, and the buttons below results, which answer in the
 * message or modal that they are in.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseWhen, type ScanQuery, savedSearches } from '../../search/index.js';
import { reachOf } from '../bolt/channels.js';
import { loadingView } from '../bolt/problem/loading.js';
import type { Acknowledged, ActionContext } from '../bolt/routing/context.js';
import { action, modal } from '../bolt/routing/listeners.js';
import { listTitle } from '../browse/list-view.js';
import { loadListView } from '../browse/load-list.js';
import { longestQuery } from '../browse/metadata.js';
import { formStateIn } from '../forms/view-state.js';
import { withShareQuestion } from '../lookup/card/share-question.js';
import { shareOnce } from '../lookup/share-once.js';
import { searchModal } from './load-search-form.js';
import { resultsData, resultsMessage, resultsView } from './results-message.js';
import { firstPage, furtherPage, pageAfter, type ResultsPage, recordOf, sendResults, utc } from './run-search.js';
import { longSearchView, readSearch, searchMetadata, searchTitle } from './search-form.js';

export const searchSubmitted = modal('scans.search', {
  role: 'everyone',
  metadata: searchMetadata,
  fields({ view, deps }): Acknowledged<ScanQuery> {
    const read = readSearch(formStateIn(view), deps.clock.now());
    return 'errors' in read ? read : { show: loadingView('Scans', 'Searching…'), input: read.query };
  },
  async run(context, query) {
    const { deps, actor, metadata, person } = context;
    if (query.when !== undefined && !parseWhen(query.when, deps.clock.now(), person.zone ?? utc)) {
      const problem = `The clocks skip ${query.when} in your time zone. Enter another time.`;
      await context.modal.show(await searchModal(context, query, { chosen: metadata.saved, problem }));
      return;
    }
    const savedSearch =
      metadata.saved === undefined ? undefined : await savedSearches.find(deps, actor.owner, metadata.saved);
    const asSaved = savedSearch && isDeepStrictEqual(savedSearch.query, query) ? { saved: savedSearch.name } : {};
    await context.modal.show(resultsView(await firstPage(context, query, asSaved)));
  },
});

/** Shows all the form’s fields. */
export const searchMore = action('scans.more', {
  role: 'everyone',
  metadata: searchMetadata,
  run: async (context) => {
    const { deps, actor, inside, metadata } = context;
    const saved = await savedSearches.list(deps, actor.owner, actor);
    await deps.rerenders.draw(context, async () =>
      longSearchView(formStateIn(inside.view), { channel: actor.channelId, saved, chosen: metadata.saved }),
    );
  },
});

/** Fills the form with a saved search. */
export const fillSavedSearch = action('scans.saved', {
  role: 'everyone',
  data: z.string(),
  metadata: searchMetadata,
  run: async (context) => {
    const { deps, actor, data: id, inside } = context;
    const found = await savedSearches.find(deps, actor.owner, id);
    await inside.show(
      await (found
        ? searchModal(context, found.query, { chosen: id })
        : searchModal(context, { when: 'today' }, { problem: 'That saved search was deleted.' })),
    );
  },
});

type Click = ActionContext<{
  readonly search: string;
  readonly after?: { readonly at: number; readonly skip: number } | undefined;
}>;

const turnAction = (id: string | readonly string[], page: (context: Click) => Promise<ResultsPage>) =>
  action(id, {
    role: 'everyone',
    data: resultsData,
    run: async (context) => {
      const { inside, modal: opened, respond } = context;
      const turned = await page(context);
      await (inside
        ? opened.show(resultsView(turned))
        : sendResults(turned, (message) => respond(message, { replace: true })));
    },
  });

export const searchPage = turnAction(['scans.older', 'scans.newest'], (context) =>
  pageAfter(context, context.data.search, context.data.after),
);

export const searchFurther = turnAction('scans.further', async (context) =>
  furtherPage(context, await recordOf(context, context.data.search)),
);

/** Repeats the search without its time. */
export const searchAnyTime = turnAction('scans.any_time', async (context) => {
  const { query, zone } = await recordOf(context, context.data.search);
  const { when: _, ...anyTime } = query;
  return firstPage(context, anyTime, { zone });
});

/** The account’s own list, where the copy kept here does not reach: all that it can search for is part of a barcode. */
export const searchLive = action('scans.live', {
  role: 'everyone',
  data: resultsData,
  modalTitle: listTitle('scans'),
  push: true,
  run: async (context) => {
    const { barcode } = (await recordOf(context, context.data.search)).query;
    const query = barcode && barcode.text.length <= longestQuery ? { query: barcode.text } : {};
    await context.modal.fill(listTitle('scans'), () =>
      loadListView(context, { channel: context.actor.channelId, list: 'scans', ...query }),
    );
  },
});

export const searchChanged = action('scans.form', {
  role: 'everyone',
  data: resultsData,
  modalTitle: searchTitle,
  run: async (context) => {
    const { query } = await recordOf(context, context.data.search);
    await context.modal.fill(searchTitle, () => searchModal(context, query));
  },
});

const shareIds = { share: 'scans.share', agreed: 'scans.share.agreed' };

/**
 * *Share here*, and *Post anyway* on the question before results are shared: through the click's response URL, so the
 * app need not be a channel member.
 */
export const searchShared = action(Object.values(shareIds), {
  role: 'everyone',
  data: resultsData,
  async run(context) {
    const { actor, client, data, deps, respond } = context;
    const isAgreed = context.action.action_id === shareIds.agreed;
    const reach = isAgreed ? 'inside' : await reachOf(client, actor.channelId);
    const page = await pageAfter(context, data.search, data.after);
    if (reach !== 'inside') {
      const question = withShareQuestion(resultsMessage({ ...page, chart: false }), reach, shareIds);
      await respond(question, { replace: true });
      return;
    }
    const shared = { ...page, search: undefined, sharedBy: actor.userId };
    const storedPage = JSON.stringify([data.search, data.after]);
    await shareOnce(deps, actor, storedPage, () =>
      sendResults(shared, (message) => respond(message, { inChannel: true })),
    );
  },
});
